"""Poses and other numbers as arguments and results."""

from __future__ import annotations

import math
from array import array
from importlib.util import find_spec

import pytest

from robot._targets import check_duration, check_method, check_target
from robot.utils import create_head_pose

IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
NESTED = [IDENTITY[row : row + 4] for row in range(0, 16, 4)]
needs_numpy = pytest.mark.skipif(
    find_spec("numpy") is None, reason="numpy is not installed: arrays are not tested"
)


def flat(pose: object) -> list[float]:
    checked = check_target(pose, None, None).head
    assert checked is not None
    return list(checked)


def test_no_arguments_make_the_neutral_pose() -> None:
    assert flat(create_head_pose()) == IDENTITY


@pytest.mark.parametrize(
    ("roll", "pitch", "yaw", "forward"),
    [(0, 0, 90, (0, 1, 0)), (0, 90, 0, (0, 0, -1)), (90, 0, 0, (1, 0, 0))],
)
def test_a_quarter_turn_moves_the_nose(
    roll: float, pitch: float, yaw: float, forward: tuple[int, ...]
) -> None:
    pose = flat(create_head_pose(roll=roll, pitch=pitch, yaw=yaw))
    assert (pose[0], pose[4], pose[8]) == pytest.approx(forward, abs=1e-15)


def test_angles_turn_about_fixed_axes_roll_first() -> None:
    roll, pitch, yaw = 0.1, -0.2, 0.3
    pose = flat(create_head_pose(1, 2, 3, roll, pitch, yaw, degrees=False))
    # R = Rz Ry Rx, read back.
    assert math.atan2(pose[4], pose[0]) == pytest.approx(yaw)
    assert -math.asin(pose[8]) == pytest.approx(pitch)
    assert math.atan2(pose[9], pose[10]) == pytest.approx(roll)
    assert (pose[3], pose[7], pose[11]) == (1, 2, 3)
    assert pose[1] == pytest.approx(
        math.cos(yaw) * math.sin(pitch) * math.sin(roll) - math.sin(yaw) * math.cos(roll)
    )


def test_lengths_may_be_millimetres_and_angles_are_degrees() -> None:
    pose = flat(create_head_pose(10, -5, 2.5, 0, 30, 0, mm=True))
    assert (pose[3], pose[7], pose[11]) == pytest.approx((0.010, -0.005, 0.0025))
    assert pose[8] == pytest.approx(-0.5)


class WithToList:
    def tolist(self) -> list[list[int]]:
        return NESTED


@pytest.mark.parametrize("head", [NESTED, IDENTITY, tuple(map(tuple, NESTED)), WithToList()])
def test_a_head_may_be_nested_flat_or_anything_with_tolist(head: object) -> None:
    assert check_target(head, None, None).head == IDENTITY


def test_antennas_and_body_may_be_any_numbers() -> None:
    target = check_target(None, array("f", [0.5, -0.5]), 1)
    assert target == (None, [0.5, -0.5], 1.0)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ((None, None, None), "give at least one"),
        ((NESTED[:3], None, None), "head must be a 4x4 matrix; this has shape 3x4"),
        (([*NESTED[:3], [1]], None, None), "head must be a 4x4 matrix; this is not an array"),
        (("4x4", None, None), "head must be a 4x4 matrix; this is not an array"),
        (([*IDENTITY[:15], math.nan], None, None), "not finite"),
        ((None, [1, 2, 3], None), "antennas must be two angles.*this has shape 3"),
        ((None, 1, None), "antennas must be two angles.*this has one number"),
        ((None, [None, 1], None), "antennas.*not an array of numbers"),
        ((None, [math.inf, 1], None), "antennas.*not finite"),
        ((None, None, [1, 2]), "body_yaw must be one angle"),
        ((None, None, "left"), "body_yaw must be one angle"),
    ],
)
def test_an_invalid_target_is_named(parts: tuple[object, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        check_target(*parts)


@pytest.mark.parametrize("duration_s", [0, -1, math.nan, math.inf, 601])
def test_a_duration_is_above_zero_and_at_most_ten_minutes(duration_s: float) -> None:
    with pytest.raises(ValueError, match="at most 600 s"):
        check_duration(duration_s)


def test_a_method_is_one_of_four() -> None:
    with pytest.raises(ValueError, match="linear, minjerk, ease_in_out, cartoon, not 'magic'"):
        check_method("magic")


@needs_numpy
def test_with_numpy_poses_are_arrays_and_arrays_are_poses() -> None:
    import numpy

    pose = create_head_pose(z=5, yaw=20, mm=True)
    assert isinstance(pose, numpy.ndarray)
    assert (pose.shape, pose.dtype) == ((4, 4), numpy.float64)
    target = check_target(pose, numpy.deg2rad(numpy.array([10, -10], "f4")), numpy.float32(0.5))
    assert target.head == pose.flatten().tolist()
    assert target.body_yaw == 0.5
