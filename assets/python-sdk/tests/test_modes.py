"""Gravity compensation and the body that turns along."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import pytest
from conftest import Eventually, NewPeer, in_background
from peer import Peer

from robot import MoveTimeout, Robot, RobotUnavailable, SlotTaken, Unsupported
from robot._calls import modes
from robot._wire import messages

COMMANDS: list[tuple[Callable[[Robot], None], dict[str, object]]] = [
    (
        Robot.enable_gravity_compensation,
        {"type": "set_gravity_compensation", "id": "1", "enabled": True},
    ),
    (
        Robot.disable_gravity_compensation,
        {"type": "set_gravity_compensation", "id": "1", "enabled": False},
    ),
    (
        lambda robot: robot.set_automatic_body_yaw(True),
        {"type": "set_automatic_body_yaw", "id": "1", "enabled": True},
    ),
    (
        lambda robot: robot.set_automatic_body_yaw(enabled=False),
        {"type": "set_automatic_body_yaw", "id": "1", "enabled": False},
    ),
]


@pytest.mark.parametrize(("command", "message"), COMMANDS)
def test_a_mode_is_switched_when_the_daemon_has_done_it(
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
def test_a_refused_mode_raises_its_error(
    robot: Robot, peer: Peer, command: Callable[[Robot], None], message: dict[str, object]
) -> None:
    for code, kind in (("slot-taken", SlotTaken), ("robot-unavailable", RobotUnavailable)):

        def refuse(code: str = code) -> None:
            request_id = peer.next_message(str(message["type"]))["id"]
            peer.reply(type="error", code=code, message="No.", id=request_id)

        in_background(refuse)
        with pytest.raises(kind, match="No"):
            command(robot)


def test_servos_that_cannot_compensate_are_reported_once_and_the_app_goes_on(
    robot: Robot, peer: Peer, caplog: pytest.LogCaptureFixture
) -> None:
    why = "These servos cannot compensate gravity: the head keeps its position."

    def refuse() -> None:
        request_id = peer.next_message("set_gravity_compensation")["id"]
        peer.reply(type="error", code="unsupported", message=why, id=request_id)

    for command in (
        robot.enable_gravity_compensation,
        robot.enable_gravity_compensation,
        robot.disable_gravity_compensation,
    ):
        in_background(refuse)
        command()
    assert caplog.messages == [why]
    assert robot.client.get_status().backend_status.motor_control_mode == "enabled"


def test_an_unsupported_request_has_an_error_of_its_own(robot: Robot, peer: Peer) -> None:
    def refuse() -> None:
        request_id = peer.next_message("set_automatic_body_yaw")["id"]
        peer.reply(type="error", code="unsupported", message="No.", id=request_id)

    in_background(refuse)
    with pytest.raises(Unsupported, match="No"):
        robot.set_automatic_body_yaw(False)


def test_a_mode_that_is_not_answered_times_out(
    robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modes, "_GRACE_S", 0.2)
    with pytest.raises(MoveTimeout, match="has not switched gravity compensation in 0.2 s"):
        robot.enable_gravity_compensation()
    with pytest.raises(TimeoutError, match="has not switched the turns of the body"):
        robot.set_automatic_body_yaw(False)


def test_the_status_has_the_mode_of_the_motors(robot: Robot, peer: Peer) -> None:
    def mode_after(command: Callable[[], None], kind: str) -> str:
        commanding = in_background(command)
        peer.done(peer.next_message(kind))
        commanding.join(30)
        return robot.client.get_status().backend_status.motor_control_mode.value

    soft = "set_gravity_compensation"
    assert mode_after(robot.enable_gravity_compensation, soft) == "gravity_compensation"
    assert mode_after(robot.disable_gravity_compensation, soft) == "enabled"
    assert mode_after(robot.enable_gravity_compensation, soft) == "gravity_compensation"
    assert mode_after(robot.enable_motors, "set_torque") == "enabled"


def test_a_daemon_that_is_back_learns_that_the_body_does_not_turn_along(
    robot: Robot, peer: Peer, new_peer: NewPeer, eventually: Eventually
) -> None:
    def connects() -> bool:
        try:
            return robot.state == "awake"
        except ConnectionError:
            return False

    for enabled in (True, False):
        switching = in_background(partial(robot.set_automatic_body_yaw, enabled))
        peer.done(peer.next_message("set_automatic_body_yaw"))
        switching.join(30)
    peer.command("leave")
    eventually(lambda: not connects())
    again = new_peer(port=peer.port)
    eventually(connects)
    sent = again.next_message("set_automatic_body_yaw")
    assert {**sent, "id": "?"} == {"type": "set_automatic_body_yaw", "id": "?", "enabled": False}
    again.done(sent)
    robot.set_target(body_yaw=0)
    assert json.loads(again.next("message")["text"])["type"] == "set_target"


def test_the_messages_have_the_form_of_the_wire() -> None:
    assert messages.with_id(messages.set_gravity_compensation(True), "7") == {
        "type": "set_gravity_compensation",
        "id": "7",
        "enabled": True,
    }
    assert messages.with_id(messages.set_automatic_body_yaw(False), "8") == {
        "type": "set_automatic_body_yaw",
        "id": "8",
        "enabled": False,
    }
