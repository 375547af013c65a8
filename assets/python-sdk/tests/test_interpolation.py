"""Poses between and beside others."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from robot import create_head_pose
from robot._arrays import flatten
from robot.utils import create_head_pose as same_create_head_pose
from robot.utils.interpolation import compose_world_offset, linear_pose_interpolation

START = create_head_pose(10, -20, 5, 5, -10, 30, mm=True)
TARGET = create_head_pose(-10, 0, 15, -15, 20, -40, mm=True)


def flat(pose: object) -> list[float]:
    numbers: list[float] = []
    assert flatten(pose, numbers) == (4, 4)
    return numbers


def close(pose: object, other: object) -> bool:
    return max(abs(a - b) for a, b in zip(flat(pose), flat(other))) < 1e-9


def test_the_module_of_poses_is_a_package_and_has_the_same_function() -> None:
    assert same_create_head_pose is create_head_pose


def test_the_ends_of_the_way_are_the_poses() -> None:
    assert close(linear_pose_interpolation(START, TARGET, 0.0), START)
    assert close(linear_pose_interpolation(START, TARGET, 1), TARGET)
    assert close(linear_pose_interpolation(start_pose=START, target_pose=TARGET, t=1.0), TARGET)


@pytest.mark.parametrize("axis", ["roll", "pitch", "yaw"])
@pytest.mark.parametrize("t", [-0.5, 0.0, 0.25, 0.5, 1.0, 1.5])
def test_a_turn_about_an_axis_goes_by_its_angle_and_the_position_along_a_line(
    axis: str, t: float
) -> None:
    def turned(degrees: float, metres: float) -> Any:
        angles: dict[str, Any] = {axis: degrees}
        return create_head_pose(x=metres, y=-metres, z=2 * metres, **angles)

    way = linear_pose_interpolation(turned(-30, 0.01), turned(70, 0.05), t)
    assert close(way, turned(-30 + 100 * t, 0.01 + 0.04 * t))


def test_a_turn_takes_the_smaller_angle() -> None:
    way = linear_pose_interpolation(create_head_pose(yaw=170), create_head_pose(yaw=-170), 0.5)
    assert close(way, create_head_pose(yaw=180))


def test_a_half_turn_and_almost_none_are_exact() -> None:
    half = linear_pose_interpolation(create_head_pose(), create_head_pose(yaw=180), 0.5)
    assert abs(abs(math.degrees(math.atan2(flat(half)[4], flat(half)[0]))) - 90) < 1e-6
    tiny = linear_pose_interpolation(create_head_pose(), create_head_pose(roll=1e-5), 0.5)
    assert max(abs(a - b) for a, b in zip(flat(tiny), flat(create_head_pose(roll=5e-6)))) < 1e-12
    assert close(linear_pose_interpolation(START, START, 0.3), START)


def test_the_way_between_any_poses_is_even() -> None:
    """Two half ways are the whole one, and every pose on it is a rotation."""
    chosen = random.Random(7)

    def any_pose() -> object:
        x, y, z = (chosen.uniform(-0.1, 0.1) for _ in range(3))
        roll, pitch, yaw = (chosen.uniform(-180, 180) for _ in range(3))
        return create_head_pose(x, y, z, roll, pitch, yaw)

    for _ in range(200):
        start, target, t = any_pose(), any_pose(), chosen.uniform(0, 1)
        way = linear_pose_interpolation(start, target, t)
        half = linear_pose_interpolation(start, target, t / 2)
        assert close(linear_pose_interpolation(start, way, 0.5), half)
        rows = [flat(way)[row : row + 3] for row in (0, 4, 8)]
        products = [sum(a * b for a, b in zip(p, q)) for p in rows for q in rows]
        assert max(abs(a - b) for a, b in zip(products, [1, 0, 0, 0, 1, 0, 0, 0, 1])) < 1e-12


def test_lists_are_accepted_too() -> None:
    lists = [flat(START)[row : row + 4] for row in range(0, 16, 4)]
    assert close(linear_pose_interpolation(lists, TARGET, 0), START)
    assert close(compose_world_offset(lists, create_head_pose()), START)


def test_an_offset_moves_and_turns_in_the_world() -> None:
    base = create_head_pose(x=0.01, yaw=90)
    offset = create_head_pose(z=0.02, x=-0.03, roll=10)
    whole = flat(compose_world_offset(base, offset))
    turned = flat(create_head_pose(yaw=90))
    about = flat(create_head_pose(roll=10))
    expected = [
        sum(about[4 * row + k] * turned[4 * k + column] for k in range(3))
        for row in range(3)
        for column in range(3)
    ]
    rotation = [whole[at] for at in (0, 1, 2, 4, 5, 6, 8, 9, 10)]
    assert max(abs(a - b) for a, b in zip(rotation, expected)) < 1e-12
    assert [round(whole[at], 12) for at in (3, 7, 11)] == [-0.02, 0, 0.02]
    assert whole[12:] == [0, 0, 0, 1]


def test_no_offset_changes_nothing() -> None:
    for exact in (False, True):
        assert close(compose_world_offset(START, create_head_pose(), exact), START)
        assert close(compose_world_offset(START, create_head_pose(), reorthonormalize=exact), START)


def test_a_rounded_rotation_is_made_exact() -> None:
    rounded = [[round(number, 2) for number in flat(START)[row : row + 4]] for row in (0, 4, 8)]
    rounded.append([0, 0, 0, 1])
    as_it_is = compose_world_offset(rounded, create_head_pose())
    exact = compose_world_offset(rounded, create_head_pose(), reorthonormalize=True)
    assert close(as_it_is, rounded)
    numbers = flat(exact)
    rows = [numbers[row : row + 3] for row in (0, 4, 8)]
    assert max(abs(sum(a * a for a in row) - 1) for row in rows) < 1e-12
    assert max(abs(a - b) for a, b in zip(numbers, flat(rounded))) < 0.02


@pytest.mark.parametrize(
    "pose",
    [None, 3, "pose", [], [[1, 2], [3, 4]], flat(START), [[math.nan] * 4] * 4, [["1"] * 4] * 4],
)
def test_other_shapes_are_refused(pose: object) -> None:
    with pytest.raises(ValueError, match="4x4 matrix"):
        linear_pose_interpolation(pose, TARGET, 0.5)
    with pytest.raises(ValueError, match="4x4 matrix"):
        linear_pose_interpolation(START, pose, 0.5)
    with pytest.raises(ValueError, match="4x4 matrix"):
        compose_world_offset(START, pose)


def diagonal(*numbers: float) -> list[list[float]]:
    return [[x if row == column else 0 for column in range(4)] for row, x in enumerate(numbers)]


@pytest.mark.parametrize(
    "pose", [diagonal(0, 0, 0, 1), diagonal(-1, -1, -1, 1), diagonal(1, 1, -1, 1)]
)
def test_a_matrix_without_a_rotation_is_refused(pose: object) -> None:
    with pytest.raises(ValueError, match="no rotation"):
        linear_pose_interpolation(START, pose, 0.5)
    with pytest.raises(ValueError, match="no rotation"):
        compose_world_offset(START, pose, reorthonormalize=True)


def test_a_scaled_rotation_counts_as_the_rotation() -> None:
    scaled = compose_world_offset(diagonal(2, 2, 2, 1), create_head_pose(yaw=30))
    assert close(linear_pose_interpolation(START, scaled, 1), create_head_pose(yaw=30))


def test_an_infinite_fraction_is_refused() -> None:
    with pytest.raises(ValueError, match="t must be finite"):
        linear_pose_interpolation(START, TARGET, math.inf)
