"""Cannot be imported."""

import threading

import a_module_that_is_not_there  # noqa: F401
from robot import Robot, RobotApp


class CrashesAtImport(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        stop_event.wait()


if __name__ == "__main__":
    app = CrashesAtImport()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
