"""Test tones and their analysis."""

from __future__ import annotations

import cmath
import math
import wave
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

RATE_HZ = 16_000


def tone(pitch_hz: float, duration_s: float, rate_hz: int = RATE_HZ) -> array[float]:
    """A tone of half the maximum amplitude."""
    steps = range(round(duration_s * rate_hz))
    return array("f", (0.5 * math.sin(2 * math.pi * pitch_hz * n / rate_hz) for n in steps))


def strength(samples: Sequence[float], pitch_hz: float) -> float:
    """The strength of a pitch in `samples`: 0.5 for a `tone` of that pitch."""
    turn = -2j * math.pi * pitch_hz / RATE_HZ
    heard = sum(sample * cmath.exp(turn * n) for n, sample in enumerate(samples))
    return 2 * abs(heard) / len(samples)


def loud_part(samples: Iterable[float]) -> list[float]:
    """The samples from the first audible one to the last."""
    heard = list(samples)
    loud = [at for at, sample in enumerate(heard) if abs(sample) > 0.02]
    return heard[loud[0] : loud[-1] + 1] if loud else []


def write_wav(
    path: Path,
    samples: Sequence[float],
    *,
    rate_hz: int = RATE_HZ,
    width: int = 2,
    channels: int = 1,
) -> Path:
    """Writes samples to a WAV file, the same on each channel, as integers of `width` bytes."""
    whole = [round(sample * (2 ** (8 * width - 1) - 1)) for sample in samples]
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate_hz)
        file.writeframes(
            b"".join(
                (value + 128 if width == 1 else value).to_bytes(width, "little", signed=width > 1)
                * channels
                for value in whole
            )
        )
    return path


def read_wav(path: Path) -> list[float]:
    """The samples of a file of one channel and two bytes."""
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        data = file.readframes(file.getnframes())
    return [
        int.from_bytes(data[at : at + 2], "little", signed=True) / 32768
        for at in range(0, len(data), 2)
    ]
