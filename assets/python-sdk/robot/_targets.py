"""Numbers on their way in: whatever an app has at hand, checked before it is sent."""

from __future__ import annotations

import math
from collections.abc import Iterable

from robot._wire.messages import METHODS, Target

MAX_DURATION_S = 600.0


def check_target(head: object, antennas: object, body_yaw: object) -> Target:
    """The three parts of a target, each None or numbers.

    Raises:
        ValueError: if all are None, or a part has the wrong shape or a number that is not finite.
    """
    if head is None and antennas is None and body_yaw is None:
        raise ValueError("Nothing to move: give at least one of head, antennas and body_yaw.")
    yaws = _checked("body_yaw", body_yaw, "one angle in radians", ())
    return Target(
        head=_checked("head", head, "a 4x4 matrix", (4, 4), (16,)),
        antennas=_checked("antennas", antennas, "two angles in radians, [right, left]", (2,)),
        body_yaw=yaws[0] if yaws else None,
    )


def check_duration(duration_s: float) -> float:
    """A duration that the daemon takes.

    Raises:
        ValueError: if it is not above 0 and at most 600 s.
    """
    if not 0 < duration_s <= MAX_DURATION_S:  # false for nan as well
        raise ValueError(
            f"duration must be above 0 and at most {MAX_DURATION_S:g} s, not {duration_s!r}."
        )
    return float(duration_s)


def check_method(method: str) -> str:
    """A way to get from here to there.

    Raises:
        ValueError: if there is no such way.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}.")
    return method


def _checked(
    name: str, value: object, expected: str, *shapes: tuple[int, ...]
) -> list[float] | None:
    """The numbers in `value` row by row, which has one of `shapes`; None if it is None."""
    if value is None:
        return None
    numbers: list[float] = []
    try:
        shape = _flatten(value, numbers)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be {expected}; this is not all numbers.") from None
    if shape not in shapes:
        has = "one number" if shape == () else f"shape {'x'.join(map(str, shape))}"
        raise ValueError(f"{name} must be {expected}; this has {has}.")
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"{name} must be {expected}; this has a number that is not finite.")
    return numbers


def _flatten(value: object, numbers: list[float]) -> tuple[int, ...]:
    """Appends the numbers in `value` row by row, and gives its shape."""
    to_list = getattr(value, "tolist", None)
    if callable(to_list):
        value = to_list()
    if isinstance(value, (str, bytes)):
        raise TypeError("text is not numbers")
    if not isinstance(value, Iterable):
        numbers.append(float(value))  # type: ignore[arg-type]  # raises TypeError for what is none
        return ()
    shapes = [_flatten(row, numbers) for row in value]
    if len(set(shapes)) > 1:
        raise ValueError("rows of different lengths")
    return (len(shapes), *(shapes[0] if shapes else ()))
