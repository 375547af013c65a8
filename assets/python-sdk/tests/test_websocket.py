"""The socket client with the `ws` package as its server."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator

import pytest
from conftest import NewPeer
from peer import Peer

from robot._wire import frames, handshake
from robot._wire.address import DaemonAddress
from robot._wire.websocket import MAX_MESSAGE_BYTES, ConnectionClosed, WebSocket


@pytest.fixture
def client(peer: Peer) -> Iterator[WebSocket]:
    opened = WebSocket.connect(DaemonAddress.parse(peer.url), timeout_s=30)
    yield opened
    opened.abort()


def test_the_upgrade_requests_the_sdk_route_without_an_origin(
    client: WebSocket, peer: Peer
) -> None:
    upgrade = peer.next("upgrade")
    assert upgrade["path"] == "/ws/sdk"
    assert "origin" not in upgrade["headers"]
    assert upgrade["headers"]["host"] == peer.url.removeprefix("http://")
    assert re.fullmatch(r"[A-Za-z0-9+/]{22}==", upgrade["headers"]["sec-websocket-key"])


def test_the_connection_sends_small_messages_at_once(client: WebSocket) -> None:
    assert client._writing.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("size", [2, 200, 70_000, MAX_MESSAGE_BYTES])
def test_messages_of_every_size_pass_both_ways(client: WebSocket, peer: Peer, size: int) -> None:
    text = json.dumps("é" * (size // 2 - 1), ensure_ascii=False)
    client.send_text(text)
    assert peer.next("message")["text"] == text
    peer.command("send", text=text)
    assert client.receive(timeout_s=30) == text


def test_fragments_are_joined_and_pings_between_them_answered(
    client: WebSocket, peer: Peer
) -> None:
    peer.command("fragments", parts=["one ", "two ", "three"])
    assert client.receive(timeout_s=30) == "one two three"
    with pytest.raises(TimeoutError):
        client.receive(timeout_s=0.1)
    assert [peer.next("pong")["data"] for _ in range(3)] == ["between 0", "between 1", "between 2"]


def test_a_timeout_keeps_the_received_bytes_and_the_connection(
    client: WebSocket, peer: Peer
) -> None:
    started_s = time.monotonic()
    with pytest.raises(TimeoutError):
        client.receive(timeout_s=0.05)
    assert time.monotonic() - started_s > 0.04
    peer.command("send", text="later")
    assert client.receive(timeout_s=30) == "later"


def test_the_answer_to_a_ping_updates_the_time_of_reception(client: WebSocket) -> None:
    before_s = client.received_at_s
    client.ping()
    with pytest.raises(TimeoutError):
        client.receive(timeout_s=0.2)
    assert client.received_at_s > before_s


def test_a_close_by_the_daemon_is_answered(client: WebSocket, peer: Peer) -> None:
    peer.command("close", code=1001, reason="going down")
    with pytest.raises(ConnectionClosed, match="going down") as caught:
        client.receive(timeout_s=30)
    assert caught.value.code == 1001
    client.abort()
    assert peer.next("closed")["code"] == 1001
    with pytest.raises(ConnectionClosed):
        client.send_text("too late")


def test_a_close_by_the_client_is_a_handshake_too(client: WebSocket, peer: Peer) -> None:
    client.begin_close()
    with pytest.raises(ConnectionClosed) as caught:
        client.receive(timeout_s=30)
    assert caught.value.code == frames.NORMAL
    client.abort()
    assert peer.next("closed")["code"] == frames.NORMAL


def test_a_dropped_connection_is_reported_as_abnormal(client: WebSocket, peer: Peer) -> None:
    peer.command("drop")
    with pytest.raises(ConnectionClosed) as caught:
        client.receive(timeout_s=30)
    assert caught.value.code == frames.ABNORMAL


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"what": "binary"}, frames.UNSUPPORTED_DATA),
        ({"what": "send", "text": "x" * (MAX_MESSAGE_BYTES + 1)}, frames.TOO_BIG),
        ({"what": "fragments", "parts": ["x" * 600_000] * 2}, frames.TOO_BIG),
    ],
)
def test_a_violation_is_answered_with_its_close_code(
    client: WebSocket, peer: Peer, command: dict[str, str], code: int
) -> None:
    peer.command(**command)
    with pytest.raises(ConnectionClosed) as caught:
        client.receive(timeout_s=30)
    assert caught.value.code == code
    client.abort()
    assert peer.next("closed")["code"] == code


def test_an_accept_that_does_not_match_the_key_is_refused(new_peer: NewPeer) -> None:
    peer = new_peer(badAccept=True)
    with pytest.raises(handshake.HandshakeRefused, match="does not match"):
        WebSocket.connect(DaemonAddress.parse(peer.url), timeout_s=30)


def test_the_accept_value_is_that_of_the_rfc() -> None:
    assert handshake.accept_value("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


def test_a_server_that_never_answers_times_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = DaemonAddress.parse(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(TimeoutError):
            WebSocket.connect(address, timeout_s=0.2)


@pytest.mark.parametrize(
    ("url", "host", "path"),
    [
        ("http://127.0.0.1:8000", "127.0.0.1:8000", "/ws/sdk"),
        ("http://Robot-1.local:80", "robot-1.local", "/ws/sdk"),
        ("http://me@robot.local:8000", "robot.local:8000", "/ws/sdk"),
        ("http://[::1]:8000/", "[::1]:8000", "/ws/sdk"),
        ("http://robot.local/daemon/", "robot.local", "/daemon/ws/sdk"),
    ],
)
def test_an_address_is_parsed(url: str, host: str, path: str) -> None:
    address = DaemonAddress.parse(url)
    assert (address.host_header, address.path) == (host, path)


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:8000",
        "https://x:80",
        "http://",
        "http://x:port",
        "http://x:65536",
        "http://x y:80",
        "",
    ],
)
def test_an_address_of_another_form_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="does not have the form"):
        DaemonAddress.parse(url)
