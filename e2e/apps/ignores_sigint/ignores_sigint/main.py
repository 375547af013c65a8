"""Ignores SIGINT, and never checks its stop event."""

import signal
import threading
import time

from robot import Robot, RobotApp


class IgnoresSigint(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("ready", flush=True)
        while True:
            time.sleep(0.1)


if __name__ == "__main__":
    app = IgnoresSigint()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
