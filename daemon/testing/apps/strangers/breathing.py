"""A robot that breathes while it is idle and shows an emotion now and then."""

import asyncio
import threading

import numpy as np
from numpy.typing import NDArray

from robot import Robot, RobotApp
from robot.motion.move import Move
from robot.motion.recorded_move import RecordedMoves
from robot.utils import create_head_pose
from robot.utils.interpolation import linear_pose_interpolation


class BreathingMove(Move):
    def __init__(self, start_pose: NDArray[np.float64], start_antennas: tuple[float, float], ramp: float = 1.0):
        self.start_pose = start_pose
        self.start_antennas = np.array(start_antennas)
        self.neutral = create_head_pose(0, 0, 0, 0, 0, 0, degrees=True)
        self.ramp = ramp

    @property
    def duration(self) -> float:
        return float("inf")

    def evaluate(self, t: float) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None, float | None]:
        if t < self.ramp:
            share = t / self.ramp
            head = linear_pose_interpolation(self.start_pose, self.neutral, share)
            return head, (1 - share) * self.start_antennas, 0.0
        t -= self.ramp
        z = 0.005 * np.sin(2 * np.pi * 0.5 * t)
        sway = np.deg2rad(15) * np.sin(2 * np.pi * 0.5 * t)
        return create_head_pose(x=0, y=0, z=z, roll=0, pitch=0, yaw=0, mm=False), np.array([sway, -sway]), 0.0


class IdleRobot(RobotApp):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.emotions = RecordedMoves("someone/emotions-library")

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        async def breathe() -> None:
            _, antennas = robot.get_current_joint_positions()
            move = BreathingMove(robot.get_current_head_pose(), (antennas[0], antennas[1]))
            await robot.async_play_move(move, play_frequency=60, sound=False)

        async def live() -> None:
            while not stop_event.is_set():
                task = asyncio.create_task(breathe())
                await asyncio.sleep(2.0)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                print("emotion", flush=True)
                await robot.async_play_move(self.emotions.get("surprised1"), initial_goto_duration=0.3)

        asyncio.run(live())
        robot.cancel_move()
        print("idle over", flush=True)


if __name__ == "__main__":
    app = IdleRobot()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
