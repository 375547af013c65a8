"""Waves the antennas until it is stopped."""

from __future__ import annotations

import threading
import time

from hello_wave.wave import antennas_at
from robot import Robot, RobotApp

TICK_S = 0.02
REPORT_EVERY_S = 5.0


class HelloWave(RobotApp):
    """Waves both antennas."""

    custom_app_url = None

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """Waves, starting from the antennas' position; prints a line every five seconds."""
        resting = robot.get_present_antenna_joint_positions()
        started_s = time.monotonic()
        reports = elapsed_s = 0.0
        while not stop_event.is_set():
            elapsed_s = time.monotonic() - started_s
            robot.set_target(antennas=antennas_at(elapsed_s, resting))
            if elapsed_s >= reports * REPORT_EVERY_S:
                print("Waving." if reports else "Hello! Waving.", flush=True)
                reports += 1
            stop_event.wait(TICK_S)
        print(f"Bye. I waved for {elapsed_s:.0f} s.", flush=True)


if __name__ == "__main__":
    app = HelloWave()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
