"""Waiting, thinking and answering, as poses over time. No robot, no clock: step it with any numbers."""

from __future__ import annotations

import math
from typing import NamedTuple

_EASE_S = 0.15
"""The time constant of each of the two easing steps."""
_LONGEST_STEP_S = 0.1
_NODS_PER_S = 0.9
_LOOKS_PER_S = 0.23
_ANTENNA_REST_RAD = 0.35


class Mood(NamedTuple):
    """The pose that the robot goes to, and how it moves there."""

    yaw_deg: float = 0.0
    """To the left; the body stays where it is."""
    pitch_deg: float = 0.0
    """Downwards."""
    nod_deg: float = 0.0
    look_deg: float = 0.0
    antenna_rad: float = _ANTENNA_REST_RAD


WAITING = Mood(look_deg=2)
THINKING = Mood(yaw_deg=14, pitch_deg=-8, antenna_rad=0.1)
ANSWERING = Mood(pitch_deg=4, nod_deg=8, look_deg=12, antenna_rad=0.6)


class Pose(NamedTuple):
    """One moment. Degrees, antennas in radians."""

    yaw_deg: float = 0.0
    pitch_deg: float = 0.0
    antennas: tuple[float, float] = (-_ANTENNA_REST_RAD, _ANTENNA_REST_RAD)
    """`[right, left]`"""


class Motion:
    """Starts at rest, at `Pose()`. The mood may change at any step: nothing jumps."""

    def __init__(self) -> None:
        self._elapsed_s = 0.0
        self._values = [_Eased(value) for value in Mood()]

    def step(self, elapsed_s: float, mood: Mood) -> Pose:
        """The pose `elapsed_s` after the previous one, on the way to the mood.

        After a pause of the computer it goes on from the previous pose: longer steps are shortened.
        """
        elapsed_s = min(max(elapsed_s, 0.0), _LONGEST_STEP_S)
        self._elapsed_s += elapsed_s
        eased = (value.step(elapsed_s, target) for value, target in zip(self._values, mood))
        yaw, pitch, nod, look, antenna = eased
        nodding = math.sin(2 * math.pi * _NODS_PER_S * self._elapsed_s)
        looking = math.sin(2 * math.pi * _LOOKS_PER_S * self._elapsed_s)
        swing = 0.015 * nod * nodding
        return Pose(
            yaw_deg=yaw + look * looking,
            pitch_deg=pitch + nod * nodding,
            antennas=(swing - antenna, swing + antenna),
        )


class _Eased:
    """A number that follows a target smoothly."""

    def __init__(self, value: float) -> None:
        self._leader = self._value = value

    def step(self, elapsed_s: float, target: float) -> float:
        # Applied twice, so that the speed does not jump either. Neither value overshoots.
        share = 1 - math.exp(-elapsed_s / _EASE_S)
        self._leader += share * (target - self._leader)
        self._value += share * (self._leader - self._value)
        return self._value
