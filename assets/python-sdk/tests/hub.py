"""A hub for tests: the requests of real clients for a dataset's files, over HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote


class FakeHub:
    """Serves datasets from memory. Large files are at an address of another server."""

    def __init__(self) -> None:
        self.datasets: dict[str, dict[str, bytes]] = {}
        self.revision = "a" * 40
        self.requests: list[tuple[str, str | None]] = []
        """The path and the `Authorization` of each request, in their order."""

        self.private_token: str | None = None
        self.status: int | None = None
        """The answer to every request, if set."""

        self.body: bytes | None = None
        """The body of every answer, if set."""

        self.cut_after: int | None = None
        """Answers end after so many bytes, though they announce all."""

        self.stalled: threading.Event | None = None
        """Answers wait for it before their body, if set."""

        self.url = ""
        self.store_url = ""
        self.redirect_to: str | None = None


@contextmanager
def serve_hub() -> Iterator[FakeHub]:
    """A running hub, with a server for its large files."""
    hub = FakeHub()
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), _handler(hub)) for _ in range(2)]
    hub.url, hub.store_url = (f"http://127.0.0.1:{server.server_port}" for server in servers)
    for server in servers:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield hub
    finally:
        if hub.stalled:
            hub.stalled.set()
        for server in servers:
            server.shutdown()
            server.server_close()


def _handler(hub: FakeHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hub.requests.append((self.path, self.headers["Authorization"]))
            if hub.status is not None:
                return self._answer(hub.status, b"busy")
            parts = [unquote(part) for part in self.path.split("?")[0].split("/")][1:]
            if parts[0] == "store":
                return self._answer(200, hub.datasets["/".join(parts[1:3])]["/".join(parts[3:])])
            if hub.private_token and self.headers["Authorization"] != f"Bearer {hub.private_token}":
                return self._answer(401, b"{}", {"X-Error-Code": "RepoNotFound"})
            is_list = parts[:2] == ["api", "datasets"] and parts[4:] == ["revision", "main"]
            dataset = "/".join(parts[2:4] if is_list else parts[1:3])
            files = hub.datasets.get(dataset)
            if files is None:
                return self._answer(404, b"{}", {"X-Error-Code": "RepoNotFound"})
            if is_list:
                siblings = [{"rfilename": name} for name in files]
                listing = {"id": dataset, "sha": hub.revision, "siblings": siblings}
                return self._answer(200, json.dumps(listing).encode())
            path = "/".join(parts[5:])
            if parts[3] != "resolve" or parts[4] != hub.revision or path not in files:
                return self._answer(404, b"Entry not found", {"X-Error-Code": "EntryNotFound"})
            if hub.redirect_to is not None:
                return self._answer(302, b"", {"Location": hub.redirect_to})
            if path.endswith(".wav"):
                store = f"{hub.store_url}/store/{dataset}/{path}".replace(" ", "%20")
                return self._answer(302, b"", {"Location": store})
            return self._answer(200, files[path])

        def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            body = body if hub.body is None else hub.body
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if hub.stalled:
                hub.stalled.wait(30)
            try:
                self.wfile.write(body[: hub.cut_after])
            except OSError:
                pass  # The client did not wait.

        def log_message(self, *args: object) -> None:
            """Says nothing."""

    return Handler
