"""The app's page: its files, and `POST /ask`. On Python's own server: the app needs no other package."""

from __future__ import annotations

import json
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from chat_reply.conversation import MAX_TEXT, Busy, Conversation
from robot import RobotError

_STATIC = Path(__file__).parent / "static"
_FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/main.js": ("main.js", "text/javascript; charset=utf-8"),
    "/style.css": ("style.css", "text/css; charset=utf-8"),
}
_MAX_BODY_BYTES = 8 * MAX_TEXT
_SOCKET_TIMEOUT_S = 20


@contextmanager
def served(conversation: Conversation, url: str) -> Iterator[None]:
    """Serves the page to this machine on the port of `url` while the block runs.

    A port in use is reported on stderr, and the block runs without the page.
    """
    port = urlsplit(url).port or 80
    try:
        server = _Server(port, conversation)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        print(f"The page is not available: port {port} cannot be used ({why}).", file=sys.stderr)
        yield
        return
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    # On Windows it would also allow the port of a running app.
    allow_reuse_address = sys.platform != "win32"

    def __init__(self, port: int, conversation: Conversation) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.conversation = conversation
        self.hosts = {f"{name}:{port}" for name in ("localhost", "127.0.0.1")}

    def handle_error(self, *_: object) -> None:
        """Says nothing of browsers that went away."""
        if not isinstance(sys.exc_info()[1], OSError):
            traceback.print_exc()


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _SOCKET_TIMEOUT_S

    def do_GET(self) -> None:
        name, kind = _FILES.get(self.path.partition("?")[0], ("", ""))
        if self._is_foreign():
            self._send(403, b"Pages of other sites may not use this page.", "text/plain")
        elif name:
            self._send(200, (_STATIC / name).read_bytes(), kind)
        elif self.path == "/state":
            self._send_json(200, {"app": "chat_reply"})
        else:
            self._send(404, b"Not found.", "text/plain")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        if self._is_foreign() or self.headers.get_content_type() != "application/json":
            self._send_json(403, {"error": "Pages of other sites may not use this page."})
        elif self.path == "/ask":
            self._ask()
        elif self.path == "/forget":
            self.server.conversation.forget()
            self._send_json(200, {})
        else:
            self._send_json(404, {"error": "Not found."})

    def log_message(self, *_: object) -> None:
        pass

    def _ask(self) -> None:
        """Answers with a line of JSON for each piece, and one for the end or the error."""
        text = self._text()
        if text is None:
            error = f"Write a message of at most {MAX_TEXT} characters."
            self._send_json(400, {"error": error})
            return
        pieces = self.server.conversation.ask(text)
        try:
            first = next(pieces, None)
            self._begin(200, "application/x-ndjson", None)
            if first is not None:
                self._send_line({"piece": first})
            for piece in pieces:
                self._send_line({"piece": piece})
            self._send_line({"end": True})
        except Busy:
            self._send_json(409, {"error": "The robot is answering already. Wait for its reply."})
        except OSError:
            pass  # the page was closed
        except RobotError as error:
            print(f"No reply: {error.args[0]}", flush=True)
            self._send_end(str(error.args[0]))
        finally:
            pieces.close()  # type: ignore[attr-defined]  # ends the request to the model

    def _send_end(self, error: str) -> None:
        try:
            if self._begun:
                self._send_line({"error": error})
            else:
                self._send_json(502, {"error": error})
        except OSError:
            pass  # the page was closed

    def _text(self) -> str | None:
        try:
            length = int(self.headers.get("Content-Length", ""))
            if not 0 < length <= _MAX_BODY_BYTES:
                return None
            text = json.loads(self.rfile.read(length))["text"]
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            return None
        is_text = isinstance(text, str) and 0 < len(text.strip()) <= MAX_TEXT
        return text.strip() if is_text else None

    def _is_foreign(self) -> bool:
        """Whether a page of another site in this machine's browser asks.

        Host is that site's name if it was pointed at this machine. Programs do not send the others.
        """
        host = self.headers.get("Host", "").lower()
        if host not in self.server.hosts or self.headers.get("Origin") not in (
            None,
            f"http://{host}",
        ):
            return True
        is_link = self.command == "GET" and self.headers.get("Sec-Fetch-Mode") == "navigate"
        return self.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site") and not is_link

    _begun = False

    def _begin(self, status: int, kind: str, length: int | None) -> None:
        self._begun = True
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        # Another app may have its page on the same port later.
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Frame-Options", "SAMEORIGIN")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Content-Security-Policy", "default-src 'self'; img-src 'self' data:")
        self.end_headers()

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self._begin(status, kind, len(body))
        if self.command != "HEAD":
            self.wfile.write(body)

    def _send_json(self, status: int, body: object) -> None:
        self._send(status, json.dumps(body).encode(), "application/json")

    def _send_line(self, body: object) -> None:
        self.wfile.write(json.dumps(body).encode() + b"\n")
