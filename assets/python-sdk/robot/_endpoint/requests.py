"""Requests to an endpoint: what is sent where, and how a failure is told."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager

from robot._endpoint.error import EndpointCancelled, EndpointError
from robot.errors import AppStopping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from robot._endpoint.endpoint import Endpoint
    from robot._endpoint.exchange import Answer, Outgoing


def check_timeout(timeout_s: float) -> None:
    """Raises ValueError for a time that nobody can wait."""
    if not 0 < timeout_s <= threading.TIMEOUT_MAX:
        raise ValueError(f"timeout must be a number of seconds above 0, not {timeout_s!r}")


def outgoing_request(
    endpoint: Endpoint,
    path: str,
    body: object,
    method: str | None = None,
    content_type: str = "application/octet-stream",
) -> Outgoing:
    """A request with the endpoint's key; see `Endpoint.request`.

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
        url=_address(endpoint.url, path),
        key=endpoint.key,
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


@contextmanager
def asked(
    endpoint: Endpoint,
    outgoing: Outgoing,
    timeout_s: float,
    stop_event: threading.Event,
    cancel: threading.Event | None,
) -> Iterator[Answer]:
    """Sends a request, and gives its answer while the connection is open.

    Raises:
        EndpointError: without the key, which a server may repeat.
        AppStopping: if `stop_event` is set meanwhile.
        EndpointCancelled: if `cancel` is.
    """
    from robot._endpoint.exchange import exchanged
    from robot._endpoint.failure import Failure
    from robot._endpoint.sockets import Cancelled, Stopped

    try:
        with exchanged(outgoing, timeout_s, stop_event, cancel) as answer:
            yield answer
    except Stopped:
        text = f"The app was asked to stop while it waited for the endpoint {endpoint.name}."
        raise AppStopping(text) from None
    except Cancelled:
        text = f"The app cancelled its request to the endpoint {endpoint.name}."
        raise EndpointCancelled(text) from None
    except Failure as failure:
        what = str(failure)
        if endpoint.key:
            what = what.replace(endpoint.key, "…")
        raise EndpointError(endpoint.need, endpoint.name, what, failure.status) from None
