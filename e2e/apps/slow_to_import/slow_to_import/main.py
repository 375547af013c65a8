"""Works at import instead of in run(): its install lasts until it is cancelled."""

import threading
import time

from robot import Robot, RobotApp

print("importing", flush=True)
time.sleep(60)


class SlowToImport(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        stop_event.wait()


if __name__ == "__main__":
    app = SlowToImport()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
