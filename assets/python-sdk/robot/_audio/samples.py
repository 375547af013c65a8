"""The format of samples, and the conversion of an app's samples to it."""

from __future__ import annotations

import math
from array import array

from robot._arrays import flatten

SAMPLE_RATE_HZ = 16_000
"""The common rate of speech models; sound cards with another rate are converted."""

INPUT_CHANNELS = 2
OUTPUT_CHANNELS = 1
_MAX_CHANNELS = 8


def check_samples(samples: object) -> array[float]:
    """Mixes float samples to one channel.

    Args:
        samples: one channel, `(frames, channels)` or `(channels, frames)`: the shorter side is
            the channels. A buffer of floats, or any nested numbers.

    Raises:
        ValueError: if they have another shape, are integers in a buffer, or are not finite.
    """
    data, shape = _floats(samples)
    if not all(map(math.isfinite, data)):
        raise ValueError("samples must be finite numbers.")
    if len(shape) == 1 or not data:
        return data
    rows, columns = shape
    if rows >= columns:
        channels = [data[at::columns] for at in range(columns)]
    else:
        channels = [data[at : at + columns] for at in range(0, len(data), columns)]
    count = len(channels)
    return data if count == 1 else array("f", (sum(frame) / count for frame in zip(*channels)))


def _floats(samples: object) -> tuple[array[float], tuple[int, ...]]:
    """The samples row by row, and their shape, which has one or two dimensions."""
    data, shape = _from_buffer(samples) or _from_list(samples)
    if len(shape) != 1 and (len(shape) != 2 or min(shape) > _MAX_CHANNELS):
        raise ValueError(
            "samples must be one channel, or have the shape (frames, channels) with at most "
            f"{_MAX_CHANNELS} channels; these have the shape {shape}."
        )
    return data, shape


def _from_buffer(samples: object) -> tuple[array[float], tuple[int, ...]] | None:
    """The samples of a buffer, which is fast; None without a buffer of common floats."""
    try:
        view = memoryview(samples)  # type: ignore[arg-type]  # raises TypeError without a buffer
    except TypeError:
        return None
    if view.format[-1] not in "efdg":
        raise ValueError("samples must be floats between -1 and 1; divide 16-bit ones by 32768.")
    if view.format not in ("f", "d") or view.shape is None:
        return None
    # Row by row, whatever the memory layout.
    return array("f", array(view.format, view.tobytes())), view.shape


def _from_list(samples: object) -> tuple[array[float], tuple[int, ...]]:
    numbers: list[float] = []
    try:
        shape = flatten(samples, numbers)
    except (TypeError, ValueError):
        raise ValueError("samples must be numbers between -1 and 1.") from None
    return array("f", numbers), shape
