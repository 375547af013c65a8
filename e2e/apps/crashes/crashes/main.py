"""Moves, then raises in the middle of run()."""

import threading

from robot import Robot, RobotApp


class Crashes(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        robot.goto_target(antennas=[1.0, -1.0], duration=0.2)
        print("about to fail", flush=True)
        raise RuntimeError("the flux is not compensated")


if __name__ == "__main__":
    app = Crashes()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
