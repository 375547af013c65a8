"""The third layer: the head moves with the loudness of what the robot says."""

from __future__ import annotations

import math

from app_template.moving.easing import Eased
from app_template.moving.pose import Pose

_TIME_CONSTANT_S = 0.04
_LOUD = 0.25
"""The loudness that moves the head all the way."""


class Wobble:
    """Sways in step with a voice."""

    def __init__(self) -> None:
        self.volume = 1.0
        """How much it sways: 0 not at all, 1 as usual, 2 twice as much. Any thread may set it."""
        self._strength = Eased(_TIME_CONSTANT_S)
        self._last_s: float | None = None

    def pose_at(self, time_s: float, loudness: float) -> Pose:
        """The offset at a time, for a voice of this loudness (0 to 1)."""
        elapsed_s = 0.0 if self._last_s is None else time_s - self._last_s
        self._last_s = time_s
        strength = self._strength.step(elapsed_s, min(1.0, loudness / _LOUD) * self.volume)
        # Frequencies that share no rhythm, so that it does not look like a machine.
        return Pose(
            z_mm=2.0 * strength,
            roll_deg=2.5 * strength * math.sin(math.tau * 0.9 * time_s),
            pitch_deg=-3.5 * strength + 2.0 * strength * math.sin(math.tau * 2.1 * time_s),
            yaw_deg=3.5 * strength * math.sin(math.tau * 0.6 * time_s),
            right_antenna_deg=-8.0 * strength,
            left_antenna_deg=8.0 * strength,
        )
