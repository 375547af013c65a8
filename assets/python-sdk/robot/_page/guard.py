"""Protects an app's page from web pages of other sites in the same browser."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY_VIOLATION = 1008
_FOREIGN = "Pages of other sites may not use this page."
CLOSED_TO_FRAMES = (
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class PageRules:
    """Decides which requests may use the page on a port: its own, links to it, and programs.

    - Host stops DNS rebinding: a site whose name was pointed at this machine still sends its name.
    - Origin stops fetch, forms and WebSockets of other origins. Programs do not send it.
    - Sec-Fetch-Site stops other loads, such as images and scripts. Programs do not send it either.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        own_name = socket.gethostname().lower()
        self._names = {"localhost", own_name, f"{own_name}.local"} - {""}

    def refusal(self, method: str | None, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Why a request is refused, in a sentence; None if it is not.

        Args:
            method: `GET`; None for a WebSocket.
            headers: their names in lower case.
        """
        sent = [(name, value.decode("latin-1").lower()) for name, value in headers]
        hosts = _values(sent, b"host")
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            return f"This page does not have that host name. Open http://localhost:{self._port}."
        if any(origin != f"http://{hosts[0]}" for origin in _values(sent, b"origin")):
            return _FOREIGN
        sites = _values(sent, b"sec-fetch-site")
        navigates = _values(sent, b"sec-fetch-mode") == ["navigate"]
        is_link = navigates and method in ("GET", "HEAD")
        if ("cross-site" in sites or "same-site" in sites) and not is_link:
            return _FOREIGN
        return None

    def _is_own(self, host: str) -> bool:
        name = host.removesuffix(f":{self._port}")
        if name == host and self._port != 80:  # Browsers omit the port 80.
            return False
        return name in self._names or _is_address(name)


class PageGuard:
    """Passes requests that the page's rules accept on to `app`.

    Headers keep the app's answers out of other sites' frames and pages, unless the app sets them.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._rules = PageRules(port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._rules.refusal(scope.get("method"), scope["headers"])
        if scope["type"] == "http":
            send = _closed_to_frames(send)
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await _forbid(refusal, send)
        else:  # A close before the accept: the server answers 403.
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": refusal})


def _values(headers: list[tuple[bytes, str]], name: bytes) -> list[str]:
    return [value for key, value in headers if key == name]


def _is_address(host: str) -> bool:
    try:
        if host.startswith("[") and host.endswith("]"):
            IPv6Address(host[1:-1])
        else:
            IPv4Address(host)
    except AddressValueError:
        return False
    return True


def _closed_to_frames(send: Send) -> Send:
    async def send_closed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", ()))
            present = {name.lower() for name, _ in headers}
            headers += [added for added in CLOSED_TO_FRAMES if added[0] not in present]
            message = {**message, "headers": headers}
        await send(message)

    return send_closed


async def _forbid(message: str, send: Send) -> None:
    body = message.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
