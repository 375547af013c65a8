"""An app that repeats one call until it is stopped.

Usage: interrupted_app.py <call> <address of a server that never answers>. Prints `running` in `run`.
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
import threading
from collections.abc import Callable

from robot import Robot, RobotApp, create_head_pose
from robot.motion.move import Move
from robot.motion.recorded_move import RecordedMoves
from robot.utils.discovery import find_robots

STALLED = sys.argv[2]

MOVES = RecordedMoves()


class Wave(Move):
    """Streamed until it is stopped."""

    @property
    def duration(self) -> float:
        """Without an end."""
        return math.inf

    def evaluate(self, t: float) -> tuple[None, list[float], None]:
        """The antennas swing."""
        return None, [0.4 * math.sin(4 * t), 0.4 * math.cos(4 * t)], None


def connect(robot: Robot) -> None:
    """Connects as a second program."""
    with Robot(stop_event=robot.stop_event, media_backend="no_media") as other:
        assert other.client.get_status(wait=True).state


def download(robot: Robot) -> None:
    """A list from a hub that never answers."""
    RecordedMoves("somebody/moves").list_moves()


def download_slowly(robot: Robot) -> None:
    """A file from a hub that sends a byte now and then."""
    RecordedMoves("somebody/slow-moves").list_moves()


def record(robot: Robot) -> None:
    """Records sound."""
    robot.media.start_recording()
    robot.media.get_audio_sample()


def play(robot: Robot) -> None:
    """Plays sound."""
    robot.media.play_sound("wake_up")
    robot.media.push_audio_sample([0.1] * 1600)
    robot.stop_event.wait(0.05)
    robot.media.clear_output_buffer()


def find_beside_hanging(robot: Robot) -> None:
    """Looks for robots where nothing answers."""
    os.environ["ROBOT_DAEMON_URL"] = STALLED
    find_robots(timeout=60)


def stream(robot: Robot) -> None:
    """Streams targets."""
    robot.set_target(head=create_head_pose(yaw=5), antennas=[0.1, 0.1], body_yaw=0.1)
    robot.stop_event.wait(0.01)


def look_at_image(robot: Robot) -> None:
    """Looks at two pixels."""
    robot.look_at_image(300, 200, duration=0.3)
    robot.look_at_image(340, 260, duration=0.3)


def switch(robot: Robot) -> None:
    """Short requests."""
    robot.enable_motors()
    robot.stop_motion()
    robot.set_automatic_body_yaw(True)
    robot.cancel_move()


CALLS: dict[str, Callable[[Robot], object]] = {
    "goto_target": lambda robot: robot.goto_target(antennas=[0.3, -0.3], duration=5),
    "look_at_world": lambda robot: robot.look_at_world(1, 0.2, 0.1, duration=5),
    "look_at_image": look_at_image,
    "wake_up": lambda robot: robot.wake_up(),
    "sleep and wake": lambda robot: (robot.goto_sleep(), robot.wake_up()),
    "play_move, recorded": lambda robot: robot.play_move(MOVES.get("dance1")),
    "play_move, with a goto": lambda robot: robot.play_move(
        MOVES.get("proud1"), initial_goto_duration=3
    ),
    "play_move, streamed": lambda robot: robot.play_move(Wave(), initial_goto_duration=0.5),
    "async_play_move, recorded": lambda robot: asyncio.run(
        robot.async_play_move(MOVES.get("dance2"))
    ),
    "async_play_move, streamed": lambda robot: asyncio.run(robot.async_play_move(Wave())),
    "get_audio_sample": record,
    "play_sound": play,
    "get_frame": lambda robot: robot.media.get_frame(),
    "endpoint.chat": lambda robot: robot.endpoints["chat"].chat("Hello"),
    "endpoint.chat, streamed": lambda robot: list(
        robot.endpoints["chat"].chat("Hello", stream=True)
    ),
    "endpoint.embed": lambda robot: robot.endpoints["chat"].embed("Hello"),
    "download of moves": download,
    "slow download of moves": download_slowly,
    "get_status": lambda robot: robot.client.get_status(wait=True),
    "set_target": stream,
    "short requests": switch,
    "find_robots": lambda robot: find_robots(timeout=0.5),
    "find_robots beside a daemon that hangs": find_beside_hanging,
    "connect": connect,
    "connect to a daemon that hangs": lambda robot: Robot(
        daemon_url=STALLED, timeout=60, stop_event=robot.stop_event
    ),
    "start": lambda robot: robot.stop_event.wait(0.01),
    "start beside a daemon that hangs": lambda robot: None,
}


class App(RobotApp):
    """Repeats its call."""

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """Says that it runs, with the robot awake."""
        while robot.state != "awake" and not stop_event.is_set():
            robot.wake_up()
        print("running", flush=True)
        while not stop_event.is_set():
            CALLS[sys.argv[1]](robot)


if __name__ == "__main__":
    options = {}
    if sys.argv[1] == "start beside a daemon that hangs":
        options = {"daemon_url": STALLED, "timeout": 60}
    app = App()
    try:
        if sys.argv[1].startswith("start"):
            print("running", flush=True)
        app.wrapped_run(**options)
    except KeyboardInterrupt:
        app.stop()
