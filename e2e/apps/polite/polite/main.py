"""Prints when it starts and stops, and holds the antennas up meanwhile."""

import threading

from robot import Robot, RobotApp


class Polite(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        robot.goto_target(antennas=[0.6, -0.6], duration=0.2)
        print("ready", flush=True)
        stop_event.wait()
        print("bye", flush=True)


if __name__ == "__main__":
    app = Polite()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
