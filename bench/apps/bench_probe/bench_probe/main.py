"""Prints when run() begins, then waits for its stop without moving the robot."""

import json
import sys
import threading
import time

from robot import Robot, RobotApp


class BenchProbe(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        entered_ns = time.monotonic_ns()
        print(json.dumps({"enteredNs": entered_ns, "python": sys.executable}), flush=True)
        stop_event.wait()


if __name__ == "__main__":
    app = BenchProbe()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
