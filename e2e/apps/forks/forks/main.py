"""Starts children that ignore SIGINT and SIGTERM, and ends without ending them."""

import subprocess
import sys
import threading

from robot import Robot, RobotApp

STUBBORN = (
    "import signal, time\n"
    "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('child', flush=True)\n"
    "time.sleep(600)"
)


class Forks(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        for _ in range(2):
            subprocess.Popen([sys.executable, "-c", STUBBORN])
        print("ready", flush=True)
        stop_event.wait()


if __name__ == "__main__":
    app = Forks()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
