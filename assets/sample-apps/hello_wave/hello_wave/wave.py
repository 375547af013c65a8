"""The wave, as angles over time. No robot, no clock: try it with any numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

WAVES_PER_S = 0.8
FADE_IN_S = 1.0
_CENTRE_RAD = 0.5
_SWING_RAD = 0.45


def antennas_at(time_s: float, start: Sequence[float]) -> list[float]:
    """The antennas' angles, `[right, left]` in radians, `time_s` seconds after leaving `start`."""
    angle = _CENTRE_RAD + _SWING_RAD * math.sin(2 * math.pi * WAVES_PER_S * time_s)
    share = _ease(time_s / FADE_IN_S)
    # Mirrored: the left antenna turns the other way.
    return [(1 - share) * at + share * to for at, to in zip(start, (-angle, angle))]


def _ease(progress: float) -> float:
    """Rises from 0 to 1 with zero speed at both ends."""
    p = min(max(progress, 0.0), 1.0)
    return p * p * (3 - 2 * p)
