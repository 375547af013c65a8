"""One request to an endpoint, and its answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from robot._endpoint.failure import Failure, one_line, refusal
from robot._endpoint.sockets import Patience, PatientSocket, connect

MAX_ANSWER_BYTES = 64 * 1024 * 1024
_MAX_LINE_BYTES = 1024 * 1024
_MAX_ERROR_BYTES = 64 * 1024
_CHUNK_BYTES = 64 * 1024


class Outgoing(NamedTuple):
    """A request."""

    method: str
    url: str
    key: str
    """Sent as a bearer token; empty: none."""
    body: bytes | None
    content_type: str


class Answer:
    """The answer to a request, whose status is no error."""

    def __init__(self, response: HTTPResponse, patience: Patience) -> None:
        self._response = response
        self._patience = patience

    @property
    def content_type(self) -> str:
        """The media type, in lower case and without parameters."""
        return self._response.headers.get_content_type()

    def read(self) -> bytes:
        """The whole body.

        Raises:
            Failure: if it is too long or breaks off.
        """
        parts: list[bytes] = []
        size = 0
        for part in self._parts():
            size += len(part)
            if size > MAX_ANSWER_BYTES:
                raise Failure(f"sent more than {MAX_ANSWER_BYTES // 2**20} MB.")
            parts.append(part)
        return b"".join(parts)

    def json(self) -> Any:
        """The body as JSON.

        Raises:
            Failure: if it is not JSON, too long, or breaks off.
        """
        try:
            return json.loads(self.read())
        except (ValueError, RecursionError):
            raise Failure("sent an answer that is not JSON.") from None

    def lines(self) -> Iterator[str]:
        """The lines of the body, when they arrive.

        Raises:
            Failure: if a line is too long.
        """
        rest = b""
        for part in self._parts():
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                yield line.decode(errors="replace").rstrip("\r")
            if len(rest) > _MAX_LINE_BYTES:
                raise Failure("sent a line that is too long.")
        yield rest.decode(errors="replace")

    def go_on(self) -> None:
        """Starts the time to wait for the next part again."""
        self._patience.restart()

    def _parts(self) -> Iterator[bytes]:
        while part := self._response.read1(_CHUNK_BYTES):
            yield part
        if self._response.length:
            raise Failure("broke off its answer.")


@contextmanager
def exchanged(
    outgoing: Outgoing,
    timeout_s: float,
    stop_event: threading.Event,
    cancel: threading.Event | None,
) -> Iterator[Answer]:
    """Sends a request; the connection ends with the block.

    Args:
        outgoing: the request.
        timeout_s: the longest time until the block has read the answer.
        stop_event: ends all waits.
        cancel: ends them too; None: nothing else does.

    Raises:
        Failure: if the endpoint cannot be reached, refuses the request, is too slow or breaks off,
            also from within the block.
        Stopped: if the app was asked to stop.
        Cancelled: if `cancel` is set.
    """
    patience = Patience(timeout_s, stop_event, cancel)
    socket: PatientSocket | None = None
    response: HTTPResponse | None = None
    try:
        url = urlsplit(outgoing.url)
        port = url.port or (443 if url.scheme == "https" else 80)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ValueError
    except ValueError:
        raise Failure(
            f"has an address that is not an http address: {one_line(outgoing.url)}"
        ) from None
    connection = HTTPConnection(url.hostname, port)
    try:
        socket = connect(url.hostname, port, tls=url.scheme == "https", patience=patience)
        connection.sock = socket  # it has what HTTPConnection uses
        target = f"{url.path or '/'}?{url.query}" if url.query else url.path or "/"
        connection.request(outgoing.method, target, outgoing.body, _headers(outgoing))
        response = connection.getresponse()
        if not 200 <= response.status < 300:
            raise _refused(response)
        yield Answer(response, patience)
    except TimeoutError:
        raise Failure(f"did not answer within {timeout_s:g} s.") from None
    except HTTPException:
        raise Failure("broke off its answer.") from None
    except OSError as error:
        why = one_line(error.strerror or error)
        if socket is not None:
            raise Failure(f"broke off its answer: {why}.") from None
        raise Failure(f"cannot be reached at {one_line(outgoing.url)}: {why}.") from None
    finally:
        if response is not None:  # the connection has handed it over
            response.close()
        connection.close()
        if socket is not None:
            socket.end()


def _headers(outgoing: Outgoing) -> dict[str, str]:
    headers = {"Accept": "application/json, text/event-stream, */*", "Connection": "close"}
    if outgoing.body is not None:
        headers["Content-Type"] = outgoing.content_type
    if outgoing.key:
        headers["Authorization"] = f"Bearer {outgoing.key}"
    return headers


def _refused(response: HTTPResponse) -> Failure:
    try:
        text = response.read(_MAX_ERROR_BYTES).decode(errors="replace")
    except (HTTPException, OSError):
        text = ""
    try:
        error = json.loads(text).get("error")
        message = error.get("message") if isinstance(error, dict) else error
        code = error.get("code") if isinstance(error, dict) else ""
    except (ValueError, AttributeError, RecursionError):
        message, code = None, ""
    said = message if isinstance(message, str) else ""
    return refusal(response.status, str(code), one_line(said))
