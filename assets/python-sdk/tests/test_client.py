"""The status of the daemon, and the connection, as `robot.client`."""

from __future__ import annotations

import json

import pytest
from conftest import Eventually, NewPeer
from peer import EXAMPLES, WELCOME, Peer

from robot import Robot, RobotConnectionError

STATE = next(reply for reply in EXAMPLES["replies"] if reply["type"] == "state")


def test_a_status_is_read_as_attributes_and_as_a_mapping(robot: Robot) -> None:
    for status in (
        robot.client.get_status(),
        robot.client.get_status(wait=False),
        robot.client.get_status(wait=True, timeout=2.0),
        robot.client.get_status(False),
    ):
        assert isinstance(status, dict)
        assert status.simulation_enabled is True
        assert status["simulation_enabled"] is True
        assert status.get("simulation_enabled", False) is True
        assert getattr(status, "simulation_enabled", False) is True
        assert status.get("weather") is None
        assert getattr(status, "weather", 7) == 7
        assert not hasattr(status, "weather")
        assert "wlan_ip" in status
        assert (status.wlan_ip, status["wlan_ip"]) == (None, None)
        assert status.wireless_version is False
        assert status.error is None
        assert status.version == WELCOME["daemonVersion"]
        with pytest.raises(AttributeError, match="DaemonStatus has no 'weather'"):
            _ = status.weather
        with pytest.raises(KeyError):
            _ = status["weather"]


def test_a_state_is_a_text_and_has_a_value(robot: Robot) -> None:
    status = robot.client.get_status()
    assert status.state == "running"
    assert (status.state.value, str(status.state), f"{status.state}") == ("running",) * 3
    mode = status.backend_status.motor_control_mode
    assert mode == status["backend_status"]["motor_control_mode"] == "enabled"
    assert mode.value == "enabled"
    assert status.backend_status.ready


def test_a_status_is_a_plain_dictionary_for_those_who_want_one(robot: Robot) -> None:
    status = robot.client.get_status()
    plain = status.to_dict()
    assert (type(plain), type(plain["state"])) == (dict, str)
    assert plain == status.model_dump() == status.model_dump(mode="json")
    assert json.loads(json.dumps(status)) == json.loads(status.model_dump_json()) == plain
    assert plain.keys() == set(status) == dict(status).keys()
    assert plain["backend_status"] == {
        "ready": True,
        "motor_control_mode": "enabled",
        "error": None,
    }


@pytest.mark.parametrize(
    ("backend", "simulated", "mockup"),
    [("simulation", True, False), ("emulator", True, True), ("lite", False, False)],
)
def test_a_status_tells_a_simulated_robot_from_a_real_one(
    new_peer: NewPeer, backend: str, simulated: bool, mockup: bool
) -> None:
    with Robot(new_peer(welcome={**WELCOME, "backend": backend}).url) as robot:
        status = robot.client.get_status()
        assert (status.simulation_enabled, status.mockup_sim_enabled) == (simulated, mockup)


def test_a_status_follows_the_robot(robot: Robot, peer: Peer, eventually: Eventually) -> None:
    peer.reply(**{**STATE, "robot": "asleep", "torque": False})
    eventually(lambda: robot.state == "asleep")
    status = robot.client.get_status()
    assert (status.state, status.error) == ("running", None)
    assert status.backend_status.motor_control_mode == "disabled"
    peer.reply(**{**STATE, "robot": "disconnected", "torque": False})
    eventually(lambda: robot.state == "disconnected")
    status = robot.client.get_status()
    assert (status.state, status.error) == ("error", "The robot is not connected.")
    assert not status.backend_status.ready


def test_a_status_knows_what_the_constructor_was_given(peer: Peer) -> None:
    with Robot(peer.url, media_backend="no_media") as robot:
        assert robot.client.get_status().no_media is True
    with Robot(peer.url) as robot:
        assert robot.client.get_status().no_media is False


def test_the_client_disconnects_and_the_robot_can_still_be_closed(peer: Peer) -> None:
    with Robot(peer.url) as robot:
        assert robot.client.is_connected()
        robot.client.disconnect()
        robot.client.disconnect()
        assert peer.next("closed")["code"] == 1000
        assert not robot.client.is_connected()
        with pytest.raises(RobotConnectionError, match="was closed"):
            robot.client.get_status()
        with pytest.raises(ConnectionError):
            robot.set_target(body_yaw=0)
    robot.client.disconnect()


def test_a_disconnected_app_is_not_asked_to_stop(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_RUN_TOKEN", "0b9c5f5e")
    with Robot(peer.url) as robot:
        robot.client.disconnect()
    assert not robot.stop_event.is_set()
