"""Reads nested numbers, and returns numpy arrays if numpy is installed, else lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any, TypeAlias

    Array: TypeAlias = Any
else:
    Array = object
"""A `numpy.ndarray` if numpy is installed, else (nested) lists of float.

`Any`, because the type depends on the app's environment, not on its code.
"""


def as_array(values: Sequence[float] | Sequence[Sequence[float]]) -> Array:
    """Converts to an array of float64; the first call imports numpy."""
    numpy = _numpy()
    if numpy is not None:
        return numpy.array(values, dtype=float)
    return [list(row) if isinstance(row, Sequence) else row for row in values]


def as_samples(values: array[float], channels: int) -> Array:
    """Converts interleaved samples to an array of float32 with a row for each frame."""
    numpy = _numpy()
    if numpy is not None:
        return numpy.array(values, dtype="f4").reshape(-1, channels)
    return [list(values[at : at + channels]) for at in range(0, len(values), channels)]


def flatten(value: object, numbers: list[float]) -> tuple[int, ...]:
    """Appends the numbers in `value` row by row and returns its shape.

    Raises:
        TypeError, ValueError: if it contains something other than numbers, or rows of different
            lengths.
    """
    to_list = getattr(value, "tolist", None)
    if callable(to_list):
        value = to_list()
    if isinstance(value, (str, bytes)):
        raise TypeError("text is not numbers")
    if not isinstance(value, Iterable):
        numbers.append(float(value))  # type: ignore[arg-type]  # raises TypeError for other types
        return ()
    shapes = [flatten(row, numbers) for row in value]
    if len(set(shapes)) > 1:
        raise ValueError("rows of different lengths")
    return (len(shapes), *(shapes[0] if shapes else ()))


@cache
def _numpy() -> ModuleType | None:
    try:
        import numpy
    except ModuleNotFoundError as error:
        if error.name != "numpy":  # a dependency of numpy is missing
            raise
        return None
    return numpy
