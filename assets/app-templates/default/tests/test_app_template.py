"""These tests need no robot: python -m pytest"""

from __future__ import annotations

import itertools
import threading

from app_template.main import TICK_S, AppTemplate, pose_at


def test_nothing_jumps() -> None:
    poses = [pose_at(3.0 * TICK_S * tick, 1.5) for tick in range(2000)]
    for pose, following in itertools.pairwise(poses):
        assert abs(following.yaw - pose.yaw) < 5
        assert abs(following.roll - pose.roll) < 5
        assert abs(following.pitch - pose.pitch) < 5
        for angle, following_angle in zip(pose.antennas, following.antennas):
            assert abs(following_angle - angle) < 0.15


def test_without_size_the_robot_faces_forward() -> None:
    assert pose_at(12.3, 0.0) == (0, 0, 0, [0, 0])


def test_a_stop_ends_the_app() -> None:
    stop_event = threading.Event()

    class StoppingRobot:
        """Stands in for the robot; asks the app to stop after some targets."""

        targets = 0

        def goto_target(self, **_: object) -> None:
            pass

        def set_target(self, **_: object) -> None:
            self.targets += 1
            if self.targets == 3:
                stop_event.set()

    robot = StoppingRobot()
    AppTemplate().run(robot, stop_event)  # type: ignore[arg-type]
    assert robot.targets == 3
