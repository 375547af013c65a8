"""Makes all calls of the table on the daemon in the environment, and prints those that differ.

Usage: run_calls.py <folder for files>. Prints one line of JSON: the number of calls made, the calls
that were left out because numpy is missing, and the faults.
"""

from __future__ import annotations

import ast
import asyncio
import json
import logging
import math
import os
import sys
import threading
import time
import traceback
import wave
from pathlib import Path
from typing import Any

from calls import CALLS
from expectations import ANY_TEXT, Call

from robot import MoveEnd, Robot, Unreachable, _notice, create_head_pose
from robot.media.media_manager import MediaBackend, MediaManager
from robot.motion.goto import GotoMove
from robot.motion.move import Move
from robot.motion.recorded_move import RecordedMoves
from robot.robot import (
    INIT_ANTENNAS_JOINT_POSITIONS,
    INIT_HEAD_POSE,
    SLEEP_ANTENNAS_JOINT_POSITIONS,
    SLEEP_HEAD_JOINT_POSITIONS,
    SLEEP_HEAD_POSE,
)
from robot.utils.discovery import find_robots
from robot.utils.interpolation import (
    InterpolationTechnique,
    compose_world_offset,
    delta_angle_between_mat_rot,
    distance_between_poses,
    linear_pose_interpolation,
    minimum_jerk,
    time_trajectory,
)

try:
    import numpy as np
except ModuleNotFoundError:
    np = None

AT_ONCE_S = 5.0
"""Far above the time of a call that waits for nothing, for a busy machine."""

EARLY_S = 0.04
"""A motion begins at the time of the daemon's last turn, 20 ms ago; more on a busy machine."""

ATTEMPTS = 5
"""How often a call is made that was early."""

LATE_S = 5.0
COMES_TRUE_S = 8.0
ANGLE_RAD = 0.03

logged: list[str] = []


class Log(logging.Handler):
    """Keeps what the SDK says."""

    def emit(self, record: logging.LogRecord) -> None:
        logged.append(record.getMessage())


class Breathing(Move):
    """A move of an app's own, as apps write it."""

    def __init__(self, length: float = 0.4) -> None:
        self.length = length

    @property
    def duration(self) -> float:
        return self.length

    def evaluate(self, t: float) -> tuple[Any, Any, float | None]:
        z = 0.003 * math.sin(2 * math.pi * t)
        head = create_head_pose(0, 0, z, 0, 0, 0, degrees=True, mm=False)
        antennas = [0.1 * math.sin(t), -0.1 * math.sin(t)]
        return head, antennas if np is None else np.array(antennas), 0.0


def names_for(robot: Robot, folder: Path) -> dict[str, Any]:
    """The names that the calls use."""

    def head_angle(sine: tuple[int, int], degrees: float, sign: int) -> bool:
        pose = robot.get_current_head_pose()
        return abs(sign * math.asin(pose[sine[0]][sine[1]]) - math.radians(degrees)) < ANGLE_RAD

    conditions = {
        "yaw_is": lambda degrees: abs(
            math.atan2(robot.get_current_head_pose()[1][0], robot.get_current_head_pose()[0][0])
            - math.radians(degrees)
        ) < ANGLE_RAD,
        "pitch_is": lambda degrees: head_angle((2, 0), degrees, -1),
        "body_is": lambda angle: abs(robot.get_current_joint_positions()[0][0] - angle) < ANGLE_RAD,
        "antennas_are": lambda *angles: all(
            abs(has - angle) < ANGLE_RAD
            for has, angle in zip(robot.get_present_antenna_joint_positions(), angles)
        ),
    }
    return {
        **{name: value for name, value in globals().items() if name[0].isalpha()},
        **conditions,
        "robot": robot,
        "port": int(os.environ["ROBOT_DAEMON_URL"].rpartition(":")[2]),
        "folder": str(folder),
        "wav": str(write_sound(folder / "beep.wav")),
    }


def write_sound(path: Path) -> Path:
    """Writes two seconds of silence."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(22_050)
        file.writeframes(bytes(2 * 2 * 22_050))
    return path


def write_move(path: Path) -> None:
    """Writes a recorded move as it is in such sets, with keys of its maker."""
    times = [at / 50 for at in range(21)]
    targets = [
        {
            "head": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
            "antennas": [0.3 * at / 0.4, -0.3 * at / 0.4],
            "body_yaw": 0,
            "check_collision": False,
        }
        for at in times
    ]
    path.write_text(json.dumps({"description": "Tilts.", "time": times, "set_target_data": targets}))


def made(source: str, names: dict[str, Any]) -> tuple[Any, bool, float]:
    """Makes a call. Returns its result or error, whether it is an error, and the seconds it took."""
    *before, last = ast.parse(source).body
    start_s = time.monotonic()
    try:
        if not isinstance(last, ast.Expr):
            exec(source, names)
            return None, False, time.monotonic() - start_s
        exec(compile(ast.Module(before, []), "<call>", "exec"), names)
        start_s = time.monotonic()
        result = eval(compile(ast.Expression(last.value), "<call>", "eval"), names)
    except Exception as error:
        return error, True, time.monotonic() - start_s
    return result, False, time.monotonic() - start_s


def faults_of(call: Call, names: dict[str, Any]) -> list[str]:
    """Makes a call, twice if it says something, and returns what differs."""
    logged.clear()
    if call.says is not None:
        _notice.forget()
    names = dict(names)
    for _ in range(ATTEMPTS):
        result, is_error, took_s = made(call.source, names)
        if took_s >= call.waits_s - EARLY_S:
            break
    faults: list[str] = []
    if is_error != call.back.is_error or not call.back.fits(result, names):
        faults.append(f"gave {result!r}"[:500] + f" instead of {call.back.text}")
    if took_s < call.waits_s - EARLY_S:
        faults.append(f"waited {took_s:.3f} s instead of {call.waits_s} s")
    if took_s > (call.waits_s + LATE_S if call.waits_s else AT_ONCE_S):
        faults.append(f"took {took_s:.3f} s")
    if call.then is not None and not comes_true(call.then, names):
        faults.append(f"then {call.then} did not come true")
    if call.says is None and logged:
        faults.append(f"said {logged}")
    if call.says is not None:
        made(call.source, names)
        once = len(logged) == 1 and call.says in logged[0]
        if not once and not (call.says is ANY_TEXT and not logged):
            faults.append(f"said {logged} instead of one sentence with {call.says!r}")
    return faults


def comes_true(condition: str, names: dict[str, Any]) -> bool:
    """Waits until a condition is true."""
    until_s = time.monotonic() + COMES_TRUE_S
    while not eval(condition, names):
        if time.monotonic() > until_s:
            return False
        time.sleep(0.01)
    return True


def main() -> None:
    """Makes the calls."""
    logger = logging.getLogger("robot")
    logger.addHandler(Log())
    logger.setLevel(logging.WARNING)
    folder = Path(sys.argv[1])
    write_move(folder / "tilt.json")
    left_out: list[str] = []
    faults: list[str] = []
    with Robot() as robot:
        names = names_for(robot, folder)
        robot.media.get_frame()  # loads the libraries: no call below takes longer for it
        for call in CALLS:
            needs_numpy = "np" in (call.needs or "") or "np." in call.source + call.back.text
            if np is None and needs_numpy:
                left_out.append(call.source)
            else:
                faults += [f"{call.source} {fault}" for fault in faults_of(call, names)]
    print(json.dumps({"made": len(CALLS) - len(left_out), "leftOut": left_out, "faults": faults}))


if __name__ == "__main__":
    main()
