"""Looks around and waves the antennas, as fast and as far as the settings page says."""

from __future__ import annotations

import math
import threading
import time
from typing import NamedTuple

from robot import Robot, RobotApp, create_head_pose

TICK_S = 0.02
"""The robot gets a new target 50 times a second."""


class AppTemplate(RobotApp):
    """Moves until it is stopped."""

    # The page in `static/`. None: no page.
    custom_app_url = "http://localhost:8042"

    def __init__(self) -> None:
        """Adds the routes of the page, which `static/main.js` calls."""
        super().__init__()
        self.speed = 1.0
        self.size = 1.0
        self.sound_wanted = threading.Event()

        @self.settings_app.get("/settings")
        def settings() -> dict[str, float]:
            return {"speed": self.speed, "size": self.size}

        @self.settings_app.put("/settings")
        def change(wanted: dict[str, float]) -> dict[str, float]:
            self.speed = between(0.2, wanted.get("speed", self.speed), 3.0)
            self.size = between(0.0, wanted.get("size", self.size), 1.5)
            return settings()

        @self.settings_app.post("/sound")
        def sound() -> None:
            self.sound_wanted.set()

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """Sends the robot a target every tick. Returns when `stop_event` is set."""
        print(f"Moving. Settings: {self.custom_app_url}", flush=True)
        robot.goto_target(head=create_head_pose(), antennas=[0.0, 0.0], duration=0.5)
        phase = 0.0
        size = 0.0
        last_s = time.monotonic()
        while not stop_event.is_set():
            now_s = time.monotonic()
            elapsed_s = min(now_s - last_s, 0.1)
            last_s = now_s
            # The phase goes on from where it is, and the size follows slowly: nothing jumps.
            phase += self.speed * elapsed_s
            size += (self.size - size) * elapsed_s / 0.4
            pose = pose_at(phase, size)
            head = create_head_pose(roll=pose.roll, pitch=pose.pitch, yaw=pose.yaw)
            robot.set_target(head=head, antennas=pose.antennas)
            if self.sound_wanted.is_set():
                self.sound_wanted.clear()
                robot.play_sound("wake_up")
            stop_event.wait(TICK_S)
        print("Bye.", flush=True)


class Pose(NamedTuple):
    """One moment: the angles of the head in degrees, `[right, left]` of the antennas in radians."""

    roll: float
    pitch: float
    yaw: float
    antennas: list[float]


def pose_at(phase: float, size: float) -> Pose:
    """The pose at a moment of the motion.

    Args:
        phase: seconds at the speed 1.
        size: 0 for no motion, 1 for the usual one.
    """
    look = math.sin(0.9 * phase)
    tilt = math.sin(0.9 * phase - 0.7)
    nod = math.sin(2.3 * phase)
    wave = math.sin(4.0 * phase)
    return Pose(
        roll=size * 9 * tilt,
        pitch=size * 5 * nod,
        yaw=size * 22 * look,
        antennas=[size * (0.3 * wave - 0.35), size * (0.3 * wave + 0.35)],
    )


def between(low: float, value: float, high: float) -> float:
    """`value`, or the nearest allowed one."""
    return max(low, min(high, float(value)))


if __name__ == "__main__":
    app = AppTemplate()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
