"""The scores of the built-in sounds.

A score is a line of notes, one after another. A note is `pitch:beats`, such as `C5:1`: C in the
octave above middle C, for one beat. `C5>G5:2` glides from one pitch to the other, `-:1` is a rest.
"""

from __future__ import annotations

from typing import NamedTuple


class Score(NamedTuple):
    """A built-in sound."""

    beat_s: float
    notes: str


SCORES = {
    "wake_up": Score(0.13, "C5:1 E5:1 G5:1 C6:2 G5>C6:3"),
    "go_sleep": Score(0.2, "C6:1 G5:1 E5:1.5 -:0.5 E5>C5:2 C5>G4:4"),
    "confused1": Score(0.16, "E5>F5:1 F5>D#5:1.5 -:0.5 D5>G#4:1.5 -:0.5 G4>D5:2.5"),
    "impatient1": Score(0.09, "A4:1 -:0.5 A4:1 -:0.5 A4:1 -:2 A4:1 -:0.5 A4:1 -:0.5 D5>A4:3"),
    "dance1": Score(
        0.15,
        "C5:1 -:1 C5:1 E5:1 G5:1 -:1 E5:1 G5:1 A5:1 -:1 G5:1 E5:1 D5:1 E5:1 D5:2 "
        "C5:1 -:1 C5:1 E5:1 G5:1 -:1 E5:1 G5:1 A5:1 B5:1 C6:1 A5:1 G5:1 E5:1 C5:2",
    ),
    "count": Score(0.25, "G5:1 -:1 G5:1 -:1 G5:1 -:1 C6:2"),
}
