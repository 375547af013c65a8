"""From a pixel to the head pose that looks at it: pure geometry."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from robot import create_head_pose
from robot.vision.look_at import (
    ASSUMED_DISTANCE_M,
    CAMERA_IN_HEAD,
    check_pixel,
    default_head_to_camera_transform,
    look_at_image_pose,
    look_at_world_pose,
    pixel_ray,
)

numpy: Any = pytest.importorskip("numpy", reason="the expected poses are computed with numpy")

K = [[500.0, 0.0, 320.0], [0.0, 500.0, 240.0], [0.0, 0.0, 1.0]]
PIXELS = [*product((0, 100, 320, 500, 640), (0, 240, 300, 480))]
HEADS = {
    "neutral": create_head_pose(),
    "raised": create_head_pose(z=20, mm=True),
    "turned": create_head_pose(yaw=40, pitch=-20, roll=10),
    "parked": create_head_pose(x=-21, z=-44, pitch=24, mm=True),
}


def miss_deg(u: float, v: float, head: object, distance_m: float) -> float:
    """The angle from the image's centre to the point, after a look at its pixel."""
    origin, direction = pixel_ray(u, v, K, None, head)
    pose = look_at_image_pose(u, v, K, None, head)
    return off_centre_deg(pose, numpy.array(origin) + distance_m * numpy.array(direction))


def off_centre_deg(head: Any, point: Any) -> float:
    camera = numpy.linalg.inv(numpy.array(head) @ numpy.array(CAMERA_IN_HEAD)) @ [*point, 1]
    return math.degrees(math.acos(camera[2] / numpy.linalg.norm(camera[:3])))


def pixel_of(head: Any, point: Any) -> tuple[float, float]:
    camera = numpy.linalg.inv(numpy.array(head) @ numpy.array(CAMERA_IN_HEAD)) @ [*point, 1]
    return 500 * camera[0] / camera[2] + 320, 500 * camera[1] / camera[2] + 240


def test_a_pixel_shows_a_ray_from_the_camera() -> None:
    origin, direction = pixel_ray(320, 240, K)
    assert origin == pytest.approx((0.0437, 0.0, 0.0512))
    assert direction == pytest.approx((1, 0, 0))
    assert pixel_ray(820, 240, K)[1] == pytest.approx((0.5**0.5, -(0.5**0.5), 0))
    assert pixel_ray(320, 740, K)[1] == pytest.approx((0.5**0.5, 0, -(0.5**0.5)))
    origin, direction = pixel_ray(320, 240, K, None, create_head_pose(yaw=90, z=1))
    assert origin == pytest.approx((0.0, 0.0437, 1.0512))
    assert direction == pytest.approx((0, 1, 0))


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_look_is_exact_at_the_assumed_distance(head: object) -> None:
    misses = [miss_deg(u, v, head, ASSUMED_DISTANCE_M) for u, v in PIXELS]
    assert max(misses) < 1e-4


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_look_at_5_m_misses_by_less_than_a_degree(head: object) -> None:
    assert max(miss_deg(u, v, head, 5) for u, v in PIXELS) < 0.6


@pytest.mark.parametrize(
    ("distance_m", "most_deg"), [(0.5, 2.8), (1, 1.1), (2, 0.3), (5, 0.3), (1000, 0.6)]
)
def test_a_look_from_the_neutral_position_misses_by_as_much_as_is_documented(
    distance_m: float, most_deg: float
) -> None:
    misses = [miss_deg(u, v, HEADS["neutral"], distance_m) for u, v in PIXELS]
    assert most_deg / 2 < max(misses) < most_deg


@pytest.mark.parametrize("distance_m", [0.5, 1, 2])
def test_a_second_look_misses_by_about_a_tenth(distance_m: float) -> None:
    for u, v in PIXELS:
        origin, direction = pixel_ray(u, v, K)
        point = numpy.array(origin) + distance_m * numpy.array(direction)
        first = look_at_image_pose(u, v, K)
        second = look_at_image_pose(*pixel_of(first, point), K, None, first)
        assert off_centre_deg(second, point) <= 0.12 * off_centre_deg(first, point) + 1e-5


def test_a_look_neither_rolls_nor_shifts_the_head() -> None:
    for head, (u, v) in product(HEADS.values(), PIXELS):
        pose = numpy.array(look_at_image_pose(u, v, K, None, head))
        assert pose[2, 1] == 0
        assert pose[:3, 3].tolist() == [0, 0, 0]
        assert numpy.allclose(pose[:3, :3] @ pose[:3, :3].T, numpy.eye(3))


def test_a_look_at_the_centre_leaves_the_neutral_head() -> None:
    assert numpy.allclose(look_at_image_pose(320, 240, K), numpy.eye(4))


def test_the_lens_is_taken_into_account() -> None:
    why = "OpenCV cannot be imported: the lens was NOT compared"
    cv2: Any = pytest.importorskip("cv2", reason=why, exc_type=ImportError)
    lens = [[820.0, 0.0, 960.0], [0.0, 815.0, 540.0], [0.0, 0.0, 1.0]]
    for d in (
        [-0.0294, 0.06, 0.0001, -0.0003, -0.0379],
        [-0.07, 0.15, -0.0004, 0.0003],
        [-1.46, 0.65, 0.012, -0.0027, 0.3, -1.43, 0.57, 0.35],
    ):
        for u, v in ((960, 540), (400, 300), (1500, 900)):
            x, y = cv2.undistortPoints(
                numpy.array([[[u, v]]], float), numpy.array(lens), numpy.array(d)
            )[0][0]
            ideal = numpy.array([1, -x, -y]) / (1 + x * x + y * y) ** 0.5
            assert pixel_ray(u, v, lens, d)[1] == pytest.approx(ideal, abs=1e-4)


def test_pixels_of_numpy_are_taken_as_numbers() -> None:
    pose = look_at_image_pose(400.25, 100, K)
    assert (look_at_image_pose(numpy.float32(400.25), numpy.int64(100), K) == pose).all()


def test_another_mount_of_the_camera_is_used() -> None:
    upward = numpy.array(create_head_pose(pitch=-30, y=0.02)) @ numpy.array(CAMERA_IN_HEAD)
    head = create_head_pose(yaw=15, pitch=5)
    origin, direction = pixel_ray(100, 100, K, None, head, upward)
    point = numpy.array(origin) + 3 * numpy.array(direction)
    pose = numpy.array(look_at_image_pose(100, 100, K, None, head, upward))
    camera = numpy.linalg.inv(pose @ upward) @ [*point, 1]
    assert camera[:2] == pytest.approx([0, 0], abs=1e-9)
    assert camera[2] > 2.9


def test_poses_of_points_and_the_mount_have_names() -> None:
    assert numpy.allclose(look_at_world_pose(1, 1, 0), create_head_pose(yaw=45))
    assert numpy.allclose(default_head_to_camera_transform(), CAMERA_IN_HEAD)


@pytest.mark.parametrize("pixel", [(-1, 0), (641, 0), (0, -0.1), (0, 481), (math.nan, 0)])
def test_a_pixel_outside_of_the_image_is_refused(pixel: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="must be a pixel of the image, from 0 to (640|480)"):
        check_pixel(*pixel, (640, 480))


@pytest.mark.parametrize(
    "arguments",
    [
        (math.inf, 0, K),
        (0, 0, [[0.0] * 3] * 3),
        (0, 0, "K"),
        (0, 0, [1, 2, 3]),
        (0, 0, K, [0.1]),
        (0, 0, K, "D"),
        (0, 0, K, None, numpy.eye(3)),
        (0, 0, K, None, None, numpy.full((4, 4), math.nan)),
    ],
)
def test_wrong_matrices_are_refused(arguments: Sequence[Any]) -> None:
    with pytest.raises(ValueError, match="matrix|pixel|D must be"):
        look_at_image_pose(*arguments)
