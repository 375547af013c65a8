"""What the sound of this SDK is made of, and what an app may push."""

from __future__ import annotations

import math
from array import array

from robot._arrays import flatten

SAMPLE_RATE_HZ = 16_000
"""What models that hear and speak work with; sound cards of another rate are converted to it."""

INPUT_CHANNELS = 2
_MAX_CHANNELS = 8


def check_samples(samples: object) -> array[float]:
    """Float samples mixed to one channel.

    Args:
        samples: one channel, `(frames, channels)` or `(channels, frames)`: the shorter side is
            that of the channels. Anything with a buffer of floats, or any nested numbers.

    Raises:
        ValueError: if they have another shape, are integers in a buffer, or are not finite.
    """
    data, shape = _floats(samples)
    if not all(map(math.isfinite, data)):
        raise ValueError("samples must be finite; some of these are not.")
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
    """The samples row by row, and their shape, of one or two dimensions."""
    data, shape = _from_buffer(samples) or _from_list(samples)
    if len(shape) != 1 and (len(shape) != 2 or min(shape) > _MAX_CHANNELS):
        raise ValueError(
            "samples must be one channel, or have the shape (frames, channels) with at most "
            f"{_MAX_CHANNELS} channels; these have the shape {shape}."
        )
    return data, shape


def _from_buffer(samples: object) -> tuple[array[float], tuple[int, ...]] | None:
    """The samples of a buffer, which is fast; None if they have none, or one of unusual floats."""
    try:
        view = memoryview(samples)  # type: ignore[arg-type]  # raises TypeError for what has none
    except TypeError:
        return None
    if view.format[-1] not in "efdg":
        raise ValueError("samples must be floats between -1 and 1; divide 16-bit ones by 32768.")
    if view.format not in ("f", "d") or view.shape is None:
        return None
    # Row by row, whatever the order in memory.
    return array("f", array(view.format, view.tobytes())), view.shape


def _from_list(samples: object) -> tuple[array[float], tuple[int, ...]]:
    numbers: list[float] = []
    try:
        shape = flatten(samples, numbers)
    except (TypeError, ValueError):
        raise ValueError("samples must be numbers between -1 and 1.") from None
    return array("f", numbers), shape
