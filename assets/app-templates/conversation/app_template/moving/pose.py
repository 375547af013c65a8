"""A pose of the whole robot as plain numbers, and the poses that it can reach."""

from __future__ import annotations

import math
from typing import NamedTuple

from robot import Robot, create_head_pose


class Pose(NamedTuple):
    """A pose, or an offset from one. All zero is the neutral pose."""

    x_mm: float = 0.0
    """Forward."""
    y_mm: float = 0.0
    """To the left."""
    z_mm: float = 0.0
    """Up."""
    roll_deg: float = 0.0
    """To the robot's right shoulder."""
    pitch_deg: float = 0.0
    """Downwards."""
    yaw_deg: float = 0.0
    """To the left."""
    body_deg: float = 0.0
    """To the left."""
    right_antenna_deg: float = 0.0
    left_antenna_deg: float = 0.0


REST = Pose(right_antenna_deg=-10.0, left_antenna_deg=10.0)

# The head reaches every pose within this ellipsoid, over a body at any angle.
_PLACE_MM = (14.0, 14.0, 17.0)
_TURN_DEG = (20.0, 24.0, 50.0)
_BODY_DEG = 40.0
_ANTENNA_DEG = 150.0


def added(*poses: Pose) -> Pose:
    """The sum of offsets."""
    return Pose(*map(sum, zip(*poses)))


def scaled(pose: Pose, share: float) -> Pose:
    """A share of an offset."""
    return Pose(*(share * value for value in pose))


def within_reach(pose: Pose) -> Pose:
    """The pose, or the one nearest to it on the way to neutral that the robot can reach."""
    body = _limited(pose.body_deg, _BODY_DEG)
    place = (pose.x_mm, pose.y_mm, pose.z_mm)
    turn = (pose.roll_deg, pose.pitch_deg, pose.yaw_deg - body)  # the neck turns against the body
    shares = (value / most for value, most in zip(place + turn, _PLACE_MM + _TURN_DEG))
    keep = 1 / max(1.0, math.hypot(*shares))
    x, y, z, roll, pitch, neck = (keep * value for value in place + turn)
    antennas = (_limited(angle, _ANTENNA_DEG) for angle in pose[7:])
    return Pose(x, y, z, roll, pitch, neck + body, body, *antennas)


def send(robot: Robot, pose: Pose) -> None:
    """Makes it the robot's target. Returns at once."""
    robot.set_target(
        head=head_of(pose), antennas=antennas_of(pose), body_yaw=math.radians(pose.body_deg)
    )


def head_of(pose: Pose) -> object:
    """The 4x4 matrix of the head."""
    x, y, z, roll, pitch, yaw = pose[:6]
    return create_head_pose(x=x, y=y, z=z, roll=roll, pitch=pitch, yaw=yaw, mm=True)


def antennas_of(pose: Pose) -> list[float]:
    """`[right, left]` in radians."""
    return [math.radians(pose.right_antenna_deg), math.radians(pose.left_antenna_deg)]


def _limited(value: float, most: float) -> float:
    return min(most, max(-most, value))
