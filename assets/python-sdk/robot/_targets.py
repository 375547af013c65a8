"""Checks and converts an app's arguments before they are sent."""

from __future__ import annotations

import math
from collections.abc import Iterable

from robot._arrays import Array, flatten
from robot._wire.messages import IF_BUSY, METHODS, MOTORS, Target
from robot.utils import create_head_pose

MAX_DURATION_S = 600.0


def check_target(head: object, antennas: object, body_yaw: object) -> Target:
    """Checks the three parts of a target, each None or numbers.

    Raises:
        ValueError: if all are None, or a part has the wrong shape or is not finite.
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
    """Checks a duration in seconds.

    Raises:
        ValueError: if it is not above 0 and at most 600.
    """
    if not 0 < duration_s <= MAX_DURATION_S:  # false for nan too
        raise ValueError(
            f"duration must be above 0 and at most {MAX_DURATION_S:g} s, not {duration_s!r}."
        )
    return float(duration_s)


def check_method(method: str) -> str:
    """Checks an interpolation method.

    Raises:
        ValueError: if it is unknown.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}.")
    return method


def check_if_busy(if_busy: str) -> str:
    """Checks the choice for a motion in progress.

    Raises:
        ValueError: if it is unknown.
    """
    if if_busy not in IF_BUSY:
        raise ValueError(f"if_busy must be one of {', '.join(IF_BUSY)}, not {if_busy!r}.")
    return if_busy


def check_motors(ids: Iterable[str] | None) -> list[str] | None:
    """Checks names of motors and removes duplicates; None stands for all motors.

    Raises:
        ValueError: if there is no name, or an unknown one.
    """
    if ids is None:
        return None
    names = [ids] if isinstance(ids, str) else list(dict.fromkeys(ids))
    if not names or not set(names) <= set(MOTORS):
        raise ValueError(f"ids must be some of {', '.join(MOTORS)}, not {ids!r}.")
    return names


def head_towards(x: float, y: float, z: float) -> Array:
    """The pose of a head at its neutral position whose x axis points at (x, y, z), without roll.

    Raises:
        ValueError: if the point is that position, or not finite.
    """
    distance = math.hypot(x, y, z)
    if not 0 < distance < math.inf:  # false for nan too
        raise ValueError(f"The head cannot look at ({x}, {y}, {z}): give a point away from it.")
    pitch, yaw = -math.atan2(z, math.hypot(x, y)), math.atan2(y, x)
    return create_head_pose(pitch=pitch, yaw=yaw, degrees=False)


def _checked(
    name: str, value: object, expected: str, *shapes: tuple[int, ...]
) -> list[float] | None:
    """The numbers in `value` row by row; it must have one of `shapes`. None for None."""
    if value is None:
        return None
    numbers: list[float] = []
    try:
        shape = flatten(value, numbers)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be {expected}; this is not an array of numbers.") from None
    if shape not in shapes:
        has = "one number" if shape == () else f"shape {'x'.join(map(str, shape))}"
        raise ValueError(f"{name} must be {expected}; this has {has}.")
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"{name} must be {expected}; this has a number that is not finite.")
    return numbers
