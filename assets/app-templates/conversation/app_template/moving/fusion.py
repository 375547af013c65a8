"""Adds the layers, 50 times a second, into the one stream of targets that moves the robot."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from app_template.moving.breathing import breathing
from app_template.moving.gaze import Gaze
from app_template.moving.gestures import Gestures
from app_template.moving.pose import REST, Pose, added, antennas_of, head_of, send, within_reach
from app_template.moving.wobble import Wobble
from robot import Robot

_TICK_S = 0.02
_RAMP_IN_S = 0.6


class Fusion:
    """The layers of the robot's motion."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns monotonic seconds."""
        self.clock = clock
        self.gaze = Gaze()
        self.wobble = Wobble()
        self.gestures = Gestures(clock)

    def pose(self, attention: Pose, loudness: float) -> Pose:
        """The pose of this moment: always one that the robot can reach.

        Args:
            attention: where to look, see `gaze`.
            loudness: that of the robot's voice now, 0 to 1.
        """
        now_s = self.clock()
        layers = (
            breathing(now_s),
            self.gaze.pose_at(now_s, attention),
            self.wobble.pose_at(now_s, loudness),
            self.gestures.pose_at(now_s),
        )
        return within_reach(added(REST, *layers))


def move(
    robot: Robot, pose: Callable[[], Pose], goes_on: Callable[[], bool], stop: threading.Event
) -> None:
    """Streams `pose()` to the robot until `stop` is set or `goes_on()` is False."""
    first = pose()
    robot.goto_target(
        head=head_of(first),
        antennas=antennas_of(first),
        body_yaw=math.radians(first.body_deg),
        duration=_RAMP_IN_S,
    )
    due_s = time.monotonic()
    while goes_on() and not stop.is_set():
        send(robot, pose())
        # Counts from the time this tick was due, so that delays do not add up; skips late ticks.
        due_s = max(due_s + _TICK_S, time.monotonic())
        stop.wait(due_s - time.monotonic())
