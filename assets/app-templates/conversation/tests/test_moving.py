"""The layers: what they add up to is smooth and can be reached."""

from __future__ import annotations

import math
import random

from app_template.moving import gaze, gestures
from app_template.moving.fusion import Fusion
from app_template.moving.pose import Pose, added, within_reach
from robot.motion.recorded_move import RecordedMoves

TICK_S = 0.02


class Clock:
    """Goes on by ticks."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def is_within_reach(pose: Pose) -> bool:
    return max(abs(a - b) for a, b in zip(pose, within_reach(pose))) < 1e-9


def test_a_pose_within_reach_stays_as_it_is() -> None:
    for pose in (Pose(), gaze.THINKING, *gaze.DIRECTIONS.values()):
        assert within_reach(pose) == pose


def test_a_pose_out_of_reach_keeps_its_direction() -> None:
    pose = within_reach(Pose(pitch_deg=60, yaw_deg=30, left_antenna_deg=900))
    assert is_within_reach(pose)
    assert math.isclose(pose.pitch_deg, 2 * pose.yaw_deg)
    assert pose.left_antenna_deg == 150


def test_whatever_happens_the_robot_moves_smoothly_within_its_reach() -> None:
    clock, chance = Clock(), random.Random(3)
    fusion = Fusion(clock)
    moves = RecordedMoves()
    playable = [gestures.nod(3), gestures.shake(2)]
    playable += [gestures.recorded(moves.get(name)) for name in moves.list_moves()]
    attention, loudness = gaze.AT_PERSON, 0.0
    last = fusion.pose(attention, loudness)
    for _ in range(20_000):
        clock.now_s += TICK_S
        if chance.random() < 0.02:
            attention = chance.choice([gaze.AT_PERSON, gaze.LISTENING, gaze.THINKING])
            loudness = chance.choice([0.0, 0.1, 1.0])
            fusion.wobble.volume = chance.choice([0.0, 1.0, 2.0])
        if chance.random() < 0.01:
            fusion.gestures.play(chance.choice(playable))
            fusion.gaze.glance(chance.choice(list(gaze.DIRECTIONS.values())))
        if chance.random() < 0.01:
            fusion.gestures.stop()
        pose = fusion.pose(attention, loudness)
        assert is_within_reach(pose)
        # The robot's joints do 9 degrees in a tick.
        assert max(abs(a - b) for a, b in zip(pose[3:7], last[3:7])) < 6, (last, pose)
        last = pose


def test_the_head_moves_with_the_voice() -> None:
    def swing(loudness: float, volume: float) -> float:
        clock = Clock()
        fusion = Fusion(clock)
        fusion.wobble.volume = volume
        yaws: list[float] = []
        for _ in range(100):
            clock.now_s += TICK_S
            yaws.append(fusion.pose(gaze.AT_PERSON, loudness).yaw_deg)
        return max(yaws) - min(yaws)

    assert swing(0.0, 1.0) == 0
    assert swing(0.2, 1.0) > 3
    assert swing(0.2, 2.0) > swing(0.2, 1.0)
    assert swing(0.2, 0.0) == 0


def test_a_gesture_ends_where_it_began_and_a_stop_ends_it_early() -> None:
    clock = Clock()
    layer = gestures.Gestures(clock)
    layer.play(gestures.nod(2))
    clock.now_s = 0.15
    assert layer.pose_at(0.15).pitch_deg > 3
    assert layer.pose_at(1.2) == Pose()
    clock.now_s = 1.3
    layer.play(gestures.shake(4))
    clock.now_s = 1.5
    layer.stop()
    assert layer.pose_at(1.5).yaw_deg > 3
    assert layer.pose_at(1.8) == Pose()


def test_offsets_add_up() -> None:
    assert added(Pose(z_mm=1), Pose(z_mm=2, yaw_deg=3)) == Pose(z_mm=3, yaw_deg=3)
