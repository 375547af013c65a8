"""A lost daemon: apps are asked to stop, and programs started by hand reconnect."""

from __future__ import annotations

import threading
import time

import pytest
from conftest import Eventually, NewPeer, in_background
from peer import Peer

from robot import Robot, RobotConnectionError
from robot._daemon import connection, link


def is_lost(robot: Robot) -> bool:
    try:
        return robot.state == "nowhere"
    except RobotConnectionError:
        return True


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "robot-daemon-link"]


@pytest.mark.parametrize("how", ["crash", "close"])
def test_a_lost_daemon_is_raised_by_every_call(
    robot: Robot, peer: Peer, eventually: Eventually, how: str
) -> None:
    robot.set_target(body_yaw=0)
    if how == "crash":
        peer.kill()
    else:
        peer.command("close", code=1001, reason="it is going down")
        peer.command("leave")
    eventually(lambda: is_lost(robot))
    for call in (
        lambda: robot.set_target(body_yaw=0),
        lambda: robot.goto_target(body_yaw=0),
        robot.wake_up,
        robot.enable_motors,
        robot.get_current_head_pose,
        robot.get_current_joint_positions,
        robot.get_present_antenna_joint_positions,
        robot.enable_gravity_compensation,
        robot.disable_gravity_compensation,
        lambda: robot.set_automatic_body_yaw(True),
        robot.client.get_status,
        lambda: robot.torque,
        lambda: robot.clamped,
    ):
        with pytest.raises(RobotConnectionError, match="to the daemon .*was lost"):
            call()
    assert not robot.stop_event.is_set()


def test_a_lost_daemon_ends_the_wait_for_a_move(robot: Robot, peer: Peer) -> None:
    def crash() -> None:
        peer.next_message("goto_target")
        peer.kill()

    in_background(crash)
    with pytest.raises(RobotConnectionError, match="was lost: .* Start it, then this program goes"):
        robot.goto_target(body_yaw=1, duration=60)


def test_a_daemon_that_sends_invalid_messages_is_lost(robot: Robot, peer: Peer) -> None:
    def talk_nonsense() -> None:
        peer.next_message("goto_target")
        peer.command("send", text='{"type": "state"}')

    in_background(talk_nonsense)
    with pytest.raises(RobotConnectionError, match="does not understand"):
        robot.goto_target(body_yaw=0, duration=60)
    assert peer.next("closed")["code"] == 1002


def test_a_silent_daemon_is_pinged_and_kept_when_it_answers(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_PING_AFTER_SILENCE_S", 0.05)
    with Robot(peer.url) as robot:
        time.sleep(0.5)  # five times as long as it takes to lose one
        robot.set_target(body_yaw=0)
        assert peer.next_message("set_target")


def test_a_daemon_that_answers_no_ping_is_lost(
    new_peer: NewPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_PING_AFTER_SILENCE_S", 0.05)
    monkeypatch.setattr(link, "_FIRST_RETRY_S", 60.0)
    raised = pytest.raises(RobotConnectionError, match="sent nothing for")
    with Robot(new_peer(noPong=True).url) as robot, raised:
        robot.goto_target(body_yaw=0, duration=60)


def test_pings_are_answered_while_the_program_computes_and_streams(
    robot: Robot, peer: Peer
) -> None:
    enough = threading.Event()

    def stream() -> None:
        while not enough.is_set():
            robot.set_target(body_yaw=0)

    def compute() -> None:
        while not enough.is_set():
            sum(range(10_000))

    busy = [in_background(work) for work in (stream, stream, compute)]
    for number in range(5):
        peer.command("ping", data=str(number))
        assert peer.next("pong")["data"] == str(number)
    enough.set()
    for thread in busy:
        thread.join(30)


def test_a_program_started_by_hand_goes_on_when_the_daemon_is_back(
    robot: Robot, peer: Peer, new_peer: NewPeer, eventually: Eventually
) -> None:
    for _ in range(2):
        peer.kill()
        eventually(lambda: is_lost(robot))
        peer = new_peer(port=peer.port)
        assert peer.next_message("hello")["runToken"] is None
        eventually(lambda: not is_lost(robot))
        robot.set_target(body_yaw=0.25)
        assert peer.next_message("set_target") == {"type": "set_target", "bodyYaw": 0.25}
        moving = in_background(lambda: robot.goto_target(body_yaw=1, duration=60))
        peer.done(peer.next_message("goto_target"))
        moving.join(30)
        assert not moving.is_alive()
        assert len(readers()) == 1


def test_a_refusal_is_forgotten_when_its_daemon_is_lost(
    robot: Robot, peer: Peer, new_peer: NewPeer, eventually: Eventually
) -> None:
    peer.reply(type="error", code="slot-taken", message="wave has the robot.", id=None)
    peer.command("leave")
    eventually(lambda: is_lost(robot))
    peer = new_peer(port=peer.port)
    eventually(lambda: not is_lost(robot))
    robot.set_target(body_yaw=0)
    assert peer.next_message("set_target")


def test_a_daemon_that_is_back_and_refuses_the_program_gives_the_reason(
    robot: Robot, peer: Peer, new_peer: NewPeer, eventually: Eventually
) -> None:
    def is_refused() -> bool:
        with pytest.raises(RobotConnectionError) as caught:
            robot.set_target(body_yaw=0)
        return "16 programs are here." in str(caught.value)

    peer.kill()
    eventually(lambda: is_lost(robot))
    refuse = {"status": 503, "body": {"error": "16 programs are here."}}
    full = new_peer(port=peer.port, refuse=refuse)
    eventually(is_refused)
    full.kill()
    new_peer(port=peer.port)
    eventually(lambda: not is_lost(robot))


def test_an_app_of_the_daemon_is_asked_to_stop_and_does_not_reconnect(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_RUN_TOKEN", "0b9c5f5e")
    with Robot(peer.url) as robot:
        (reader,) = readers()
        peer.kill()
        assert robot.stop_event.wait(30)
        reader.join(30)
        assert not readers()
        with pytest.raises(RobotConnectionError, match="Start it, then start this program again"):
            robot.goto_target(body_yaw=0)


def test_closing_ends_reconnecting_and_waiting(
    robot: Robot, peer: Peer, eventually: Eventually
) -> None:
    peer.kill()
    eventually(lambda: is_lost(robot))
    robot.close()
    assert not readers()
    with pytest.raises(RobotConnectionError, match="was closed"):
        robot.set_target(body_yaw=0)


def test_closing_ends_the_wait_of_another_thread(robot: Robot, peer: Peer) -> None:
    raised: list[BaseException] = []

    def move() -> None:
        try:
            robot.goto_target(body_yaw=1, duration=60)
        except RobotConnectionError as error:
            raised.append(error)

    moving = in_background(move)
    peer.next_message("goto_target")
    robot.close()
    moving.join(30)
    assert "was closed" in str(raised[0])
