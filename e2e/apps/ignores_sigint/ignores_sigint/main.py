"""Ignores SIGINT, never checks its stop event, and moves its antennas for ever."""

import math
import signal
import threading
import time

from robot import Robot, RobotApp


class IgnoresSigint(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("ready", flush=True)
        while True:
            position_rad = 0.5 * math.sin(2 * time.monotonic())
            robot.set_target(antennas=[position_rad, -position_rad])
            time.sleep(0.1)


if __name__ == "__main__":
    app = IgnoresSigint()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
