"""Looks from side to side until it is stopped, at the speed and range of its settings page."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from look_around.motion import Motion, Pose
from robot import Robot, RobotApp, create_head_pose

TICK_S = 0.02
RAMP_IN_S = 1.0
SETTINGS_FILE = "look_around_settings.json"


class LookAround(RobotApp):
    """Looks from side to side."""

    custom_app_url = "http://localhost:8042"

    def __init__(self) -> None:
        """Reads the settings from the current folder and adds the page's routes."""
        super().__init__()
        # FastAPI and pydantic take long to import and are not needed earlier.
        from look_around.settings import SettingsFile
        from look_around.settings_page import add_routes

        self.settings = SettingsFile(Path.cwd() / SETTINGS_FILE)
        # Here, because the page is served before `run` is called.
        add_routes(self.settings_app, self.settings)

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """Faces forward, then looks around; prints the settings when they change."""
        print(f"Facing forward. Settings: {self.custom_app_url}", flush=True)
        first = Pose()
        robot.goto_target(head=head_of(first), antennas=first.antennas, duration=RAMP_IN_S)
        motion = Motion()
        announced = None
        due_s = last_s = time.monotonic()
        while not stop_event.is_set():
            settings = self.settings.current
            if settings != announced:
                announced = settings
                speed, amplitude = settings.speed, settings.amplitude
                print(f"{speed:g} rounds a minute, {amplitude:g}° to each side.", flush=True)
            now_s = time.monotonic()
            pose = motion.step(now_s - last_s, settings.speed, settings.amplitude)
            last_s = now_s
            robot.set_target(head=head_of(pose), antennas=pose.antennas)
            # Counts from the time this tick was due, so that delays do not add up; skips late ticks.
            due_s = max(due_s + TICK_S, now_s)
            stop_event.wait(due_s - time.monotonic())
        print("Seen enough.", flush=True)


def head_of(pose: Pose) -> object:
    """The 4x4 matrix of the head."""
    return create_head_pose(pitch=pose.pitch_deg, yaw=pose.yaw_deg)


if __name__ == "__main__":
    app = LookAround()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
