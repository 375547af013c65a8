"""Writes half a million lines and one of 100 MB, then waits."""

import sys
import threading

from robot import Robot, RobotApp


class Floods(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        for number in range(500_000):
            sys.stdout.write(f"line {number}\n")
        sys.stdout.write("x" * 100_000_000 + "\n")
        sys.stdout.write("flooded\n")
        sys.stdout.flush()
        stop_event.wait()


if __name__ == "__main__":
    app = Floods()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
