"""The built-in sounds of `play_sound`, computed from their scores."""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from robot._audio.samples import SAMPLE_RATE_HZ
from robot._audio.scores import SCORES

_LOUDNESS = 0.4
_OVERTONES = (1.0, 0.35, 0.12)
"""The amplitudes of the fundamental and its overtones."""

_TABLE_SIZE = 1024  # a power of two
_ATTACK_S = 0.012
_RELEASE_S = 0.05
_SUSTAIN = 0.55
"""The share of a note's first loudness that is left at its end."""

_SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


class _Note(NamedTuple):
    start_hz: float
    """0 for a rest."""

    end_hz: float
    length_s: float


class BuiltInSound:
    """A `Voice` that plays samples in memory."""

    def __init__(self, samples: array[float]) -> None:
        """Plays from the start; `samples` are not changed."""
        self._samples = samples
        self._position = 0

    def read(self, frames: int) -> array[float]:
        """See `Voice.read`."""
        part = self._samples[self._position : self._position + frames]
        self._position += len(part)
        return part

    def close(self) -> None:
        """Does nothing: there is no file."""


def built_in_sound(name: str | os.PathLike[str]) -> BuiltInSound:
    """The sound of a name, with or without `.wav`.

    Raises:
        FileNotFoundError: if there is none; its text has the names.
    """
    text = os.fsdecode(name)
    stem = text.removesuffix(".wav")
    if stem not in SCORES:
        raise FileNotFoundError(
            f"There is no sound file {text!r}. Give the path of a file, or the name of a built-in "
            f"sound: {', '.join(SCORES)}."
        )
    return BuiltInSound(_samples(stem))


@cache
def _samples(name: str) -> array[float]:
    score = SCORES[name]
    samples = array("f")
    for note in _notes(score.notes, score.beat_s):
        samples.extend(_tone(note))
    return samples


def _notes(notes: str, beat_s: float) -> Iterator[_Note]:
    for note in notes.split():
        pitches, beats = note.split(":")
        start, _, end = pitches.partition(">")
        yield _Note(_pitch_hz(start), _pitch_hz(end or start), float(beats) * beat_s)


def _pitch_hz(name: str) -> float:
    """The frequency of a pitch such as `C#5`, tuned to 440 Hz for `A4`; 0 for a rest."""
    if name == "-":
        return 0.0
    semitone = _SEMITONES[name[0]] + ("#" in name) + 12 * (int(name[-1]) - 4)
    return 440.0 * math.pow(2, (semitone - _SEMITONES["A"]) / 12)


def _tone(note: _Note) -> array[float]:
    count = round(note.length_s * SAMPLE_RATE_HZ)
    if note.start_hz == 0:
        return array("f", bytes(4 * count))
    table, mask = _wave_table(), _TABLE_SIZE - 1
    attack = _LOUDNESS / (_ATTACK_S * SAMPLE_RATE_HZ)
    release = _LOUDNESS / (_RELEASE_S * SAMPLE_RATE_HZ)
    decay = _LOUDNESS * (1 - _SUSTAIN) / count
    step = note.start_hz * _TABLE_SIZE / SAMPLE_RATE_HZ
    glide = (note.end_hz / note.start_hz) ** (1 / count)
    samples = array("f")
    phase = 0.0
    for at in range(count):
        loudness = min(at * attack, (count - at) * release, _LOUDNESS - at * decay)
        samples.append(loudness * table[int(phase) & mask])
        phase += step
        step *= glide
    return samples


@cache
def _wave_table() -> list[float]:
    """One period of the sound, between -1 and 1."""
    period = [
        sum(
            share * math.sin(math.tau * (number + 1) * at / _TABLE_SIZE)
            for number, share in enumerate(_OVERTONES)
        )
        for at in range(_TABLE_SIZE)
    ]
    peak = max(period)
    return [value / peak for value in period]
