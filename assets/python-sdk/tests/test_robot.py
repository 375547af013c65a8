"""A connected robot, with the `ws` package as the daemon."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import get_type_hints

import pytest
from conftest import Eventually, NewPeer, in_background
from peer import EXAMPLES, Peer

from robot import (
    InvalidRequest,
    MoveEnd,
    Robot,
    RobotBusy,
    RobotConnectionError,
    RobotError,
    SlotTaken,
    Unreachable,
    create_head_pose,
)
from robot.utils.interpolation import InterpolationTechnique

MOVED = next(reply for reply in EXAMPLES["replies"] if reply["type"] == "state")


def test_the_annotations_of_commands_and_measurements_can_be_read_at_run_time() -> None:
    for method in (
        Robot.look_at_world,
        Robot.look_at_image,
        Robot.goto_target,
        Robot.get_current_head_pose,
        Robot.get_audio_sample,
    ):
        assert "return" in get_type_hints(method), method


def as_lists(value: object) -> object:
    return getattr(value, "tolist", lambda: value)()


def test_it_says_hello_with_the_token_of_its_run(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_RUN_TOKEN", "0b9c5f5e")
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    with Robot():
        hello = peer.next_message("hello")
    assert {**hello, "clientName": "?", "programId": "?"} == {
        "type": "hello",
        "protocol": 1,
        "sdkVersion": "1.0.0",
        "runToken": "0b9c5f5e",
        "clientName": "?",
        "programId": "?",
    }
    assert hello["clientName"]


def test_all_robots_of_a_process_say_the_same_program(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    ids = set()
    for _ in range(2):
        with Robot():
            ids.add(peer.next_message("hello")["programId"])
    assert len(ids) == 1


def test_the_joints_are_known_from_the_first_call(robot: Robot) -> None:
    head7, antennas2 = robot.get_current_joint_positions()
    assert (type(head7), head7) == (list, [0, 0.6, -0.6, 0.6, -0.6, 0.6, -0.6])
    assert (type(antennas2), antennas2) == (list, [-0.1745, 0.1745])
    present = robot.get_present_antenna_joint_positions()
    assert (type(present), present) == (list, antennas2)
    assert as_lists(robot.get_current_head_pose()) == [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1],
    ]


def test_its_state_follows_the_daemon(robot: Robot, peer: Peer, eventually: Eventually) -> None:
    peer.reply(**MOVED)
    eventually(lambda: robot.get_current_joint_positions()[0][0] == 0.1)


def test_a_target_is_sent_without_omitted_parts(robot: Robot, peer: Peer) -> None:
    robot.set_target(antennas=(0, 0))
    assert peer.next_message("set_target") == {"type": "set_target", "antennas": [0, 0]}


def test_a_refused_target_is_raised_by_the_next_call_and_logged_once(
    robot: Robot, peer: Peer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "robot"):
        for _ in range(2):
            robot.set_target(body_yaw=0)
            peer.reply(type="error", code="slot-taken", message="wave has the robot.", id=None)
            with pytest.raises(SlotTaken, match="wave has the robot"):
                while True:
                    robot.set_target(body_yaw=0)
                    time.sleep(0.005)
    assert [record.message for record in caplog.records] == [
        "The daemon refused a target: wave has the robot."
    ]
    robot.set_target(body_yaw=0)


@pytest.mark.parametrize("code", ["unreachable", "robot-unavailable"])
def test_a_target_out_of_reach_or_for_an_unavailable_robot_is_logged_and_the_stream_goes_on(
    robot: Robot, peer: Peer, caplog: pytest.LogCaptureFixture, eventually: Eventually, code: str
) -> None:
    with caplog.at_level(logging.WARNING, "robot"):
        robot.set_target(body_yaw=0)
        peer.reply(type="error", code=code, message="Too far.", id=None)
        eventually(lambda: caplog.records)
        robot.set_target(body_yaw=0)
    assert [record.message for record in caplog.records] == [
        "The daemon refused a target: Too far."
    ]


@pytest.mark.parametrize("method", ["cartoon", InterpolationTechnique.CARTOON])
def test_a_method_is_given_by_its_name_or_its_constant(
    robot: Robot, peer: Peer, method: str
) -> None:
    moving = in_background(lambda: robot.goto_target(None, [0, 0], 0.3, method, None))
    sent = peer.next_message("goto_target")
    assert (sent["method"], sent["durationS"], sent["bodyYaw"]) == ("cartoon", 0.3, None)
    peer.done(sent)
    moving.join(30)


@pytest.mark.parametrize("outcome", ["done", "replaced", "stopped"])
def test_a_move_returns_however_it_ends(
    robot: Robot, peer: Peer, outcome: str
) -> None:
    ends: list[MoveEnd] = []
    moving = in_background(
        lambda: ends.append(robot.goto_target(antennas=[0.5, -0.5], duration=3))
    )
    sent = peer.next_message("goto_target")
    assert sent == {
        "type": "goto_target",
        "id": "1",
        "head": None,
        "antennas": [0.5, -0.5],
        "bodyYaw": 0.0,
        "durationS": 3,
        "method": "minjerk",
        "ifBusy": "replace",
    }
    moving.join(0.1)
    assert moving.is_alive()
    peer.reply(type="done", id="another", outcome="done", clamped=[])
    peer.reply(type="done", id=sent["id"], outcome=outcome, clamped=[])
    moving.join(30)
    assert ends == [MoveEnd(outcome, ())]


def test_a_move_tells_the_parts_that_it_lost(robot: Robot, peer: Peer) -> None:
    ends: list[MoveEnd] = []
    moving = in_background(
        lambda: ends.append(robot.goto_target(create_head_pose(), [0, 0], body_yaw=1))
    )
    lost = ["head", "bodyYaw"]
    move_id = peer.next_message("goto_target")["id"]
    peer.reply(type="done", id=move_id, outcome="done", clamped=[], lost=lost)
    moving.join(30)
    assert ends == [MoveEnd("done", ("head", "body_yaw"))]


@pytest.mark.parametrize(
    ("move", "yaw", "given"),
    [
        (lambda robot: robot.goto_target(antennas=[0, 0]), 0, None),
        (lambda robot: robot.goto_target(antennas=[0, 0], body_yaw=None), None, None),
        (lambda robot: robot.goto_target(antennas=[0, 0], body_yaw=0.0), 0, True),
        (lambda robot: robot.goto_target(antennas=[0, 0], body_yaw=-0.0), 0, True),
        (lambda robot: robot.goto_target(body_yaw=0), 0, True),
        (lambda robot: robot.goto_target(antennas=[0, 0], body_yaw=0.5), 0.5, None),
    ],
)
def test_a_yaw_of_zero_that_the_app_gives_differs_from_the_default(
    robot: Robot,
    peer: Peer,
    move: Callable[[Robot], object],
    yaw: float | None,
    given: bool | None,
) -> None:
    moving = in_background(lambda: move(robot))
    sent = peer.next_message("goto_target")
    assert (sent["bodyYaw"], sent.get("bodyYawGiven")) == (yaw, given)
    peer.done(sent)
    moving.join(30)


def test_a_dropped_target_is_logged_once_and_the_stream_goes_on(
    robot: Robot, peer: Peer, caplog: pytest.LogCaptureFixture, eventually: Eventually
) -> None:
    why = "Targets for the head are dropped until the robot has finished moving."
    with caplog.at_level(logging.WARNING, "robot"):
        for _ in range(2):
            robot.set_target(create_head_pose())
            peer.reply(type="clamped", clamped=[], dropped=[{"part": "head", "why": why}])
        eventually(lambda: caplog.records)
        peer.reply(**MOVED)
        eventually(lambda: robot.get_current_joint_positions()[0][0] == 0.1)
        robot.set_target(create_head_pose())
    assert [record.message for record in caplog.records] == [f"The daemon dropped a target: {why}"]


def test_a_move_may_leave_the_body_as_it_is(robot: Robot, peer: Peer) -> None:
    moving = in_background(lambda: robot.goto_target(antennas=[0, 0], body_yaw=None))
    sent = peer.next_message("goto_target")
    assert sent["bodyYaw"] is None
    peer.done(sent)
    moving.join(30)
    with pytest.raises(ValueError, match="at least one"):
        robot.goto_target(body_yaw=None)


def test_a_refused_move_raises_its_error(robot: Robot, peer: Peer) -> None:
    def refuse() -> None:
        move_id = peer.next_message("goto_target")["id"]
        peer.reply(type="error", code="unreachable", message="Too far.", id=move_id)

    in_background(refuse)
    with pytest.raises(Unreachable, match="Too far"):
        robot.goto_target(body_yaw=9)


@pytest.mark.parametrize("by", ["message", "event"])
def test_a_stop_ends_the_wait_for_a_move(robot: Robot, peer: Peer, by: str) -> None:
    moving = in_background(lambda: robot.goto_target(body_yaw=1, duration=60))
    peer.next_message("goto_target")
    if by == "message":
        peer.reply(type="stop")
    else:
        robot.stop_event.set()
    moving.join(30)
    assert not moving.is_alive()
    assert robot.stop_event.is_set()


def test_a_stop_message_sets_the_event_that_was_given(peer: Peer) -> None:
    stop_event = threading.Event()
    with Robot(peer.url, stop_event=stop_event):
        peer.reply(type="stop")
        assert stop_event.wait(1)


def test_many_threads_may_send_at_once(robot: Robot, peer: Peer) -> None:
    def send(yaw: float) -> None:
        for _ in range(50):
            robot.set_target(body_yaw=yaw)

    threads = [in_background(partial(send, yaw)) for yaw in range(4)]
    for thread in threads:
        thread.join(30)
    yaws = [peer.next_message("set_target")["bodyYaw"] for _ in range(200)]
    assert sorted(yaws) == sorted([0, 1, 2, 3] * 50)


def test_close_sends_one_close_frame_and_ends_the_robot(robot: Robot, peer: Peer) -> None:
    robot.close()
    robot.disconnect()
    assert peer.next("closed")["code"] == 1000
    assert not [t for t in threading.enumerate() if t.name == "robot-daemon-link"]
    with pytest.raises(RobotConnectionError, match="was closed"):
        robot.set_target(body_yaw=0)


def test_the_error_without_a_daemon_is_a_sentence_for_people() -> None:
    with pytest.raises(RobotConnectionError) as caught:
        Robot("http://127.0.0.1:9")
    assert str(caught.value) == (
        "Nothing answers at http://127.0.0.1:9. The daemon is probably not running. "
        'Start Robot Desktop, or run "robot-daemon", then try again. '
        "If it has another address, set ROBOT_DAEMON_URL to the one that it prints."
    )
    assert isinstance(caught.value, ConnectionError)
    assert isinstance(caught.value, RobotError)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (
            {"refuse": {"status": 403, "body": {"error": "Foreign host."}}},
            "^The daemon at .* refuses this program. Foreign host.",
        ),
        (
            {"refuse": {"status": 503, "body": {"error": "16 programs are here."}}},
            "^The daemon at .* cannot accept this program now. 16 programs are here. Stop",
        ),
        (
            {"refuse": {"status": 404, "body": "?"}},
            "^Something answers at .*status 404.*not a daemon that this SDK",
        ),
        ({"badAccept": True}, "^Something answers at .*not a daemon that this SDK supports"),
        ({"welcome": None}, "^The daemon at .* did not accept this program within 0.3 s"),
        (
            {
                "welcome": {
                    "type": "error",
                    "code": "bad-protocol",
                    "message": "This SDK is too old.",
                    "id": None,
                }
            },
            "^The daemon refused this program: This SDK is too old.",
        ),
    ],
)
def test_a_daemon_that_refuses_the_program_gives_the_reason(
    new_peer: NewPeer, script: dict[str, object], sentence: str
) -> None:
    with pytest.raises(RobotConnectionError, match=sentence):
        Robot(new_peer(**script).url, timeout=0.3 if script == {"welcome": None} else 3)


def test_each_code_has_an_error_class_and_an_unknown_code_a_plain_error(
    robot: Robot, peer: Peer
) -> None:
    def refuse(code: str) -> None:
        move_id = peer.next_message("goto_target")["id"]
        peer.reply(type="error", code=code, message="No.", id=move_id)

    for code, kind in (
        ("bad-message", InvalidRequest),
        ("busy", RobotBusy),
        ("new-reason", RobotError),
    ):
        in_background(partial(refuse, code))
        with pytest.raises(RobotError) as caught:
            robot.goto_target(body_yaw=0)
        assert type(caught.value) is kind
