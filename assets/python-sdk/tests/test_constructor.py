"""The keywords and positions of the constructor of `Robot`."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable

import pytest
from conftest import NewPeer, in_background
from peer import WELCOME, Peer

from robot import Robot, RobotConnectionError

KEYWORDS = [
    "robot_name",
    "host",
    "port",
    "connection_mode",
    "spawn_daemon",
    "use_sim",
    "timeout",
    "automatic_body_yaw",
    "log_level",
    "media_backend",
    "localhost_only",
]


def test_the_positions_of_the_arguments() -> None:
    assert list(inspect.signature(Robot).parameters)[: len(KEYWORDS)] == KEYWORDS


@pytest.mark.torture
@pytest.mark.parametrize(
    "create",
    [
        lambda peer: Robot(),
        lambda peer: Robot(localhost_only=True),
        lambda peer: Robot(localhost_only=False),
        lambda peer: Robot(localhost_only=None),
        lambda peer: Robot(spawn_daemon=True, localhost_only=False, timeout=15.0),
        lambda peer: Robot(spawn_daemon=False, use_sim=True),
        lambda peer: Robot(connection_mode="network"),
        lambda peer: Robot(connection_mode="localhost_only"),
        lambda peer: Robot(media_backend="no_media", timeout=5, log_level="WARNING"),
        lambda peer: Robot(host="localhost", port=peer.port),
        lambda peer: Robot("robot", "127.0.0.1", peer.port, "network"),
        lambda peer: Robot(port=peer.port, automatic_body_yaw=True),
        lambda peer: Robot(None),
        lambda peer: Robot(peer.url),
        lambda peer: Robot(daemon_url=peer.url),
    ],
)
def test_the_forms_that_apps_use_connect(
    peer: Peer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    create: Callable[[Peer], Robot],
) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    with create(peer) as robot:
        assert robot.state == "awake"
    assert caplog.messages == []


def test_a_missing_daemon_is_explained_to_those_who_would_have_it_started(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(RobotConnectionError) as caught:
        Robot(host="localhost", port=9, spawn_daemon=True, use_sim=True)
    assert str(caught.value) == (
        "Nothing answers at http://127.0.0.1:9. The daemon is probably not running. "
        'Start Robot Desktop, or run "robot-daemon", then try again. '
        "If it has another address, set ROBOT_DAEMON_URL to the one that it prints. "
        "This program cannot start a daemon itself (spawn_daemon)."
    )
    assert caplog.messages == []


def test_a_real_robot_is_not_simulated_and_that_is_said_once(
    new_peer: NewPeer, caplog: pytest.LogCaptureFixture
) -> None:
    lite = new_peer(welcome={**WELCOME, "backend": "lite"})
    for _ in range(2):
        Robot(lite.url, use_sim=True).close()
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("use_sim=True does not simulate the robot")


def test_another_name_chooses_no_robot_and_that_is_said_once(
    peer: Peer, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        with Robot("kitchen", port=peer.port) as robot:
            assert robot.client.get_status().robot_name == "kitchen"
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("robot_name='kitchen' chooses no robot")


@pytest.mark.parametrize("level", ["DEBUG", "debug", logging.DEBUG])
def test_the_level_of_the_log(peer: Peer, level: str | int) -> None:
    logger = logging.getLogger("robot")
    before = logger.level
    try:
        with Robot(peer.url, log_level=level) as robot:
            assert robot.logger is logger
        assert logger.level == logging.DEBUG
        with pytest.raises(ValueError, match="LOUD"):
            Robot(peer.url, log_level="loud")
    finally:
        logger.setLevel(before)


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="connection_mode must be one of auto, localhost_only"):
        Robot(connection_mode="wifi")


def test_a_body_that_does_not_turn_along_is_asked_for(peer: Peer) -> None:
    connected: list[Robot] = []
    connecting = in_background(lambda: connected.append(Robot(peer.url, automatic_body_yaw=False)))
    sent = peer.next_message("set_automatic_body_yaw")
    assert sent == {"type": "set_automatic_body_yaw", "id": "1", "enabled": False}
    peer.done(sent)
    connecting.join(30)
    connected[0].close()


def test_a_refused_body_yaw_is_logged_and_the_robot_is_connected(
    peer: Peer, caplog: pytest.LogCaptureFixture
) -> None:
    connected: list[Robot] = []
    connecting = in_background(lambda: connected.append(Robot(peer.url, automatic_body_yaw=False)))
    sent = peer.next_message("set_automatic_body_yaw")
    peer.reply(type="error", code="slot-taken", message="wave has the robot.", id=sent["id"])
    connecting.join(30)
    assert caplog.messages == ["automatic_body_yaw=False has no effect: wave has the robot."]
    with connected[0] as robot:
        assert robot.state == "awake"


def test_a_lost_daemon_during_the_constructor_leaves_nothing_open(peer: Peer) -> None:
    failures: list[Exception] = []

    def connect() -> None:
        try:
            Robot(peer.url, automatic_body_yaw=False)
        except RobotConnectionError as error:
            failures.append(error)

    connecting = in_background(connect)
    peer.next_message("set_automatic_body_yaw")
    peer.kill()
    connecting.join(30)
    assert len(failures) == 1
