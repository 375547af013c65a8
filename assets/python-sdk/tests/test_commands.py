"""The commands beside moves to a target, and their answers."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable

import pytest
from conftest import Eventually, in_background
from peer import EXAMPLES, Peer

from robot import (
    Clamp,
    MoveTimeout,
    Robot,
    RobotBusy,
    RobotUnavailable,
    create_head_pose,
)
from robot._arrays import flatten
from robot._calls import commands
from robot._targets import head_towards

MOVED = next(reply for reply in EXAMPLES["replies"] if reply["type"] == "state")
TURNS_ALONG = {
    "part": "bodyYaw",
    "wantedRad": 0,
    "givenRad": 0.44,
    "why": "The body turns along.",
}
NAMES = "body_rotation, stewart_1, .*, stewart_6, right_antenna, left_antenna"
ALL_MOTORS = {"type": "set_torque", "id": "1", "motors": None}

COMMANDS: list[tuple[Callable[[Robot], None], dict[str, object]]] = [
    (Robot.wake_up, {"type": "wake_up", "id": "1"}),
    (Robot.goto_sleep, {"type": "goto_sleep", "id": "1"}),
    (Robot.stop_motion, {"type": "stop_motion", "id": "1"}),
    (Robot.enable_motors, {**ALL_MOTORS, "on": True}),
    (Robot.disable_motors, {**ALL_MOTORS, "on": False}),
    (
        lambda robot: robot.disable_motors(("left_antenna", "stewart_1", "left_antenna")),
        {**ALL_MOTORS, "on": False, "motors": ["left_antenna", "stewart_1"]},
    ),
]


def flat(pose: object) -> list[float]:
    numbers: list[float] = []
    assert flatten(pose, numbers) == (4, 4)
    return numbers


@pytest.mark.parametrize(("command", "message"), COMMANDS)
def test_a_command_returns_when_it_is_done(
    robot: Robot, peer: Peer, command: Callable[[Robot], None], message: dict[str, object]
) -> None:
    commanding = in_background(lambda: command(robot))
    sent = peer.next_message(str(message["type"]))
    assert sent == message
    commanding.join(0.1)
    assert commanding.is_alive()
    peer.done(sent)
    commanding.join(30)
    assert not commanding.is_alive()


@pytest.mark.parametrize(("command", "message"), COMMANDS)
def test_a_refused_command_raises_its_error(
    robot: Robot, peer: Peer, command: Callable[[Robot], None], message: dict[str, object]
) -> None:
    def refuse() -> None:
        request_id = peer.next_message(str(message["type"]))["id"]
        peer.reply(type="error", code="robot-unavailable", message="Unplugged.", id=request_id)

    in_background(refuse)
    with pytest.raises(RobotUnavailable, match="Unplugged"):
        command(robot)


def test_a_command_without_an_answer_times_out(
    robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "_GRACE_S", 0.05)
    monkeypatch.setattr(commands, "_WAKE_OR_SLEEP_S", 0.05)
    for command, sentence in (
        (robot.wake_up, "has not woken up in 0.05 s"),
        (robot.goto_sleep, "has not gone to sleep"),
        (robot.stop_motion, "has not stopped the motion"),
        (robot.enable_motors, "has not switched the motors"),
        (lambda: robot.goto_target(body_yaw=0, duration=0.1), "move of 0.1 s has not ended 0.05 s"),
    ):
        with pytest.raises(MoveTimeout, match=sentence):
            command()


@pytest.mark.parametrize("ids", [["left_anntena"], [], "antennas", ["left_antenna", "mouth"]])
def test_an_unknown_motor_is_named_with_the_known_ones(
    robot: Robot, ids: list[str]
) -> None:
    with pytest.raises(ValueError, match=f"ids must be some of {NAMES}, not"):
        robot.enable_motors(ids)


def test_a_move_may_be_refused_for_another(robot: Robot, peer: Peer) -> None:
    def refuse() -> None:
        sent = peer.next_message("goto_target")
        assert sent["ifBusy"] == "refuse"
        peer.reply(type="error", code="busy", message="It is waking up.", id=sent["id"])

    in_background(refuse)
    with pytest.raises(RobotBusy, match="It is waking up"):
        robot.goto_target(body_yaw=0, if_busy="refuse")
    with pytest.raises(ValueError, match="if_busy must be one of replace, refuse, not 'wait'"):
        robot.goto_target(body_yaw=0, if_busy="wait")


def test_each_part_can_have_its_own_target(robot: Robot, peer: Peer) -> None:
    robot.set_target_head_pose(create_head_pose())
    robot.set_target_antenna_joint_positions([0.5, -0.5])
    robot.set_target_body_yaw(0.25)
    assert [peer.next_message("set_target") for _ in range(3)] == [
        {"type": "set_target", "head": flat(create_head_pose())},
        {"type": "set_target", "antennas": [0.5, -0.5]},
        {"type": "set_target", "bodyYaw": 0.25},
    ]


@pytest.mark.parametrize(
    "point",
    [
        (1, 0, 0),
        (2, 0.5, -0.3),
        (0.1, -1, 0.2),
        (-1, 0.001, 0),
        (0, 0, 2),
        (0, 0, -1),
        (1e-9, 0, 0),
    ],
)
def test_the_nose_points_at_the_point_and_the_eyes_stay_level(point: tuple[float, ...]) -> None:
    pose = flat(head_towards(*point))
    distance = math.hypot(*point)
    nose, left = (pose[0], pose[4], pose[8]), (pose[1], pose[5], pose[9])
    assert nose == pytest.approx([part / distance for part in point], abs=1e-12)
    assert left[2] == 0  # no roll
    assert math.hypot(*left) == pytest.approx(1)
    assert (pose[3], pose[7], pose[11]) == (0, 0, 0)


def test_looking_at_a_point_is_a_move_of_the_head_alone(robot: Robot, peer: Peer) -> None:
    looking = in_background(lambda: robot.look_at_world(1, 1, 0, duration=2))
    sent = peer.next_message("goto_target")
    assert {**sent, "head": None} == {
        "type": "goto_target",
        "id": "1",
        "head": None,
        "antennas": None,
        "bodyYaw": None,
        "durationS": 2,
        "method": "minjerk",
        "ifBusy": "replace",
    }
    assert sent["head"] == pytest.approx(flat(create_head_pose(yaw=45)))
    peer.done(sent)
    looking.join(30)
    assert not looking.is_alive()


def test_a_look_without_duration_is_a_target_and_one_without_movement_sends_nothing(
    robot: Robot, peer: Peer
) -> None:
    asked = robot.look_at_world(0, 1, 0, perform_movement=False)
    looked = robot.look_at_world(1, 0, 1, duration=0)
    assert flat(asked) == pytest.approx(flat(create_head_pose(yaw=90)))
    assert flat(looked) == pytest.approx(flat(create_head_pose(pitch=-45)))
    assert peer.next_message("hello")
    assert peer.next("message")["text"].startswith('{"type":"set_target"')


@pytest.mark.parametrize(
    ("point", "duration", "sentence"),
    [
        ((0, 0, 0), 1.0, "cannot look at"),
        ((1, math.nan, 0), 1.0, "cannot look at"),
        ((math.inf, 0, 0), 1.0, "cannot look at"),
        ((1, 0, 0), -1.0, "duration"),
        ((1, 0, 0), math.nan, "duration"),
    ],
)
def test_a_look_at_an_invalid_point_or_with_an_invalid_duration_is_refused(
    robot: Robot, point: tuple[float, float, float], duration: float, sentence: str
) -> None:
    for perform_movement in (True, False):
        with pytest.raises(ValueError, match=sentence):
            robot.look_at_world(*point, duration=duration, perform_movement=perform_movement)


def test_the_state_is_reported(robot: Robot, peer: Peer, eventually: Eventually) -> None:
    assert (robot.state, robot.torque, robot.speed_limited) == ("awake", True, False)
    peer.reply(**{**MOVED, "robot": "asleep", "torque": False, "speedLimited": True})
    eventually(lambda: (robot.state, robot.torque, robot.speed_limited) == ("asleep", False, True))


def test_a_changed_target_is_reported_and_logged_once(
    robot: Robot, peer: Peer, eventually: Eventually, caplog: pytest.LogCaptureFixture
) -> None:
    clamp = Clamp("body_yaw", 0, 0.44, "The body turns along.")

    def move(clamped: list[object]) -> None:
        moving = in_background(lambda: robot.goto_target(body_yaw=0))
        peer.done(peer.next_message("goto_target"), clamped)
        moving.join(30)

    with caplog.at_level(logging.WARNING, "robot"):
        assert list(robot.clamped) == []
        move([TURNS_ALONG])
        assert list(robot.clamped) == [clamp]
        move([])
        assert list(robot.clamped) == []
        robot.set_target(body_yaw=0)
        peer.reply(type="clamped", clamped=[TURNS_ALONG])
        eventually(lambda: list(robot.clamped) == [clamp])
    assert [record.message for record in caplog.records] == [
        "The daemon changed a target: The body turns along."
    ]


def test_a_move_between_two_targets_does_not_hide_their_changes(
    robot: Robot, peer: Peer, eventually: Eventually
) -> None:
    robot.set_target(body_yaw=0)
    peer.reply(type="clamped", clamped=[TURNS_ALONG])  # sent once, when it changes
    eventually(lambda: robot.clamped)
    moving = in_background(lambda: robot.goto_target(antennas=[0, 0]))
    peer.done(peer.next_message("goto_target"))
    moving.join(30)
    assert list(robot.clamped) == []
    robot.set_target(body_yaw=0)
    assert [clamp.part for clamp in robot.clamped] == ["body_yaw"]
