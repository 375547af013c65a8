"""Numbers on their way out: numpy arrays where numpy is installed, else nested lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import ModuleType
from typing import Any, TypeAlias

Array: TypeAlias = Any
"""A `numpy.ndarray` of float64 if numpy is installed, else (nested) lists of float.

`Any`, since which of the two it is depends on the environment of the app and not on its code.
"""


def as_array(values: Sequence[float] | Sequence[Sequence[float]]) -> Array:
    """`values` as an array; numpy is imported by the first call."""
    numpy = _numpy()
    if numpy is not None:
        return numpy.array(values, dtype=float)
    return [list(row) if isinstance(row, Sequence) else row for row in values]


@cache
def _numpy() -> ModuleType | None:
    try:
        import numpy
    except ModuleNotFoundError as error:
        if error.name != "numpy":  # numpy is there and lacks something itself
            raise
        return None
    return numpy
