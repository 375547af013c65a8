"""Reads its own arguments, at the start and again in run."""

import argparse
import sys
import threading
from typing import Any

from robot import Robot, RobotApp
from robot.robot import INIT_ANTENNAS_JOINT_POSITIONS, INIT_HEAD_POSE


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("metronome")
    parser.add_argument("--tempo", type=int, default=120)
    parser.add_argument("--debug", action="store_true")
    known, unknown = parser.parse_known_args(arguments)
    if unknown:
        print("unknown arguments:", unknown, flush=True)
    return known


class Metronome(RobotApp):
    custom_app_url = None

    def wrapped_run(self, *args: Any, **kwargs: Any) -> None:
        print("arguments:", sys.argv[1:], flush=True)
        super().wrapped_run(*args, **kwargs)

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        beat_s = 60 / parse().tempo
        side = 1
        while not stop_event.is_set():
            robot.goto_target(antennas=[0.6 * side, 0.6 * side], duration=beat_s, body_yaw=None)
            side = -side
            print("tick" if side > 0 else "tock", flush=True)
        robot.goto_target(head=INIT_HEAD_POSE, antennas=INIT_ANTENNAS_JOINT_POSITIONS, duration=0.5)


if __name__ == "__main__":
    options = parse(sys.argv[1:])
    app = Metronome()
    try:
        app.wrapped_run(media_backend="no_media")
    except KeyboardInterrupt:
        app.stop()
