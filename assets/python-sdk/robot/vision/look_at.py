"""From a pixel of the camera's image to the head pose that looks at it. Pure functions.

Poses are 4x4 matrices in the frame of the neutral head, in metres: x forward, y left, z up. The
camera's frame has x to the right of the image, y down and z along the optical axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from robot._arrays import Array, as_array, flatten
from robot._targets import head_towards

CAMERA_IN_HEAD = (
    (0.0, 0.0, 1.0, 0.0437),
    (-1.0, 0.0, 0.0, 0.0),
    (0.0, -1.0, 0.0, 0.0512),
    (0.0, 0.0, 0.0, 1.0),
)
"""The pose of the camera in the frame of the head: it looks along x, from above the origin."""

ASSUMED_DISTANCE_M = 3.0
"""The distance from the camera at which a look is exact: one pixel does not tell how far a thing is.

It limits the error for things farther away, at infinity too, and is still close for faces nearby.
"""

_UNDISTORT_STEPS = 30
_Vector = tuple[float, float, float]


def default_head_to_camera_transform() -> Array:
    """The pose of the robot's camera in the frame of its head, 4x4, in metres."""
    return as_array(CAMERA_IN_HEAD)


def look_at_world_pose(x: float, y: float, z: float) -> Array:
    """The pose of a head at its neutral position whose x axis points at a point, without roll.

    Args:
        x, y, z: the point in metres.

    Returns:
        A 4x4 matrix.

    Raises:
        ValueError: if the point is the head's own position, or not finite.
    """
    return head_towards(x, y, z)


def check_pixel(u: float, v: float, resolution: tuple[int, int]) -> None:
    """Checks that a pixel is in an image.

    Raises:
        ValueError: if it is outside of the `resolution`, width and height.
    """
    for name, value, size in zip("uv", (u, v), resolution):
        if not 0 <= value <= size:  # false for nan too
            raise ValueError(f"{name} must be a pixel of the image, from 0 to {size}, not {value}.")


def look_at_image_pose(
    u: float,
    v: float,
    K: object,
    D: object = None,
    T_world_head: object = None,
    T_head_cam: object = None,
) -> Array:
    """The pose of a head at its neutral position that brings a pixel to the image's centre.

    It is exact for a point 3 m from the camera, see `ASSUMED_DISTANCE_M`. The centre is where the
    optical axis meets the image, `K[0][2], K[1][2]`.

    Args:
        u, v: the pixel: to the right and down from the image's upper left corner.
        K: the camera's 3x3 matrix of focal lengths and optical centre, in pixels.
        D: the distortion, 4, 5 or 8 numbers `k1, k2, p1, p2, k3, k4, k5, k6`. None: no distortion.
        T_world_head: the pose of the head while it saw the image. None: the neutral one.
        T_head_cam: the pose of the camera in the head. None: that of the robot.

    Returns:
        A 4x4 matrix without roll and translation, in the frame of the neutral head.

    Raises:
        ValueError: if a matrix has another shape or is not finite, or the head cannot look there.
    """
    camera = _matrix(T_head_cam, "T_head_cam", 4) if T_head_cam is not None else CAMERA_IN_HEAD
    origin, direction = pixel_ray(u, v, K, D, T_world_head, T_head_cam)
    point = _along(origin, direction, ASSUMED_DISTANCE_M)
    offset = (camera[0][3], camera[1][3], camera[2][3])
    axis = (camera[0][2], camera[1][2], camera[2][2])
    return _aim(offset, axis, point)


def pixel_ray(
    u: float,
    v: float,
    K: object,
    D: object = None,
    T_world_head: object = None,
    T_head_cam: object = None,
) -> tuple[_Vector, _Vector]:
    """The ray that a pixel shows, in the frame of the neutral head.

    Args:
        u, v, K, D, T_world_head, T_head_cam: see `look_at_image_pose`.

    Returns:
        The camera's position in metres, and the ray's direction, a unit vector.

    Raises:
        ValueError: if a matrix has another shape or is not finite.
    """
    head = _matrix(T_world_head, "T_world_head", 4) if T_world_head is not None else _IDENTITY
    camera = _matrix(T_head_cam, "T_head_cam", 4) if T_head_cam is not None else CAMERA_IN_HEAD
    k = _matrix(K, "K", 3)
    u, v = float(u), float(v)  # numpy's own are less precise
    if not (math.isfinite(u) and math.isfinite(v)) or k[0][0] == 0 or k[1][1] == 0:
        raise ValueError(f"({u}, {v}) is not a pixel of a camera with K {K!r}.")
    y = (v - k[1][2]) / k[1][1]
    x = (u - k[0][2] - k[0][1] * y) / k[0][0]
    x, y = _undistorted(x, y, _distortion(D))
    direction = _rotated(head, _rotated(camera, (x, y, 1.0)))
    offset = _rotated(head, (camera[0][3], camera[1][3], camera[2][3]))
    length = math.hypot(*direction)
    return (
        (offset[0] + head[0][3], offset[1] + head[1][3], offset[2] + head[2][3]),
        (direction[0] / length, direction[1] / length, direction[2] / length),
    )


def _aim(offset: _Vector, axis: _Vector, point: _Vector) -> Array:
    """The rotation without roll that takes a point of `offset` + s `axis`, s > 0, to `point`."""
    # |offset + s axis| = |point|, since a rotation keeps lengths.
    along = sum(map(_product, offset, axis))
    root = along**2 - sum(map(_product, offset, offset)) + sum(map(_product, point, point))
    if root < 0 or math.sqrt(root) <= along:
        raise ValueError("The head cannot look there: the point is inside it.")
    x, y, z = _along(offset, axis, math.sqrt(root) - along)
    # First the pitch that brings it to the point's height, then the yaw.
    in_plane = math.hypot(x, z)
    if abs(point[2]) > in_plane:
        raise ValueError("The head cannot look there: the point is above or below it.")
    pitch = math.atan2(z, x) - math.asin(point[2] / in_plane)
    forward = x * math.cos(pitch) + z * math.sin(pitch)
    yaw = math.atan2(point[1], point[0]) - math.atan2(y, forward)
    (sp, cp), (sy, cy) = ((math.sin(a), math.cos(a)) for a in (pitch, yaw))
    return as_array(
        [
            [cy * cp, -sy, cy * sp, 0.0],
            [sy * cp, cy, sy * sp, 0.0],
            [-sp, 0.0, cp, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def _undistorted(x: float, y: float, d: Sequence[float]) -> tuple[float, float]:
    """Inverts the lens's distortion of a point on the plane at distance 1, by iteration."""
    if not any(d):
        return x, y
    k1, k2, p1, p2, k3, k4, k5, k6 = d
    seen_x, seen_y = x, y
    for _ in range(_UNDISTORT_STEPS):
        r2 = x * x + y * y
        radial = (1 + r2 * (k1 + r2 * (k2 + r2 * k3))) / (1 + r2 * (k4 + r2 * (k5 + r2 * k6)))
        shift_x = 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        shift_y = p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        x, y = (seen_x - shift_x) / radial, (seen_y - shift_y) / radial
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError("The distortion D has no inverse at this pixel.")
    return x, y


def _distortion(value: object) -> list[float]:
    numbers: list[float] = []
    if value is not None:
        try:
            flatten(value, numbers)
        except (TypeError, ValueError):
            raise ValueError("D must be numbers.") from None
    if len(numbers) not in (0, 4, 5, 8) or not all(map(math.isfinite, numbers)):
        raise ValueError(f"D must be 4, 5 or 8 finite numbers; these are {len(numbers)}.")
    return numbers + [0.0] * (8 - len(numbers))


def _matrix(value: object, name: str, size: int) -> Sequence[Sequence[float]]:
    numbers: list[float] = []
    try:
        shape = flatten(value, numbers)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a {size}x{size} matrix of numbers.") from None
    if shape != (size, size) or not all(map(math.isfinite, numbers)):
        raise ValueError(f"{name} must be a {size}x{size} matrix of finite numbers.")
    return [numbers[at : at + size] for at in range(0, size * size, size)]


def _rotated(matrix: Sequence[Sequence[float]], vector: _Vector) -> _Vector:
    x, y, z = (sum(map(_product, row, vector)) for row in matrix[:3])
    return (x, y, z)


def _along(origin: _Vector, direction: _Vector, distance: float) -> _Vector:
    x, y, z = (start + distance * step for start, step in zip(origin, direction))
    return (x, y, z)


def _product(a: float, b: float) -> float:
    return a * b


_IDENTITY = (
    (1.0, 0.0, 0.0, 0.0),
    (0.0, 1.0, 0.0, 0.0),
    (0.0, 0.0, 1.0, 0.0),
    (0.0, 0.0, 0.0, 1.0),
)
