"""Poses between and beside others. A pose is a 4x4 matrix, as `create_head_pose` creates it."""

from __future__ import annotations

import math
from typing import Any

from robot._arrays import Array, as_array

_Rows = list[list[float]]
_Quaternion = tuple[float, float, float, float]


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
    start, target = _pose(start_pose), _pose(target_pose)
    if not math.isfinite(t):
        raise ValueError(f"t must be finite, not {t!r}.")
    rotation = _turned(_quaternion(start), _quaternion(target), t)
    return _matrix(rotation, [a[3] + (b[3] - a[3]) * t for a, b in zip(start[:3], target[:3])])


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
    base, added = _pose(pose), _pose(offset)
    position = [a[3] + b[3] for a, b in zip(base[:3], added[:3])]
    rotation = [
        [sum(added[row][k] * base[k][column] for k in range(3)) for column in range(3)]
        for row in range(3)
    ]
    if reorthonormalize:
        return _matrix(_quaternion(rotation), position)
    rows = [[*row, at] for row, at in zip(rotation, position)]
    return as_array([*rows, [0.0, 0.0, 0.0, 1.0]])


def _pose(value: object) -> _Rows:
    # Not `flatten`, which takes any nesting: apps call this often.
    to_list = getattr(value, "tolist", None)
    plain: Any = to_list() if callable(to_list) else value
    try:
        rows = [[number + 0.0 for number in row] for row in plain]
        valid = list(map(len, rows)) == [4, 4, 4, 4] and all(map(_is_finite, rows))
    except TypeError:
        valid = False
    if not valid:
        raise ValueError("A pose must be a 4x4 matrix of finite numbers.")
    return rows


def _is_finite(row: list[float]) -> bool:
    return all(map(math.isfinite, row))


def _quaternion(m: _Rows) -> _Quaternion:
    """The rotation in the upper left of a matrix, as w, x, y, z.

    Of the four formulas for its parts, the one with the largest divisor is exact for every
    rotation. Rounded matrices give a rotation close to them.
    """
    a, b, c = (row[:3] for row in m[:3])
    volume = sum(a[i] * (b[i - 2] * c[i - 1] - b[i - 1] * c[i - 2]) for i in range(3))
    if volume < 1e-9:
        raise ValueError("The matrix of a pose has no rotation in it.")
    scale = volume ** (1 / 3)
    m = [[number / scale for number in row] for row in (a, b, c)]
    trace = m[0][0] + m[1][1] + m[2][2]
    squares = (trace, m[0][0], m[1][1], m[2][2])
    largest = squares.index(max(squares))
    if largest == 0:
        parts = (1 + trace, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1])
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        axis = [0.0, 0.0, 0.0]
        axis[i] = 1 + m[i][i] - m[j][j] - m[k][k]
        axis[j] = m[j][i] + m[i][j]
        axis[k] = m[k][i] + m[i][k]
        parts = (m[k][j] - m[j][k], axis[0], axis[1], axis[2])
    length = math.sqrt(sum(part * part for part in parts))
    w, x, y, z = (part / length for part in parts)
    return w, x, y, z


def _turned(start: _Quaternion, target: _Quaternion, t: float) -> _Quaternion:
    """The rotation at a fraction of the way between two."""
    cosine = sum(a * b for a, b in zip(start, target))
    sign = -1.0 if cosine < 0 else 1.0  # both signs are the same rotation; this one is nearer
    across = [sign * b - sign * cosine * a for a, b in zip(start, target)]
    sine = math.sqrt(sum(part * part for part in across))
    if sine < 1e-12:
        return start
    angle = math.atan2(sine, sign * cosine) * t
    along, aside = math.cos(angle), math.sin(angle) / sine
    w, x, y, z = (along * a + aside * b for a, b in zip(start, across))
    return w, x, y, z


def _matrix(rotation: _Quaternion, position: list[float]) -> Array:
    w, x, y, z = rotation
    return as_array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), position[0]],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), position[1]],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), position[2]],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )
