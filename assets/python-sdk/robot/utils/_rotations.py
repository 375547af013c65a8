"""The rotations of poses."""

from __future__ import annotations

import math
from typing import Any

from robot._arrays import Array, as_array

Rows = list[list[float]]
Quaternion = tuple[float, float, float, float]


def pose_rows(value: object) -> Rows:
    """The rows of a pose.

    Raises:
        ValueError: if it is no 4x4 matrix of finite numbers.
    """
    rows = _rows(value, 4)
    if rows is None:
        raise ValueError("A pose must be a 4x4 matrix of finite numbers.")
    return rows


def rotation_rows(value: object) -> Rows:
    """The rows of a rotation.

    Raises:
        ValueError: if it is no 3x3 matrix of finite numbers.
    """
    rows = _rows(value, 3)
    if rows is None:
        raise ValueError("A rotation must be a 3x3 matrix of finite numbers.")
    return rows


def _rows(value: object, size: int) -> Rows | None:
    # Not `flatten`, which takes any nesting: apps call this often.
    to_list = getattr(value, "tolist", None)
    plain: Any = to_list() if callable(to_list) else value
    try:
        rows = [[number + 0.0 for number in row] for row in plain]
    except TypeError:
        return None
    has_shape = list(map(len, rows)) == [size] * size
    return rows if has_shape and all(map(_is_finite, rows)) else None


def _is_finite(row: list[float]) -> bool:
    return all(map(math.isfinite, row))


def quaternion(m: Rows) -> Quaternion:
    """The rotation in the upper left of a matrix, as w, x, y, z.

    Of the four formulas for its parts, the one with the largest divisor is exact for every
    rotation. Rounded matrices give a rotation close to them.

    Raises:
        ValueError: if there is no rotation: the matrix is flat or a mirror.
    """
    a, b, c = (row[:3] for row in m[:3])
    volume = sum(a[i] * (b[i - 2] * c[i - 1] - b[i - 1] * c[i - 2]) for i in range(3))
    if volume < 1e-9:
        raise ValueError("The matrix has no rotation in it.")
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


def turned(start: Quaternion, target: Quaternion, t: float) -> Quaternion:
    """The rotation at a fraction of the way between two."""
    cosine, sine, across = _difference(start, target)
    if sine < 1e-12:
        return start
    half = math.atan2(sine, cosine) * t
    along, aside = math.cos(half), math.sin(half) / sine
    w, x, y, z = (along * a + aside * b for a, b in zip(start, across))
    return w, x, y, z


def angle_between(start: Quaternion, target: Quaternion) -> float:
    """The angle from one rotation to the other in radians, from 0 to pi."""
    cosine, sine, _ = _difference(start, target)
    return 2 * math.atan2(sine, cosine)


def _difference(start: Quaternion, target: Quaternion) -> tuple[float, float, list[float]]:
    """The cosine and the sine of half the angle, and the part of the target across the start."""
    cosine = sum(a * b for a, b in zip(start, target))
    sign = -1.0 if cosine < 0 else 1.0  # both signs are the same rotation; this one is nearer
    across = [sign * (b - cosine * a) for a, b in zip(start, target)]
    return sign * cosine, math.sqrt(sum(part * part for part in across)), across


def pose_matrix(rotation: Quaternion, position: list[float]) -> Array:
    """The pose with this rotation and position."""
    w, x, y, z = rotation
    return as_array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), position[0]],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), position[1]],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), position[2]],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )
