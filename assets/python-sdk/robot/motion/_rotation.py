"""Rotations between two poses of the head, on the shortest way."""

from __future__ import annotations

import math
from collections.abc import Sequence

Quaternion = tuple[float, float, float, float]
"""A unit quaternion (w, x, y, z)."""

_PLACE = (3, 7, 11)
_STRAIGHT_RAD = 1e-4
"""Below this angle, a share of the arc and a share of its chord are the same."""


def mixed(start: float, end: float, share: float) -> float:
    """The number at a share of the way between two others."""
    return start + (end - start) * share


def pose_between(start: Sequence[float], end: Sequence[float], share: float) -> list[float]:
    """The pose at a share of the way between two others, each 16 numbers row by row.

    The place moves straight, the rotation on the shortest way.
    """
    rotation = _rotation_between(_quaternion_of(start), _quaternion_of(end), share)
    return _pose_of(rotation, [mixed(start[at], end[at], share) for at in _PLACE])


def orthonormalised(pose: Sequence[float]) -> list[float] | None:
    """The pose with an exact rotation; None if its 3x3 is not close to a rotation.

    Recorded matrices are rounded, and some were averaged.
    """
    rows = [pose[0:3], pose[4:7], pose[8:11]]
    lengths = [math.hypot(*row) for row in rows]
    if not all(0.5 < length < 2 for length in lengths):
        return None
    x = [value / lengths[0] for value in rows[0]]
    along = sum(a * b for a, b in zip(x, rows[1]))
    y = [b - along * a for a, b in zip(x, rows[1])]
    length = math.hypot(*y)
    if length < 0.5:
        return None
    y = [value / length for value in y]
    z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    if sum(a * b for a, b in zip(z, rows[2])) < 0.5:  # a mirrored or sheared matrix
        return None
    return [*x, pose[3], *y, pose[7], *z, pose[11], 0.0, 0.0, 0.0, 1.0]


def _quaternion_of(pose: Sequence[float]) -> Quaternion:
    xx, yy, zz = pose[0], pose[5], pose[10]
    # Four times the squares of w, x, y and z. The largest is divided by: little is lost to
    # rounding.
    squares = (1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz)
    largest = max(squares)
    wx, wy, wz = pose[9] - pose[6], pose[2] - pose[8], pose[4] - pose[1]
    xy, xz, yz = pose[4] + pose[1], pose[2] + pose[8], pose[9] + pose[6]
    rows = (
        (largest, wx, wy, wz),
        (wx, largest, xy, xz),
        (wy, xy, largest, yz),
        (wz, xz, yz, largest),
    )
    scale = 0.5 / math.sqrt(largest)
    w, x, y, z = rows[squares.index(largest)]
    return w * scale, x * scale, y * scale, z * scale


def _rotation_between(start: Quaternion, end: Quaternion, share: float) -> Quaternion:
    along = sum(a * b for a, b in zip(start, end))
    sign = -1.0 if along < 0 else 1.0  # both signs are the same rotation; one is nearer
    angle = math.acos(min(1.0, abs(along)))
    if angle < _STRAIGHT_RAD:
        first, second = 1 - share, share
    else:
        first = math.sin((1 - share) * angle) / math.sin(angle)
        second = math.sin(share * angle) / math.sin(angle)
    w, x, y, z = (first * a + sign * second * b for a, b in zip(start, end))
    length = math.hypot(w, x, y, z)
    return w / length, x / length, y / length, z / length


def _pose_of(rotation: Quaternion, place: Sequence[float]) -> list[float]:
    w, x, y, z = rotation
    return [
        *(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), place[0]),
        *(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), place[1]),
        *(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), place[2]),
        *(0.0, 0.0, 0.0, 1.0),
    ]
