"""The robot's default and parked posture."""

from __future__ import annotations

import pytest

import robot.robot
from robot import create_head_pose
from robot._arrays import flatten
from robot.robot import (
    INIT_ANTENNAS_JOINT_POSITIONS,
    INIT_HEAD_POSE,
    SLEEP_ANTENNAS_JOINT_POSITIONS,
    SLEEP_HEAD_JOINT_POSITIONS,
    SLEEP_HEAD_POSE,
)


def flat(pose: object) -> list[float]:
    numbers: list[float] = []
    assert flatten(pose, numbers) == (4, 4)
    return numbers


def test_the_postures_are_those_of_the_daemon() -> None:
    assert flat(INIT_HEAD_POSE) == flat(create_head_pose())
    assert INIT_ANTENNAS_JOINT_POSITIONS == [-0.1745, 0.1745]
    assert SLEEP_ANTENNAS_JOINT_POSITIONS == [-3.05, 3.05]
    assert flat(SLEEP_HEAD_POSE)[:4] == [0.911, 0.004, 0.413, -0.021]
    assert flat(SLEEP_HEAD_POSE)[11] == -0.044
    assert len(SLEEP_HEAD_JOINT_POSITIONS) == 7


def test_poses_are_arrays_where_numpy_is_and_can_be_changed() -> None:
    numpy = pytest.importorskip("numpy")
    assert isinstance(robot.robot.INIT_HEAD_POSE, numpy.ndarray)
    pose = robot.robot.INIT_HEAD_POSE
    pose[2, 3] = 0.1
    angles = robot.robot.INIT_ANTENNAS_JOINT_POSITIONS
    angles[0] = 9.0
    assert robot.robot.INIT_HEAD_POSE[2, 3] == 0
    assert robot.robot.INIT_ANTENNAS_JOINT_POSITIONS[0] == -0.1745
    assert numpy.array(SLEEP_HEAD_POSE).shape == (4, 4)


@pytest.mark.parametrize("name", ["INIT_BODY", "SLEEP_", "Robbot"])
def test_other_names_do_not_exist(name: str) -> None:
    assert not hasattr(robot.robot, name)
    with pytest.raises(AttributeError, match=f"'robot.robot' has no attribute '{name}'"):
        getattr(robot.robot, name)
