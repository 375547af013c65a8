"""Takes the launcher's hint about the kind of robot, and has non-trivial attributes."""

import threading
from pathlib import Path

from robot import Robot
from robot.apps.app import RobotApp
from robot.utils import create_head_pose


class Nodder(RobotApp):
    custom_app_url = None
    dont_start_webserver = True
    request_media_backend = "no_media"

    def __init__(self, running_on_wireless: bool = False) -> None:
        super().__init__(running_on_wireless=running_on_wireless)
        self.here = Path(self._get_instance_path()).parent
        self.worker: threading.Thread | None = None

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        print("wireless:", self.running_on_wireless, "backend:", self.media_backend, flush=True)
        print("here:", (self.here / "__init__.py").exists(), "daemon:", self.daemon_on_localhost, flush=True)
        self.worker = threading.Thread(target=self.nod, args=(robot, stop_event))
        self.worker.start()
        stop_event.wait()
        self.worker.join()
        print("frame:", robot.media.get_frame(), robot.media.get_frame(), flush=True)

    def nod(self, robot: Robot, stop_event: threading.Event) -> None:
        while not stop_event.is_set():
            robot.goto_target(create_head_pose(pitch=15, degrees=True), duration=0.4)
            robot.goto_target(create_head_pose(pitch=-10, degrees=True), duration=0.4)
            print("nod", flush=True)


if __name__ == "__main__":
    app = Nodder()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
