"""The HTTP exchange that turns a connection into a WebSocket (RFC 6455, section 4). Pure."""

from __future__ import annotations

import base64
import hashlib
import json

from robot import __version__
from robot._wire.address import DaemonAddress

_ACCEPT_SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class HandshakeRefused(Exception):
    """The server did not agree to speak WebSocket.

    `status` is its HTTP status, None if it did not answer in HTTP; `detail` is the sentence in
    the daemon's error body, empty if there is none.
    """

    def __init__(self, status: int | None, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


def upgrade_request(address: DaemonAddress, key: str) -> bytes:
    """The client's request. It has no Origin, which is how browsers tell on themselves."""
    return (
        f"GET {address.path} HTTP/1.1\r\n"
        f"Host: {address.host_header}\r\n"
        "Upgrade: websocket\r\n"
        "Connection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n"
        f"User-Agent: robot-sdk/{__version__}\r\n"
        "\r\n"
    ).encode("ascii")


def new_key(random_bytes: bytes) -> str:
    """The key for one handshake, from 16 random bytes."""
    return base64.b64encode(random_bytes).decode("ascii")


def accept_value(key: str) -> str:
    """What a server that understood `key` answers in `Sec-WebSocket-Accept`."""
    digest = hashlib.sha1((key + _ACCEPT_SALT).encode("ascii"), usedforsecurity=False).digest()
    return base64.b64encode(digest).decode("ascii")


def body_length(head: bytes) -> int:
    """How many bytes of body follow the head of a refusal, as far as it says."""
    length = _parse_head(head)[1].get("content-length", "")
    return int(length) if length.isdecimal() else 0


def is_refusal(head: bytes) -> bool:
    """Whether the response is anything but a change of protocol."""
    return _parse_head(head)[0] != 101


def check_response(head: bytes, body: bytes, key: str) -> None:
    """Makes sure that the server took the upgrade that `key` belongs to.

    Args:
        head: status line and headers, without the empty line that ends them.
        body: what came of the body, for the reason of a refusal.
        key: the one in the request.

    Raises:
        HandshakeRefused: if it did not.
    """
    status, headers = _parse_head(head)
    if status != 101:
        raise HandshakeRefused(status, _error_sentence(body))
    if (
        headers.get("upgrade", "").lower() != "websocket"
        or "upgrade" not in headers.get("connection", "").lower()
        or headers.get("sec-websocket-accept") != accept_value(key)
    ):
        raise HandshakeRefused(status, "Its answer does not fit the request.")


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
