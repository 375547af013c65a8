"""Dances to a steady beat until it is stopped."""

from __future__ import annotations

import math
import threading
import time

from dance.choreography import BEATS_PER_BAR, BEATS_PER_MINUTE, Pose, figure_name, pose_at
from robot import Robot, RobotApp, create_head_pose

TICK_S = 0.02
RAMP_IN_S = 1.0


class Dance(RobotApp):
    """Body, head and antennas, 104 beats a minute."""

    custom_app_url = None

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """Moves to the first pose, then dances; prints the figure of each bar."""
        print(f"Getting into position. {BEATS_PER_MINUTE} beats a minute.", flush=True)
        first = pose_at(0)
        robot.goto_target(
            head=head_of(first),
            antennas=first.antennas,
            body_yaw=body_yaw_of(first),
            duration=RAMP_IN_S,
        )
        started_s = time.monotonic()
        tick = 0
        announced_bar = -1
        while not stop_event.is_set():
            beat = (time.monotonic() - started_s) * BEATS_PER_MINUTE / 60
            bar = int(beat // BEATS_PER_BAR)
            if bar > announced_bar:
                announced_bar = bar
                print(f"Bar {bar + 1}: {figure_name(bar)}.", flush=True)
            pose = pose_at(beat)
            robot.set_target(head=head_of(pose), antennas=pose.antennas, body_yaw=body_yaw_of(pose))
            # Counts ticks from the start and skips missed ones, so that delays do not add up.
            elapsed_s = time.monotonic() - started_s
            tick = max(tick + 1, math.ceil(elapsed_s / TICK_S))
            stop_event.wait(tick * TICK_S - elapsed_s)
        print(f"Thank you. Bars danced: {announced_bar + 1}.", flush=True)


def head_of(pose: Pose) -> object:
    """The 4x4 matrix of the head."""
    return create_head_pose(
        z=pose.z_mm, roll=pose.roll_deg, pitch=pose.pitch_deg, yaw=pose.head_yaw_deg, mm=True
    )


def body_yaw_of(pose: Pose) -> float:
    """The angle of the body, in radians."""
    return math.radians(pose.body_yaw_deg)


if __name__ == "__main__":
    app = Dance()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
