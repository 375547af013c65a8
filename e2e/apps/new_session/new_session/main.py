"""Its child leaves the process group, so that a signal to the group does not reach it."""

import subprocess
import sys
import threading

from robot import Robot, RobotApp


class NewSession(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        subprocess.Popen(
            [sys.executable, "-c", "import time; print('child', flush=True); time.sleep(600)"],
            start_new_session=True,
        )
        print("ready", flush=True)
        stop_event.wait()


if __name__ == "__main__":
    app = NewSession()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
