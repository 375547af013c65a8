"""Requests to an endpoint: what is sent, and where."""

from __future__ import annotations

import re
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot._endpoint.exchange import Outgoing


def check_timeout(timeout_s: float) -> None:
    """Raises ValueError for a time that nobody can wait."""
    if not 0 < timeout_s <= threading.TIMEOUT_MAX:
        raise ValueError(f"timeout must be a number of seconds above 0, not {timeout_s!r}")


def outgoing_request(
    base_url: str,
    key: str,
    path: str,
    body: object,
    method: str | None = None,
    content_type: str = "application/octet-stream",
) -> Outgoing:
    """A request with the key of an endpoint; see `Endpoint.request`.

    Raises:
        ValueError: if `path` leads to another address, or `body` has a number that JSON lacks.
        TypeError: if `body` cannot be expressed in JSON.
    """
    import json

    from robot._endpoint.exchange import Outgoing

    if not isinstance(body, (bytes, bytearray, type(None))):
        body, content_type = json.dumps(body, allow_nan=False).encode(), "application/json"
    return Outgoing(
        method=(method or ("GET" if body is None else "POST")).upper(),
        url=_address(base_url, path),
        key=key,
        body=None if body is None else bytes(body),
        content_type=content_type,
    )


def _address(url: str, path: str) -> str:
    # The key must not go to another endpoint or server.
    parts = path.partition("?")[0].split("/")
    if path.startswith("//") or ".." in parts or not re.fullmatch(r"[!-~]*", path):
        raise ValueError(f"{path!r} is not a path below the endpoint's address")
    if path.startswith("/"):
        return url.removesuffix("/v1") + path
    return f"{url}/{path}"
