"""The HTTP exchange that turns a connection into a WebSocket (RFC 6455, section 4). Pure."""

from __future__ import annotations

import binascii
import json

from robot import __version__
from robot._wire.address import DaemonAddress

try:
    # `hashlib` takes milliseconds: it loads OpenSSL.
    from _sha1 import sha1  # type: ignore[import-not-found]
except ImportError:  # a Python built without it
    from hashlib import sha1

_ACCEPT_SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class HandshakeRefused(Exception):
    """The server refused the WebSocket upgrade.

    `status` is its HTTP status, None if the answer is not HTTP; `detail` is the sentence in the
    daemon's error body, or empty.
    """

    def __init__(self, status: int | None, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


def upgrade_request(address: DaemonAddress, key: str, token: str | None) -> bytes:
    """The client's request. It has no Origin header, which only browsers send.

    `token` is for a daemon that requires one of every request; None: there is none.
    """
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return (
        f"GET {address.path} HTTP/1.1\r\n"
        f"Host: {address.host_header}\r\n"
        "Upgrade: websocket\r\n"
        "Connection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n"
        f"User-Agent: robot-sdk/{__version__}\r\n"
        f"{authorization}"
        "\r\n"
    ).encode("ascii")


def new_key(random_bytes: bytes) -> str:
    """The key for one handshake, from 16 random bytes."""
    return binascii.b2a_base64(random_bytes, newline=False).decode("ascii")


def accept_value(key: str) -> str:
    """The `Sec-WebSocket-Accept` header that a server must answer to `key`."""
    salted = (key + _ACCEPT_SALT).encode("ascii")
    digest = sha1(salted, usedforsecurity=False).digest()
    return binascii.b2a_base64(digest, newline=False).decode("ascii")


def body_length(head: bytes) -> int:
    """The length of a refusal's body according to its headers, in bytes."""
    length = _parse_head(head)[1].get("content-length", "")
    return int(length) if length.isdecimal() else 0


def is_refusal(head: bytes) -> bool:
    """Whether the response is anything but a change of protocol."""
    return _parse_head(head)[0] != 101


def check_response(head: bytes, body: bytes, key: str) -> None:
    """Checks that the server accepted the upgrade with `key`.

    Args:
        head: status line and headers, without the empty line at the end.
        body: the received part of the body, for the reason of a refusal.
        key: the key of the request.

    Raises:
        HandshakeRefused: if the server refused it.
    """
    status, headers = _parse_head(head)
    if status != 101:
        raise HandshakeRefused(status, _error_sentence(body))
    if (
        headers.get("upgrade", "").lower() != "websocket"
        or "upgrade" not in headers.get("connection", "").lower()
        or headers.get("sec-websocket-accept") != accept_value(key)
    ):
        raise HandshakeRefused(status, "Its answer does not match the request.")


def _parse_head(head: bytes) -> tuple[int, dict[str, str]]:
    status_line, *lines = head.decode("latin-1").split("\r\n")
    protocol, _, rest = status_line.partition(" ")
    if not protocol.startswith("HTTP/1.") or not rest[:3].isdecimal():
        raise HandshakeRefused(None, "")
    pairs = (line.partition(":") for line in lines)
    return int(rest[:3]), {name.strip().lower(): value.strip() for name, _, value in pairs}


def _error_sentence(body: bytes) -> str:
    try:
        error = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        return ""
    return error if isinstance(error, str) else ""
