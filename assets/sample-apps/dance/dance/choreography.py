"""The dance, as poses over beats. No robot, no clock: try it with any numbers."""

from __future__ import annotations

import math
from typing import NamedTuple

BEATS_PER_MINUTE = 104
BEATS_PER_BAR = 4
_FADE_BEATS = 0.75
_ANTENNA_REST_RAD = 0.35


class Pose(NamedTuple):
    """One moment of the dance. Degrees and millimetres, antennas in radians."""

    body_yaw_deg: float = 0.0
    head_yaw_deg: float = 0.0
    """Relative to the room, not to the body."""
    pitch_deg: float = 0.0
    roll_deg: float = 0.0
    z_mm: float = 0.0
    antennas: tuple[float, float] = (-_ANTENNA_REST_RAD, _ANTENNA_REST_RAD)
    """`[right, left]`"""


def pose_at(beat: float) -> Pose:
    """The pose at `beat`, counted from 0 at the start of the dance."""
    bar, beat_in_bar = divmod(beat, BEATS_PER_BAR)
    figure = (_nod, _sway, _twist, _flourish)[int(bar) % 4]
    return figure(beat_in_bar, _fade(beat_in_bar))


def figure_name(bar: int) -> str:
    """The name of the figure in `bar`, counted from 0."""
    return ("nod", "sway", "twist", "flourish")[bar % 4]


def _nod(beat: float, size: float) -> Pose:
    return Pose(
        body_yaw_deg=size * 15 * _swing(beat, every=4),
        head_yaw_deg=size * 8 * _swing(beat, every=4),
        pitch_deg=size * 9 * _swing(beat, every=1),
        antennas=_antennas(size * 0.25 * _swing(beat, every=2), mirrored=True),
    )


def _sway(beat: float, size: float) -> Pose:
    return Pose(
        body_yaw_deg=size * 30 * _swing(beat, every=4),
        head_yaw_deg=size * 20 * _swing(beat, every=4),
        roll_deg=size * 12 * _swing(beat, every=2),
        antennas=_antennas(size * 0.4 * _swing(beat, every=2), mirrored=False),
    )


def _twist(beat: float, size: float) -> Pose:
    return Pose(
        body_yaw_deg=size * 40 * _swing(beat, every=4),
        head_yaw_deg=size * -10 * _swing(beat, every=4),
        pitch_deg=size * 4 * _swing(beat, every=2),
        antennas=_antennas(size * 0.5 * _swing(beat, every=2), mirrored=False),
    )


def _flourish(beat: float, size: float) -> Pose:
    return Pose(
        body_yaw_deg=size * 20 * _swing(beat, every=4),
        head_yaw_deg=size * 15 * _swing(beat, every=4),
        z_mm=size * 6 * _swing(beat, every=2),
        antennas=_antennas(size * 0.7 * _swing(beat, every=4), mirrored=True),
    )


def _swing(beat: float, every: float) -> float:
    """Swings from -1 to 1 and back once in `every` beats, from 0 at beat 0."""
    return math.sin(2 * math.pi * beat / every)


def _antennas(angle: float, mirrored: bool) -> tuple[float, float]:
    right = -angle if mirrored else angle
    return (right - _ANTENNA_REST_RAD, angle + _ANTENNA_REST_RAD)


def _fade(beat_in_bar: float) -> float:
    """0 at both ends of a bar and 1 between, so that one figure flows into the next."""
    from_end = min(beat_in_bar, BEATS_PER_BAR - beat_in_bar)
    p = min(from_end / _FADE_BEATS, 1.0)
    return p * p * (3 - 2 * p)
