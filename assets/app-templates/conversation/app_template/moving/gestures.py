"""The fourth layer: gestures that tools ask for, such as a nod or a recorded move."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import NamedTuple

from app_template.moving.easing import smooth
from app_template.moving.pose import REST, Pose, added, scaled
from robot.motion.move import Move

_FADE_S = 0.25


class Gesture(NamedTuple):
    """Offsets over time."""

    duration_s: float
    pose_at: Callable[[float], Pose]
    """The offset, by the seconds since the start."""


class Gestures:
    """Plays one gesture after another; a new one takes over from the one before. Thread-safe."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` returns the seconds that `pose_at` gets."""
        self._clock = clock
        self._lock = threading.Lock()
        self._playing: list[_Playing] = []

    def play(self, gesture: Gesture) -> None:
        """Starts a gesture. Returns at once."""
        now_s = self._clock()
        with self._lock:
            self._end(now_s)
            self._playing.append(_Playing(gesture, now_s, now_s + gesture.duration_s))

    def stop(self) -> None:
        """Ends the gesture that plays; the robot returns from it within a quarter of a second."""
        with self._lock:
            self._end(self._clock())

    def pose_at(self, time_s: float) -> Pose:
        """The offset at a time: zero without a gesture."""
        with self._lock:
            self._playing = [each for each in self._playing if time_s < each.end_s]
            return added(Pose(), *(each.pose_at(time_s) for each in self._playing))

    def _end(self, now_s: float) -> None:
        ends_s = now_s + _FADE_S
        self._playing = [each._replace(end_s=min(each.end_s, ends_s)) for each in self._playing]


class _Playing(NamedTuple):
    gesture: Gesture
    start_s: float
    end_s: float

    def pose_at(self, time_s: float) -> Pose:
        """Fades in and out, so that a gesture may begin and end in any pose."""
        share = smooth((time_s - self.start_s) / _FADE_S) * smooth((self.end_s - time_s) / _FADE_S)
        return scaled(self.gesture.pose_at(max(0.0, time_s - self.start_s)), share)


def nod(times: int) -> Gesture:
    """Yes."""
    return Gesture(0.55 * times, lambda t: Pose(pitch_deg=11 * math.sin(math.tau * t / 0.55)))


def shake(times: int) -> Gesture:
    """No."""
    return Gesture(0.6 * times, lambda t: Pose(yaw_deg=16 * math.sin(math.tau * t / 0.6)))


def recorded(move: Move) -> Gesture:
    """A move of `robot.motion`, as offsets from rest."""
    return Gesture(move.duration, lambda t: _offset_of(move, t))


def _offset_of(move: Move, time_s: float) -> Pose:
    head, antennas, body_yaw = move.evaluate(min(time_s, move.duration))
    offset = Pose(body_deg=math.degrees(body_yaw or 0.0))
    if head is not None:
        rows = [[float(number) for number in row] for row in head]
        offset = offset._replace(
            x_mm=1000 * rows[0][3],
            y_mm=1000 * rows[1][3],
            z_mm=1000 * rows[2][3],
            roll_deg=math.degrees(math.atan2(rows[2][1], rows[2][2])),
            pitch_deg=-math.degrees(math.asin(min(1.0, max(-1.0, rows[2][0])))),
            yaw_deg=math.degrees(math.atan2(rows[1][0], rows[0][0])),
        )
    if antennas is not None:
        right, left = (math.degrees(float(angle)) for angle in antennas)
        offset = offset._replace(
            right_antenna_deg=right - REST.right_antenna_deg,
            left_antenna_deg=left - REST.left_antenna_deg,
        )
    return offset
