"""Prints some environment variables, and passes one to a child on its command line."""

import os
import subprocess
import sys
import threading

from robot import Robot, RobotApp

SHOWN = ("APP_ROOM", "APP_TOKEN", "ROBOT_APP_NAME")
CHILD = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); signal.pause()"


class PrintsEnvironment(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        for name in SHOWN:
            print(f"{name}={os.environ.get(name)}", flush=True)
        child = subprocess.Popen([sys.executable, "-c", CHILD, os.environ.get("APP_TOKEN", "")])
        print("ready", flush=True)
        stop_event.wait()
        child.wait()


if __name__ == "__main__":
    app = PrintsEnvironment()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
