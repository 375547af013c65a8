"""Starts threads when it is imported, and never looks at its stop event."""

import queue
import threading
import time

from robot import Robot, RobotApp
from robot.motion.recorded_move import RecordedMoves

jobs: "queue.Queue[str]" = queue.Queue()
MOVES = RecordedMoves("someone/emotions-library")


def preload() -> None:
    for name in MOVES.list_moves()[:4]:
        MOVES.get(name)
        jobs.put(name)


threading.Thread(target=preload, daemon=True).start()


class Background:
    def __init__(self) -> None:
        self.count = 0
        threading.Thread(target=self.tick, daemon=True).start()

    def tick(self) -> None:
        while True:
            self.count += 1
            time.sleep(0.1)


background = Background()


class Threads(RobotApp):
    custom_app_url = None

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        def wave() -> None:
            while True:
                robot.set_target(antennas=[0.5 * ((background.count % 10) / 5 - 1), 0.2])
                time.sleep(0.05)

        threading.Thread(target=wave, daemon=True).start()
        while True:
            print("working on", jobs.get(timeout=30), flush=True)
            robot.goto_target(body_yaw=0.3, duration=0.4)
            robot.goto_target(body_yaw=-0.3, duration=0.4)
            jobs.put("more")
            time.sleep(0.1)


if __name__ == "__main__":
    app = Threads()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
