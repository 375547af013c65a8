"""Plays all dances of a library, one after the other."""

import random
import threading

from robot import Robot, RobotApp
from robot.motion.recorded_move import RecordedMove, RecordedMoves

LIBRARY = RecordedMoves("someone/robot-dances-library")
EMOTIONS = RecordedMoves("someone/robot-emotions-library")


class DancePlayer(RobotApp):
    custom_app_url: str | None = None

    def run(self, robot: Robot, stop_event: threading.Event):
        names = LIBRARY.list_moves()
        print(f"{len(names)} moves", flush=True)
        robot.play_move(EMOTIONS.get("cheerful1"), initial_goto_duration=0.5, sound=True)
        print("cheerful", flush=True)
        random.shuffle(names)
        while not stop_event.is_set():
            for name in names:
                move: RecordedMove = LIBRARY.get(name)
                print(f"playing {name} ({move.duration:.1f} s): {move.description}", flush=True)
                robot.play_move(move, play_frequency=100.0, initial_goto_duration=1.0, sound=False)
                if stop_event.is_set():
                    break


if __name__ == "__main__":
    DancePlayer().wrapped_run()
