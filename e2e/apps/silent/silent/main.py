"""Uses neither the robot nor wrapped_run: an app need not use the SDK."""

import signal
import threading

from robot import Robot, RobotApp


class Silent(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        pass


if __name__ == "__main__":
    stopped = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    print("no hello", flush=True)
    stopped.wait()
