"""Poses between and beside others."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from robot import create_head_pose
from robot._arrays import flatten
from robot._wire.messages import METHODS
from robot.utils import create_head_pose as same_create_head_pose
from robot.utils.interpolation import (
    InterpolationTechnique,
    compose_world_offset,
    delta_angle_between_mat_rot,
    distance_between_poses,
    linear_pose_interpolation,
    minimum_jerk,
    time_trajectory,
)

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


@pytest.mark.parametrize(
    ("method", "quarter", "three_quarters"),
    [
        ("linear", 0.25, 0.75),
        ("minjerk", 0.103515625, 0.896484375),
        ("ease_in_out", 0.125, 0.875),
        ("cartoon", -0.09968184375, 1.09968184375),
    ],
)
def test_each_method_has_its_course(method: str, quarter: float, three_quarters: float) -> None:
    for technique in (method, InterpolationTechnique(method)):
        course = [time_trajectory(t, technique) for t in (0, 0.25, 0.5, 0.75, 1)]
        expected = [0, quarter, 0.5, three_quarters, 1]
        assert [round(x, 12) for x in course] == [round(x, 12) for x in expected]
        assert [round(time_trajectory(t=0.25, method=technique), 12)] == [round(quarter, 12)]


def test_the_default_method_is_minimum_jerk() -> None:
    assert time_trajectory(0.3) == time_trajectory(0.3, "minjerk")
    assert isinstance(InterpolationTechnique.MIN_JERK, str)
    assert {technique.value for technique in InterpolationTechnique} == set(METHODS)


def test_a_time_out_of_range_and_an_unknown_method_are_refused() -> None:
    for t in (-0.01, 1.01, math.nan):
        with pytest.raises(ValueError, match="t must be from 0 to 1"):
            time_trajectory(t)
    with pytest.raises(ValueError, match="bounce"):
        time_trajectory(0.5, "bounce")


def test_minimum_jerk_goes_from_rest_to_rest() -> None:
    motion = minimum_jerk([0.0, 10.0], [1.0, -10.0], 2.0)
    for t in (-1.0, 0.0, 0.5, 1.0, 1.9, 2.0, 5.0):
        way = time_trajectory(min(max(t / 2, 0), 1))
        first, second = motion(t)
        assert abs(first - way) < 1e-12
        assert abs(second - (10 - 20 * way)) < 1e-12


def test_minimum_jerk_keeps_the_speeds_at_its_ends() -> None:
    motion = minimum_jerk(
        [1.0],
        [2.0],
        0.5,
        starting_velocity=[3.0],
        starting_acceleration=[-4.0],
        final_velocity=[-2.0],
        final_acceleration=[5.0],
    )
    step = 1e-4

    def speed(t: float) -> float:
        return float((motion(t + step)[0] - motion(t - step)[0]) / (2 * step))

    def acceleration(t: float) -> float:
        return float((motion(t + step)[0] - 2 * motion(t)[0] + motion(t - step)[0]) / step**2)

    assert abs(motion(0)[0] - 1) < 1e-12
    assert abs(motion(0.5)[0] - 2) < 1e-12
    assert abs(speed(2 * step) - 3) < 0.01
    assert abs(acceleration(2 * step) + 4) < 0.2
    assert abs(speed(0.5 - 2 * step) + 2) < 0.01
    assert abs(acceleration(0.5 - 2 * step) - 5) < 0.2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (([0.0], [1.0], 0), "duration must be above 0"),
        (([0.0], [1.0, 2.0], 1.0), "same length"),
        (([0.0], [1.0], 1.0, [1.0, 2.0]), "same length"),
        (([0.0], None, 1.0), "one row of numbers"),
        ((0.0, 1.0, 1.0), "one row of numbers"),
    ],
)
def test_arguments_that_make_no_motion_are_refused(
    arguments: tuple[Any, ...], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        minimum_jerk(*arguments)


@pytest.mark.parametrize("degrees", [0, 1e-6, 0.1, 30, 90, 179.9, 180])
def test_distances_between_poses(degrees: float) -> None:
    far = create_head_pose(x=0.03, y=-0.04, pitch=degrees)
    metres, radians, magic = distance_between_poses(far, create_head_pose())
    assert abs(metres - 0.05) < 1e-12
    assert abs(radians - math.radians(degrees)) < 1e-9
    assert abs(magic - (50 + degrees)) < 1e-6
    rotations = [
        [flat(pose)[row : row + 3] for row in (0, 4, 8)] for pose in (far, create_head_pose())
    ]
    assert abs(delta_angle_between_mat_rot(*rotations) - math.radians(degrees)) < 1e-9
    assert abs(delta_angle_between_mat_rot(P=rotations[1], Q=rotations[0]) - radians) < 1e-12


def test_a_rotation_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="3x3 matrix"):
        delta_angle_between_mat_rot(START, TARGET)
    with pytest.raises(ValueError, match="4x4 matrix"):
        distance_between_poses(START, [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
