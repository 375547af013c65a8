"""The second layer: where the robot looks."""

from __future__ import annotations

from app_template.moving.easing import Eased
from app_template.moving.pose import Pose

AT_PERSON = Pose()
LISTENING = Pose(x_mm=4, roll_deg=7, pitch_deg=-3, right_antenna_deg=12, left_antenna_deg=-12)
"""Leans towards the person, with the head tilted."""
THINKING = Pose(roll_deg=-4, pitch_deg=-10, yaw_deg=16, right_antenna_deg=-20, left_antenna_deg=5)
"""Looks up and aside."""

DIRECTIONS = {
    "ahead": Pose(),
    "left": Pose(yaw_deg=35, body_deg=12),
    "right": Pose(yaw_deg=-35, body_deg=-12),
    "up": Pose(pitch_deg=-16),
    "down": Pose(pitch_deg=16),
}

_TIME_CONSTANT_S = 0.15
_GLANCE_S = 3.0


class Gaze:
    """Turns towards what has the robot's attention. Any thread may ask for a glance."""

    def __init__(self) -> None:
        self._eased = [Eased(_TIME_CONSTANT_S) for _ in Pose()]
        self._last_s: float | None = None
        self._asked: Pose | None = None
        self._glance: tuple[Pose, float] | None = None

    def glance(self, direction: Pose) -> None:
        """Looks there for some seconds."""
        self._asked = direction

    def pose_at(self, time_s: float, attention: Pose) -> Pose:
        """The offset at a time, on the way to a glance or else to `attention`."""
        asked, self._asked = self._asked, None
        if asked is not None:
            self._glance = (asked, time_s + _GLANCE_S)
        if self._glance is not None and time_s < self._glance[1]:
            attention = self._glance[0]
        elapsed_s = 0.0 if self._last_s is None else time_s - self._last_s
        self._last_s = time_s
        return Pose(*(each.step(elapsed_s, goal) for each, goal in zip(self._eased, attention)))
