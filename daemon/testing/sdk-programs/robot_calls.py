"""The calls of every_call.py."""

from __future__ import annotations

import asyncio
import math
import random
import threading
import time
from collections.abc import Callable

from robot import (
    AudioUnavailable,
    CameraUnavailable,
    Robot,
    RobotBusy,
    RobotConnectionError,
    RobotUnavailable,
    Unreachable,
    create_head_pose,
)
from robot.motion.goto import GotoMove
from robot.motion.move import Move
from robot.motion.recorded_move import RecordedMoves
from robot.robot import INIT_HEAD_POSE

MOVES = RecordedMoves()

try:
    import numpy as _  # noqa: F401

    HAS_NUMPY = True
except ImportError:
    HAS_NUMPY = False

MOTION = (RobotUnavailable, Unreachable)
"""Raised after another thread has put the robot to sleep, or has turned the body."""

DOCUMENTED: dict[str, tuple[type[Exception], ...]] = {
    "goto_target": MOTION,
    "goto_target, if not busy": (*MOTION, RobotBusy),
    "look_at_world": MOTION,
    "look_at_image": (*MOTION, CameraUnavailable),
    "play_move, recorded": MOTION,
    "play_move, goto": MOTION,
    "play_move, streamed": MOTION,
    "async_play_move, recorded": MOTION,
    "async_play_move, streamed": MOTION,
    "wake_up": (RobotUnavailable, RobotBusy),
    "goto_sleep": (RobotUnavailable, RobotBusy),
    "motors": (RobotUnavailable, RobotBusy),
    "gravity compensation": (RobotUnavailable, RobotBusy),
    "recording": (AudioUnavailable,),
    "playing": (AudioUnavailable,),
}


class Wave(Move):
    """Streamed."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    @property
    def duration(self) -> float:
        return self._seconds

    def evaluate(self, t: float) -> tuple[None, list[float], float]:
        return None, [0.3 * math.sin(5 * t), 0.2], 0.1 * math.sin(2 * t)


def calls_of(robot: Robot, rand: random.Random) -> dict[str, Callable[[], object]]:
    """The calls, each with arguments of its own."""
    angle = lambda most: rand.uniform(-most, most)
    pose = lambda: create_head_pose(yaw=angle(20), pitch=angle(8), z=angle(5), mm=True)
    antennas = lambda: [angle(0.5), angle(0.5)]
    move = lambda: MOVES.get(rand.choice(MOVES.list_moves()))

    def briefly(play: Callable[[], object]) -> None:
        # The moves last seconds, and the threads must get to their other calls.
        timer = threading.Timer(rand.uniform(0.1, 1.0), cancel)
        timer.start()
        try:
            play()
        finally:
            timer.cancel()
            timer.join()

    def cancel() -> None:
        try:
            robot.cancel_move()
        except RobotConnectionError:
            pass

    def sleep_and_wake() -> None:
        if rand.random() < 0.2:  # folding takes seconds
            robot.goto_sleep()
        robot.wake_up()

    def motors() -> None:
        robot.enable_motors(["right_antenna"])
        robot.enable_motors()

    def gravity_compensation() -> None:
        robot.enable_gravity_compensation()
        robot.disable_gravity_compensation()

    def stream() -> None:
        for _ in range(20):
            robot.set_target(head=pose(), antennas=antennas(), body_yaw=angle(0.2))
            time.sleep(0.01)
        robot.set_target_head_pose(INIT_HEAD_POSE)
        robot.set_target_antenna_joint_positions(antennas())
        robot.set_target_body_yaw(angle(0.2))

    def read() -> None:
        robot.get_current_head_pose()
        robot.get_current_joint_positions()
        robot.get_present_antenna_joint_positions()
        assert robot.state and isinstance(robot.torque, bool)
        assert robot.clamped is not None and robot.speed_limited in (True, False)
        assert robot.T_head_cam is not None and robot.logger and robot.imu is None
        assert robot.get_DoA() is None and not robot.get_tracked_face().detected
        robot.start_head_tracking()
        robot.stop_head_tracking()
        robot.enable_wobbling()
        robot.disable_wobbling()

    def status() -> None:
        status = robot.client.get_status(wait=True)
        assert status.simulation_enabled == status["simulation_enabled"]
        assert robot.client.is_connected() or not robot.client.is_connected()

    def record() -> None:
        robot.start_recording()
        robot.get_audio_sample()
        if rand.random() < 0.3:
            robot.stop_recording()
        robot.media.get_DoA()

    def play() -> None:
        media = robot.media
        media.start_playing()
        media.play_sound(rand.choice(["wake_up", "count", "confused1.wav"]))
        media.push_audio_sample([0.1] * 800)
        if rand.random() < 0.5:
            media.clear_output_buffer()
        if rand.random() < 0.3:
            media.stop_playing()
        if media.audio is not None:
            media.audio.clear_player()

    def see() -> None:
        camera = robot.media.camera
        if camera is not None:
            camera.read()
            assert camera.resolution == (640, 480)
        robot.media.get_frame()
        robot.media.get_frame_jpeg()

    def release() -> None:
        robot.release_media()
        assert robot.media_released in (True, False)
        robot.acquire_media()

    calls: dict[str, Callable[[], object]] = {
        "goto_target": lambda: robot.goto_target(
            pose(), antennas(), duration=rand.uniform(0.05, 0.6)
        ),
        "goto_target, if not busy": lambda: robot.goto_target(
            antennas=antennas(), duration=0.2, body_yaw=None, if_busy="refuse"
        ),
        "look_at_world": lambda: robot.look_at_world(1, angle(0.3), angle(0.2), duration=0.2),
        "play_move, recorded": lambda: briefly(
            lambda: robot.play_move(move(), initial_goto_duration=rand.choice([0, 0.2]))
        ),
        "play_move, goto": lambda: robot.play_move(
            GotoMove(
                start_head_pose=INIT_HEAD_POSE,
                target_head_pose=pose(),
                start_antennas=[0, 0],
                target_antennas=antennas(),
                start_body_yaw=0,
                target_body_yaw=angle(0.2),
                duration=0.3,
                method="minjerk",
            )
        ),
        "play_move, streamed": lambda: robot.play_move(Wave(0.4), initial_goto_duration=0.1),
        "async_play_move, recorded": lambda: briefly(
            lambda: asyncio.run(robot.async_play_move(move(), sound=False))
        ),
        "async_play_move, streamed": lambda: asyncio.run(robot.async_play_move(Wave(0.3))),
        "cancel_move": robot.cancel_move,
        "stop_motion": robot.stop_motion,
        "wake_up": robot.wake_up,
        "goto_sleep": sleep_and_wake,
        "motors": motors,
        "gravity compensation": gravity_compensation,
        "automatic body yaw": lambda: robot.set_automatic_body_yaw(rand.random() < 0.5),
        "set_target": stream,
        "measurements": read,
        "status": status,
        "recording": record,
        "playing": play,
        "release_media": release,
        "endpoints": lambda: list(robot.endpoints),
    }
    if HAS_NUMPY:
        calls["camera"] = see
        calls["look_at_image"] = lambda: robot.look_at_image(
            rand.uniform(200, 440), rand.uniform(150, 330), duration=0.1
        )
    return calls
