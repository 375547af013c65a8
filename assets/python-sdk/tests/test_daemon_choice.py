"""The daemon that the constructor's keywords choose."""

from __future__ import annotations

import threading

import pytest
from conftest import NewPeer
from peer import Peer

from robot import Robot, RobotConnectionError
from robot._daemon.daemon_choice import choose_addresses, connect
from robot._daemon.session import _why_no_connection
from robot._wire.address import DaemonAddress
from robot._wire.daemon_token import bearer_token
from robot._wire.handshake import HandshakeRefused

OWN = "http://127.0.0.1:8123"
THERE = "192.168.1.20"
UNUSED_PORT = 9


@pytest.mark.parametrize(
    ("own", "arguments", "expected"),
    [
        (None, {}, ["http://127.0.0.1:8000"]),
        (OWN, {}, [OWN]),
        (OWN, {"connection_mode": "network"}, [OWN]),
        (OWN, {"connection_mode": "localhost_only"}, [OWN]),
        (OWN, {"daemon_url": "http://10.0.0.1:7", "host": THERE}, ["http://10.0.0.1:7"]),
        (OWN, {"host": "http://10.0.0.1:7"}, ["http://10.0.0.1:7"]),
        (OWN, {"host": "localhost"}, [OWN]),
        (OWN, {"host": "127.0.0.1", "port": 8123}, [OWN]),
        (OWN, {"host": "127.0.0.1", "port": 8200}, ["http://127.0.0.1:8200"]),
        (OWN, {"port": 8200}, ["http://127.0.0.1:8200"]),
        (None, {"port": 8200}, ["http://127.0.0.1:8200"]),
        (None, {"host": "::1", "port": 8200}, ["http://127.0.0.1:8200"]),
        (None, {"host": "localhost", "connection_mode": "network"}, ["http://127.0.0.1:8000"]),
        (None, {"host": THERE}, ["http://127.0.0.1:8000", f"http://{THERE}:8000"]),
        (OWN, {"host": THERE}, [OWN, f"http://{THERE}:8000"]),
        (None, {"host": THERE, "port": 7}, ["http://127.0.0.1:7", f"http://{THERE}:7"]),
        (None, {"host": THERE, "connection_mode": "localhost_only"}, ["http://127.0.0.1:8000"]),
        (OWN, {"host": THERE, "connection_mode": "network"}, [f"http://{THERE}:8000"]),
        (OWN, {"host": "fe80::1", "connection_mode": "network"}, ["http://[fe80::1]:8000"]),
        ("http://robot:80", {"host": "localhost"}, ["http://127.0.0.1:8000"]),
    ],
)
def test_the_addresses_to_try(
    monkeypatch: pytest.MonkeyPatch,
    own: str | None,
    arguments: dict[str, object],
    expected: list[str],
) -> None:
    monkeypatch.delenv("ROBOT_RUN_TOKEN", raising=False)
    monkeypatch.setenv("ROBOT_DAEMON_URL", own or "")
    assert [address.url for address in addresses_of(**arguments)] == expected


def addresses_of(
    daemon_url: object = None,
    host: object = None,
    port: object = None,
    connection_mode: object = "auto",
) -> list[DaemonAddress]:
    return choose_addresses(daemon_url, host, port, connection_mode)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments",
    [
        {"connection_mode": "somehow"},
        {"host": "a b"},
        {"port": 70_000},
        {"port": "many"},
        {"daemon_url": "ws://127.0.0.1"},
    ],
)
def test_invalid_arguments_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="connection_mode|address"):
        addresses_of(**arguments)


def test_an_app_with_a_fixed_port_reaches_the_daemon_that_started_it(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    monkeypatch.setenv("ROBOT_RUN_TOKEN", "0b9c5f5e")
    with Robot(host="localhost", port=UNUSED_PORT, connection_mode="localhost_only"):
        assert peer.next_message("hello")["runToken"] == "0b9c5f5e"
    with Robot(host="localhost", port=peer.port):
        assert peer.next_message("hello")["runToken"] == "0b9c5f5e"


def test_the_token_of_a_run_is_for_its_daemon_only(
    new_peer: NewPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = new_peer(), new_peer()
    monkeypatch.setenv("ROBOT_DAEMON_URL", own.url)
    monkeypatch.setenv("ROBOT_RUN_TOKEN", "0b9c5f5e")
    with Robot(other.url):
        assert other.next_message("hello")["runToken"] is None


def test_the_next_address_is_tried_and_a_failure_names_each(peer: Peer) -> None:
    nothing = DaemonAddress.of("127.0.0.1", UNUSED_PORT)
    there = DaemonAddress.parse(peer.url)
    connect([nothing, there], 5, threading.Event(), "a program").close()
    assert peer.next_message("hello")["clientName"] == "a program"
    with pytest.raises(RobotConnectionError) as caught:
        connect([nothing, DaemonAddress.of("127.0.0.1", 7)], 5, threading.Event(), "a program")
    assert "127.0.0.1:9" in str(caught.value)
    assert "127.0.0.1:7" in str(caught.value)


def test_the_upgrade_sends_the_token_of_the_run_else_the_one_that_a_user_set(
    new_peer: NewPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = new_peer(), new_peer()

    def sent(peer: Peer) -> object:
        with Robot(peer.url):
            return peer.next("upgrade")["headers"].get("authorization")

    monkeypatch.delenv("ROBOT_RUN_TOKEN", raising=False)
    monkeypatch.delenv("ROBOT_DAEMON_TOKEN", raising=False)
    monkeypatch.delenv("ROBOT_DAEMON_URL", raising=False)
    assert sent(own) is None
    monkeypatch.setenv("ROBOT_DAEMON_TOKEN", " rd_user\n")
    assert sent(own) == "Bearer rd_user"
    monkeypatch.setenv("ROBOT_DAEMON_URL", own.url)
    monkeypatch.setenv("ROBOT_RUN_TOKEN", "0b9c5f5e")
    assert sent(own) == "Bearer 0b9c5f5e"
    assert sent(other) is None
    monkeypatch.setenv("ROBOT_RUN_TOKEN", "")
    monkeypatch.setenv("ROBOT_DAEMON_TOKEN", "two lines\r\nHost: evil")
    assert sent(own) is None


def test_without_an_address_a_token_stays_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    here, elsewhere = DaemonAddress.of("localhost", 8000), DaemonAddress.of("robot.lan", 8000)
    monkeypatch.delenv("ROBOT_DAEMON_URL", raising=False)
    monkeypatch.delenv("ROBOT_RUN_TOKEN", raising=False)
    monkeypatch.setenv("ROBOT_DAEMON_TOKEN", "rd_user")
    assert [bearer_token(here), bearer_token(elsewhere)] == ["rd_user", None]
    monkeypatch.setenv("ROBOT_RUN_TOKEN", "0b9c5f5e")
    assert [bearer_token(here), bearer_token(elsewhere)] == ["0b9c5f5e", None]
    monkeypatch.setenv("ROBOT_DAEMON_URL", elsewhere.url)
    assert [bearer_token(here), bearer_token(elsewhere)] == [None, "0b9c5f5e"]


@pytest.mark.parametrize(
    ("host", "status", "advice"),
    [
        ("127.0.0.1", 401, "No. For a program, set ROBOT_DAEMON_TOKEN to a token."),
        (
            "robot.lan",
            401,
            "No. Run the program on the daemon's own machine, with the address that it prints, "
            "or set ROBOT_DAEMON_URL to this address and ROBOT_DAEMON_TOKEN to a token.",
        ),
        (
            "robot.lan",
            403,
            "No. Run the program on the daemon's own machine, with the address that it prints.",
        ),
    ],
)
def test_a_refusal_says_what_helps_from_there(host: str, status: int, advice: str) -> None:
    address = DaemonAddress.of(host, 8000)
    reason = _why_no_connection(address, 1, HandshakeRefused(status, "No."))
    assert reason == f"The daemon at {address.url} refuses this program. {advice}"
