"""Reads the simulated camera as fast as it has frames, while the head turns, then reads nothing.

Usage: camera_frames.py <daemon> <windows> <seconds of a window>. Prints one line of JSON.

The CPU time is that of the whole process: rendering, and receiving the robot's state 50 times a
second, which the windows without frames have alone.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable

from robot import Robot, create_head_pose

TURN_S = 2.0


def turn_head(robot: Robot) -> None:
    while not robot.stop_event.is_set():
        for yaw in (25, -25):
            head = create_head_pose(yaw=yaw, pitch=yaw / 5)
            robot.goto_target(head=head, duration=TURN_S, body_yaw=None)


def window(seconds: float, work: Callable[[], object]) -> tuple[float, float]:
    """The percentage of a core, and the calls of `work` a second."""
    calls, cpu_s, start_s = 0, time.process_time(), time.monotonic()
    while time.monotonic() - start_s < seconds:
        work()
        calls += 1
    took_s = time.monotonic() - start_s
    return 100 * (time.process_time() - cpu_s) / took_s, calls / took_s


def main() -> None:
    daemon_url, windows, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    with Robot(daemon_url) as robot:
        threading.Thread(target=turn_head, args=(robot,), daemon=True).start()
        if robot.media.get_frame() is None:
            raise RuntimeError("the camera has no frame")
        seen, rested = [], []
        for _ in range(windows):
            seen.append(window(seconds, robot.media.get_frame))
            rested.append(window(seconds, lambda: time.sleep(1 / 30)))
        robot.stop_event.set()
    print(
        json.dumps(
            {
                "percent": [percent for percent, _ in seen],
                "framesPerSecond": [frames for _, frames in seen],
                "percentWithout": [percent for percent, _ in rested],
            }
        )
    )


main()
