"""The robot's default and parked posture, in the units of `Robot`."""

from __future__ import annotations

from robot._arrays import Array, as_array

INIT_HEAD = (
    (1.0, 0.0, 0.0, 0.0),
    (0.0, 1.0, 0.0, 0.0),
    (0.0, 0.0, 1.0, 0.0),
    (0.0, 0.0, 0.0, 1.0),
)
INIT_ANTENNAS = (-0.1745, 0.1745)

SLEEP_HEAD = (
    (0.911, 0.004, 0.413, -0.021),
    (-0.004, 1.0, -0.001, 0.001),
    (-0.413, -0.001, 0.911, -0.044),
    (0.0, 0.0, 0.0, 1.0),
)
SLEEP_ANTENNAS = (-3.05, 3.05)
SLEEP_HEAD_JOINTS = (0.0, -0.170624, 0.836488, -0.123432, 0.087572, -0.812169, 0.178508)
"""The body's yaw and the legs of `SLEEP_HEAD`, as the daemon computes them."""

_POSES = {"INIT_HEAD_POSE": INIT_HEAD, "SLEEP_HEAD_POSE": SLEEP_HEAD}
_ANGLES = {
    "INIT_ANTENNAS_JOINT_POSITIONS": INIT_ANTENNAS,
    "SLEEP_ANTENNAS_JOINT_POSITIONS": SLEEP_ANTENNAS,
    "SLEEP_HEAD_JOINT_POSITIONS": SLEEP_HEAD_JOINTS,
}


def constant(name: str) -> Array | list[float]:
    """A constant of `robot.robot`, as a new array or list.

    Raises:
        AttributeError: if there is none of this name.
    """
    if name in _POSES:
        return as_array(_POSES[name])
    if name in _ANGLES:
        return list(_ANGLES[name])
    raise AttributeError(f"module 'robot.robot' has no attribute {name!r}")
