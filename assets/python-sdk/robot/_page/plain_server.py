"""Serves a `PlainApp` with the standard library."""

from __future__ import annotations

import socket
import sys
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast
from urllib.parse import unquote

from robot._page.guard import CLOSED_TO_FRAMES, PageRules
from robot._page.plain_app import Answer, PlainApp

_MAX_BODY_BYTES = 1024 * 1024
_MAX_DIGITS = 9
_SOCKET_TIMEOUT_S = 20
_MAX_UNREAD_BYTES = 16 * _MAX_BODY_BYTES
_UNREAD_S = 2
_TEXT = "text/plain; charset=utf-8"


class PlainServer(ThreadingHTTPServer):
    """Answers this machine; web pages of other sites are refused, see `PageRules`."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, app: PlainApp, listener: socket.socket, port: int) -> None:
        """Takes over a socket that listens."""
        super().__init__(listener.getsockname(), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.app = app
        self.rules = PageRules(port)

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """Reads, within limits, what a refused client still sends.

        A close with unread bytes resets the connection, often before the client has read the answer.
        """
        connection = cast("socket.socket", request)
        until = time.monotonic() + _UNREAD_S
        unread = _MAX_UNREAD_BYTES
        try:
            connection.shutdown(socket.SHUT_WR)
            while unread > 0 and (left_s := until - time.monotonic()) > 0:
                connection.settimeout(left_s)
                chunk = connection.recv(65_536)
                if not chunk:
                    break
                unread -= len(chunk)
        except OSError:
            pass  # the client has gone, or is silent
        self.close_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Prints errors, except those of browsers that went away."""
        if not isinstance(sys.exc_info()[1], OSError):
            traceback.print_exc()


class _Handler(BaseHTTPRequestHandler):
    timeout = _SOCKET_TIMEOUT_S

    def _answer(self) -> None:
        page = cast("PlainServer", self.server)
        sent = [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in self.headers.items()
        ]
        refusal = page.rules.refusal(self.command, sent)
        if refusal is not None:
            self._send(Answer(403, _TEXT, refusal.encode()))
            return
        body = self._body()
        if body is None:
            self._send(Answer(413, _TEXT, b"The body is too large, or has no length."))
            return
        path = unquote(self.path.partition("?")[0])
        self._send(page.app.answer(self.command, path, body))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = _answer

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "0")
        is_length = length.isdecimal() and len(length) <= _MAX_DIGITS
        if self.headers.get("Transfer-Encoding") or not is_length:
            return None
        return self.rfile.read(int(length)) if int(length) <= _MAX_BODY_BYTES else None

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in CLOSED_TO_FRAMES:
            self.send_header(name.decode(), value.decode())
        if answer.is_file:
            # The next app may have its page on the same port.
            self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def version_string(self) -> str:
        return "robot-sdk"

    def log_message(self, format: str, *args: object) -> None:
        pass
