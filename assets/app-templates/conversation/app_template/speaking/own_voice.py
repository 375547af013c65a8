"""The robot's own voice, which needs no model: a syllable of sound for each syllable of the text.

Nobody understands its words, which the page shows. Its length, its melody and its loudness are
those of the text.
"""

from __future__ import annotations

import math
import re
import threading
from array import array
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from app_template.sound import RATE_HZ

PITCH_HZ = 330.0
"""The middle of the voice."""
SYLLABLE_S = 0.11
LOUDNESS = 0.35

_VOWELS = "aeiouyäöüáéíóúàèìòùâêîôûåæøœаеёиоуыэюя"
_STEPS = {vowel: step for step, vowel in enumerate("uoaei")}
_SYLLABLE = re.compile(rf"[^\W{_VOWELS}]*[{_VOWELS}]+|\w+|[.!?…,;:\n]")
_PAUSES_S = {",": 0.14, ";": 0.2, ":": 0.2}
_END_PAUSE_S = 0.28
_WORD_PAUSE_S = 0.04
_MOST_SYLLABLES = 200
_TABLE = 1024  # a power of two


class _Syllable(NamedTuple):
    pitch_hz: float
    glide: float
    """The pitch at the end, as a multiple of that at the start."""
    length_s: float
    loudness: float


def own_voice(text: str, interrupted: threading.Event) -> Iterator[array[float]]:
    """The sound of a text, syllable by syllable: 16,000 samples a second, between -1 and 1."""
    words = text.lower().split()
    asks, calls = text.rstrip().endswith("?"), text.rstrip().endswith("!")
    parts = [(part, word) for word in words for part in _SYLLABLE.findall(word)][:_MOST_SYLLABLES]
    for at, (part, word) in enumerate(parts):
        if interrupted.is_set():
            return
        if not part[0].isalnum():
            yield _silence(_PAUSES_S.get(part, _END_PAUSE_S))
            continue
        progress = at / len(parts)
        melody = 1.1 - 0.2 * progress
        if asks and progress > 0.6:
            melody = 1.0 + 0.5 * (progress - 0.6)
        vowel = next((letter for letter in part if letter in _STEPS), "a")
        yield _tone(
            _Syllable(
                pitch_hz=PITCH_HZ * melody * 2 ** (_STEPS[vowel] / 12),
                glide=1.06 if asks else 0.95,
                length_s=SYLLABLE_S * (0.7 + 0.12 * min(len(part), 5)),
                loudness=LOUDNESS * (1.3 if calls else 1.0),
            )
        )
        if word.endswith(part):
            yield _silence(_WORD_PAUSE_S)


def _tone(syllable: _Syllable) -> array[float]:
    count = int(syllable.length_s * RATE_HZ)
    table = _wave_table()
    step = syllable.pitch_hz * _TABLE / RATE_HZ
    glide = syllable.glide ** (1 / count)
    samples = array("f")
    phase = 0.0
    for at in range(count):
        swell = math.sin(math.pi * at / count)  # silent at both ends: no clicks
        samples.append(syllable.loudness * swell * table[int(phase) % _TABLE])
        phase += step
        step *= glide
    return samples


@cache
def _wave_table() -> list[float]:
    """One period of the voice: a tone with some overtones, between -1 and 1."""
    turns = [math.tau * at / _TABLE for at in range(_TABLE)]
    period = [math.sin(t) + 0.5 * math.sin(2 * t) + 0.25 * math.sin(3 * t) for t in turns]
    peak = max(period)
    return [value / peak for value in period]


def _silence(length_s: float) -> array[float]:
    return array("f", bytes(4 * int(length_s * RATE_HZ)))
