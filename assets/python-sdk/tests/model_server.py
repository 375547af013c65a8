"""A small model server with OpenAI's interface, whose answers a test scripts."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

DONE = "data: [DONE]\n\n"


class Asked(NamedTuple):
    """A request that arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Handler(BaseHTTPRequestHandler):
    """Passes each request to the test."""

    protocol_version = "HTTP/1.1"
    server: ModelServer

    def do_POST(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        self.server.asked.append(Asked(self.command, self.path, headers, body))
        self.close_connection = True
        try:
            self.server.answer(self)
        except OSError:  # the client is gone
            self.server.clients_gone.set()

    do_GET = do_PUT = do_POST

    def log_message(self, *_: object) -> None:
        pass

    def send_json(self, body: object, status: int = 200, **more: str) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in more.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def begin_events(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def send_chunk(self, text: str | bytes) -> None:
        data = text.encode() if isinstance(text, str) else text
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def end_chunks(self) -> None:
        self.wfile.write(b"0\r\n\r\n")


class ModelServer(ThreadingHTTPServer):
    """Answers on a port of this machine until it is closed."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[Asked] = []
        self.answer: Callable[[Handler], None] = lambda handler: handler.send_json(reply("Hello."))
        self.clients_gone = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/lab/chat/v1"

    def handle_error(self, *_: object) -> None:
        pass

    def close(self) -> None:
        self.shutdown()
        self.server_close()


def reply(text: str | None) -> object:
    """A chat completion."""
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]}


def piece(text: str | None, **choice: object) -> str:
    """An event with a piece of a reply."""
    delta = {} if text is None else {"content": text}
    event = {"choices": [{"index": 0, "delta": delta, "finish_reason": None, **choice}]}
    return f"data: {json.dumps(event)}\n\n"
