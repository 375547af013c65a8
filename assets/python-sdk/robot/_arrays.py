"""Numbers on their way in, nested in whatever way, and out: numpy arrays where numpy is installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from types import ModuleType
from typing import Any, TypeAlias

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

Array: TypeAlias = Any
"""A `numpy.ndarray` if numpy is installed, else (nested) lists of float.

`Any`, since which of the two it is depends on the environment of the app and not on its code.
"""


def as_array(values: Sequence[float] | Sequence[Sequence[float]]) -> Array:
    """`values` as an array of float64; numpy is imported by the first call."""
    numpy = _numpy()
    if numpy is not None:
        return numpy.array(values, dtype=float)
    return [list(row) if isinstance(row, Sequence) else row for row in values]


def as_samples(values: array[float], channels: int) -> Array:
    """Interleaved samples as an array of float32 with a row for each frame."""
    numpy = _numpy()
    if numpy is not None:
        return numpy.array(values, dtype="f4").reshape(-1, channels)
    return [list(values[at : at + channels]) for at in range(0, len(values), channels)]


def flatten(value: object, numbers: list[float]) -> tuple[int, ...]:
    """Appends the numbers in `value` row by row, and gives its shape.

    Raises:
        TypeError, ValueError: if something in it is no number, or rows differ in length.
    """
    to_list = getattr(value, "tolist", None)
    if callable(to_list):
        value = to_list()
    if isinstance(value, (str, bytes)):
        raise TypeError("text is not numbers")
    if not isinstance(value, Iterable):
        numbers.append(float(value))  # type: ignore[arg-type]  # raises TypeError for what is none
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
        if error.name != "numpy":  # numpy is there and lacks something itself
            raise
        return None
    return numpy
