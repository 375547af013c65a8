"""The first layer: the robot breathes, whatever else it does."""

from __future__ import annotations

import math

from app_template.moving.pose import Pose

_BREATHS_PER_S = 0.22
_RISE_MM = 2.5
_ANTENNA_DEG = 4.0


def breathing(time_s: float) -> Pose:
    """The offset at a time. Starts and stays near neutral."""
    breath = math.sin(math.tau * _BREATHS_PER_S * time_s)
    return Pose(
        z_mm=_RISE_MM * breath,
        right_antenna_deg=-_ANTENNA_DEG * breath,
        left_antenna_deg=_ANTENNA_DEG * breath,
    )
