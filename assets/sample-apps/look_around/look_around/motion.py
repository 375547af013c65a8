"""Looking from side to side, as poses over time. No robot, no clock: step it with any numbers."""

from __future__ import annotations

import math
from typing import NamedTuple

_EASE_S = 0.3
"""The time constant of each of the two easing steps."""
_LONGEST_STEP_S = 0.1
_LINGER_RAD = 0.3
_PITCH_SHARE = 0.15
_ANTENNA_REST_RAD = 0.35
_ANTENNA_SWING_RAD_PER_DEG = 0.008
_ANTENNA_LAG_RAD = 0.6


class Pose(NamedTuple):
    """One moment. Degrees, antennas in radians."""

    yaw_deg: float = 0.0
    """To the left; the body stays where it is."""
    pitch_deg: float = 0.0
    """Downwards."""
    antennas: tuple[float, float] = (-_ANTENNA_REST_RAD, _ANTENNA_REST_RAD)
    """`[right, left]`"""


class Motion:
    """Starts at rest, at `Pose()`. The settings may change at any step: nothing jumps.

    It stores its phase instead of computing it from the time, because after a change of speed the
    same time would give another phase.
    """

    def __init__(self) -> None:
        self._phase_rad = 0.0
        self._rounds_per_minute = _Eased()
        self._amplitude_deg = _Eased()

    def step(self, elapsed_s: float, rounds_per_minute: float, amplitude_deg: float) -> Pose:
        """The pose `elapsed_s` after the previous one, on the way to the current settings.

        After a pause of the computer it goes on from the previous pose: longer steps are shortened.
        """
        elapsed_s = min(max(elapsed_s, 0.0), _LONGEST_STEP_S)
        rounds = self._rounds_per_minute.step(elapsed_s, rounds_per_minute) * elapsed_s / 60
        self._phase_rad = (self._phase_rad + 2 * math.pi * rounds) % (2 * math.pi)
        return _pose_at(self._phase_rad, self._amplitude_deg.step(elapsed_s, amplitude_deg))


def _pose_at(phase_rad: float, amplitude_deg: float) -> Pose:
    """Moves from the middle to the left, the right and back; lower in the middle than at the sides."""
    # The head slows down early and lingers at each side, as if there were something to see.
    to_the_left = math.sin(phase_rad + _LINGER_RAD * math.sin(2 * phase_rad))
    lag = math.sin(phase_rad - _ANTENNA_LAG_RAD)
    antenna = _ANTENNA_SWING_RAD_PER_DEG * amplitude_deg * lag
    return Pose(
        yaw_deg=amplitude_deg * to_the_left,
        pitch_deg=_PITCH_SHARE * amplitude_deg * math.cos(2 * phase_rad),
        antennas=(antenna - _ANTENNA_REST_RAD, antenna + _ANTENNA_REST_RAD),
    )


class _Eased:
    """A number that follows a target smoothly, from 0."""

    def __init__(self) -> None:
        self._leader = 0.0
        self._value = 0.0

    def step(self, elapsed_s: float, target: float) -> float:
        # Applied twice, so that the speed does not jump either. Neither value overshoots.
        share = 1 - math.exp(-elapsed_s / _EASE_S)
        self._leader += share * (target - self._leader)
        self._value += share * (self._leader - self._value)
        return self._value
