"""Sound as samples: floats between -1 and 1, 16,000 a second, one channel."""

from __future__ import annotations

import io
import math
import struct
import wave
from array import array

RATE_HZ = 16_000


def loudness_of(samples: array[float]) -> float:
    """The root mean square of samples: 0 for silence, at most 1."""
    return math.sqrt(sum(sample * sample for sample in samples) / max(1, len(samples)))


def wav_of(samples: array[float]) -> bytes:
    """A WAV file with 16-bit samples."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE_HZ)
        whole = (round(32767 * min(1.0, max(-1.0, sample))) for sample in samples)
        sound.writeframes(struct.pack(f"<{len(samples)}h", *whole))
    return file.getvalue()


def samples_in(wav: bytes) -> array[float]:
    """The samples of a WAV file with 16-bit samples, of any rate, mixed to one channel.

    Raises:
        wave.Error, EOFError, TypeError, ValueError: if it is none.
    """
    with wave.open(io.BytesIO(wav)) as sound:
        channels, rate_hz = sound.getnchannels(), sound.getframerate()
        if sound.getsampwidth() != 2:
            raise ValueError("its samples have not 16 bits")
        data = sound.readframes(sound.getnframes())
    whole = struct.unpack(f"<{len(data) // 2}h", data[: len(data) // 2 * 2])
    frames = (whole[at : at + channels] for at in range(0, len(whole), channels))
    mono = array("f", (sum(frame) / channels / 32768 for frame in frames))
    return mono if rate_hz == RATE_HZ else _at_own_rate(mono, rate_hz)


def _at_own_rate(samples: array[float], rate_hz: int) -> array[float]:
    """Between two samples, the nearest one: enough for speech."""
    count = len(samples) * RATE_HZ // rate_hz
    return array("f", (samples[at * rate_hz // RATE_HZ] for at in range(count)))
