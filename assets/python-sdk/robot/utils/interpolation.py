"""Poses between and beside others, and the course of a motion over time.

A pose is a 4x4 matrix, as `create_head_pose` creates it: metres, and a rotation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum

from robot._arrays import Array, as_array, flatten
from robot.utils._rotations import (
    angle_between,
    pose_matrix,
    pose_rows,
    quaternion,
    rotation_rows,
    turned,
)


class InterpolationTechnique(str, Enum):
    """The ways to `goto_target`; each equals its text, which is also its `value`."""

    LINEAR = "linear"
    MIN_JERK = "minjerk"
    EASE_IN_OUT = "ease_in_out"
    CARTOON = "cartoon"


_OVERSHOOT = 1.70158 * 1.525


def linear_pose_interpolation(start_pose: object, target_pose: object, t: float) -> Array:
    """The pose at a fraction of the way between two poses.

    The position goes along a straight line, the rotation about one axis by the smaller angle.

    Args:
        start_pose: a 4x4 matrix, in metres.
        target_pose: a 4x4 matrix, in metres.
        t: the fraction: 0 for the start, 1 for the target. Others continue the way.

    Returns:
        A 4x4 matrix: a numpy array if numpy is installed, else four lists of four.

    Raises:
        ValueError: if an argument has another shape, a number that is not finite, or no rotation.
    """
    start, target = pose_rows(start_pose), pose_rows(target_pose)
    if not math.isfinite(t):
        raise ValueError(f"t must be finite, not {t!r}.")
    rotation = turned(quaternion(start), quaternion(target), t)
    return pose_matrix(rotation, [a[3] + (b[3] - a[3]) * t for a, b in zip(start[:3], target[:3])])


def compose_world_offset(pose: object, offset: object, reorthonormalize: bool = False) -> Array:
    """Moves and turns a pose by an offset along and about the axes of the world.

    The translations add up, and the pose turns about its own origin.

    Args:
        pose: a 4x4 matrix, in metres.
        offset: a 4x4 matrix, in metres.
        reorthonormalize: whether to make the result an exact rotation again, after many steps.

    Returns:
        A 4x4 matrix: a numpy array if numpy is installed, else four lists of four.

    Raises:
        ValueError: if an argument has another shape or a number that is not finite, or if there
            is no rotation to make exact.
    """
    base, added = pose_rows(pose), pose_rows(offset)
    position = [a[3] + b[3] for a, b in zip(base[:3], added[:3])]
    rotation = [
        [sum(added[row][k] * base[k][column] for k in range(3)) for column in range(3)]
        for row in range(3)
    ]
    if reorthonormalize:
        return pose_matrix(quaternion(rotation), position)
    rows = [[*row, at] for row, at in zip(rotation, position)]
    return as_array([*rows, [0.0, 0.0, 0.0, 1.0]])


def time_trajectory(
    t: float, method: str | InterpolationTechnique = InterpolationTechnique.MIN_JERK
) -> float:
    """The fraction of the way at a fraction of the time.

    Args:
        t: the fraction of the time, from 0 to 1.
        method: `minjerk`, `linear`, `ease_in_out` or `cartoon`, which goes a little too far at
            both ends.

    Returns:
        The fraction of the way: 0 at 0 and 1 at 1.

    Raises:
        ValueError: if `t` is out of range, or the method is unknown.
    """
    if not 0 <= t <= 1:
        raise ValueError(f"t must be from 0 to 1, not {t!r}.")
    technique = InterpolationTechnique(method)
    if technique == InterpolationTechnique.LINEAR:
        return float(t)
    if technique == InterpolationTechnique.MIN_JERK:
        return t**3 * (10 - 15 * t + 6 * t * t)
    # The others have two halves with the same shape.
    from_end = 2 * min(t, 1 - t)
    half = from_end**2 / 2
    if technique == InterpolationTechnique.CARTOON:
        half *= (_OVERSHOOT + 1) * from_end - _OVERSHOOT
    return half if t < 0.5 else 1 - half


def minimum_jerk(
    starting_position: object,
    goal_position: object,
    duration: float,
    starting_velocity: object = None,
    starting_acceleration: object = None,
    final_velocity: object = None,
    final_acceleration: object = None,
) -> Callable[[float], Array]:
    """A motion that is as smooth as possible, as a function of the time in seconds.

    Args:
        starting_position: numbers, in any unit.
        goal_position: as many.
        duration: seconds, above 0.
        starting_velocity, starting_acceleration: at the start, a second; None: 0.
        final_velocity, final_acceleration: at the end; None: 0.

    Returns:
        The function: before 0 it has the start, after `duration` the goal; a numpy array if numpy
        is installed, else a list.

    Raises:
        ValueError: if the arguments have different lengths, or `duration` is not above 0.
    """
    start, goal = _numbers(starting_position), _numbers(goal_position)
    zeros = [0.0] * len(start)
    v0, a0, v1, a1 = (
        zeros if value is None else _numbers(value)
        for value in (
            starting_velocity,
            starting_acceleration,
            final_velocity,
            final_acceleration,
        )
    )
    if not 0 < duration < math.inf:
        raise ValueError(f"duration must be above 0, not {duration!r}.")
    if any(len(values) != len(start) for values in (goal, v0, a0, v1, a1)):
        raise ValueError("All positions, velocities and accelerations must have the same length.")
    # The one polynomial of degree 5 with these ends, in powers of t / duration.
    s = duration
    curves = [
        (
            p,
            u * s,
            b * s**2 / 2,
            10 * (q - p) - (6 * u + 4 * w) * s - (3 * b - c) * s**2 / 2,
            -15 * (q - p) + (8 * u + 7 * w) * s + (3 * b - 2 * c) * s**2 / 2,
            6 * (q - p) - 3 * (u + w) * s - (b - c) * s**2 / 2,
        )
        for p, q, u, b, w, c in zip(start, goal, v0, a0, v1, a1)
    ]

    def position(t: float) -> Array:
        if t >= duration:
            return as_array(goal)
        x = max(0.0, t / duration)
        return as_array([sum(c * x**power for power, c in enumerate(curve)) for curve in curves])

    return position


def delta_angle_between_mat_rot(P: object, Q: object) -> float:  # apps' keywords
    """The angle between two rotations in radians, from 0 to pi.

    Args:
        P: a 3x3 matrix.
        Q: a 3x3 matrix.

    Raises:
        ValueError: if one has another shape or a number that is not finite, or is no rotation.
    """
    return angle_between(quaternion(rotation_rows(P)), quaternion(rotation_rows(Q)))


def distance_between_poses(pose1: object, pose2: object) -> tuple[float, float, float]:
    """Three distances between two poses.

    Returns:
        Metres, radians, and the sum of millimetres and degrees.

    Raises:
        ValueError: if one has another shape or a number that is not finite, or no rotation.
    """
    a, b = pose_rows(pose1), pose_rows(pose2)
    metres = math.dist([row[3] for row in a[:3]], [row[3] for row in b[:3]])
    angle = angle_between(quaternion(a), quaternion(b))
    return metres, angle, 1000 * metres + math.degrees(angle)


def _numbers(value: object) -> list[float]:
    numbers: list[float] = []
    try:
        dimensions = len(flatten(value, numbers))
    except (TypeError, ValueError):
        dimensions = 0
    if dimensions != 1:
        raise ValueError("Positions, velocities and accelerations must be one row of numbers.")
    return numbers
