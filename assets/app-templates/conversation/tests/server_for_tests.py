"""A model server for the tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast


class ModelServer(ThreadingHTTPServer):
    """Answers on a port of this machine: by one of `answers` after the other."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"
        self.answers: list[Callable[[Request], None]] = []
        self.asked: list[bytes] = []
        """The bodies of the requests."""
        self.client_gone = threading.Event()
        """Whether a client ended its request early."""
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The requests with JSON."""
        return [json.loads(body) for body in self.asked]

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class Request(BaseHTTPRequestHandler):
    """A request that is answered."""

    def do_POST(self) -> None:
        model = cast("ModelServer", self.server)
        model.asked.append(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            model.answers.pop(0)(self)
        except OSError:
            model.client_gone.set()

    def begin(self, status: int, content_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.end_headers()

    def send(self, text: str) -> None:
        self.wfile.write(text.encode())
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        pass


def streams(*events: object, end: str = "data: [DONE]\n\n") -> Callable[[Request], None]:
    """Answers with server-sent events; a text is sent as it is."""

    def answer(request: Request) -> None:
        request.begin(200, "text/event-stream")
        for each in events:
            request.send(each if isinstance(each, str) else f"data: {json.dumps(each)}\n\n")
        request.send(end)

    return answer


def refuses(status: int, message: str) -> Callable[[Request], None]:
    """Answers with an error."""
    return sends_json({"error": {"message": message}}, status)


def sends_json(body: object, status: int = 200) -> Callable[[Request], None]:
    """Answers with JSON."""

    def answer(request: Request) -> None:
        request.begin(status, "application/json")
        request.send(json.dumps(body))

    return answer


def says(text: str) -> dict[str, Any]:
    """An event with a piece of text."""
    return {"choices": [{"delta": {"content": text}}]}


def calls(index: int, id: str | None, name: str | None, arguments: str) -> dict[str, Any]:
    """An event with a part of a tool call."""
    function = {"name": name, "arguments": arguments}
    return {
        "choices": [{"delta": {"tool_calls": [{"index": index, "id": id, "function": function}]}}]
    }


END = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
