"""Fake daemons: `peers.mjs` in a process, and the methods that control each of them."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
REPOSITORY = TESTS.parents[2]
NODE = REPOSITORY / "node_modules" / ".bin" / "node"
EXAMPLES: dict[str, list[dict[str, Any]]] = json.loads(
    (REPOSITORY / "daemon" / "contract" / "robot" / "sdk-examples.json").read_text()
)
WELCOME = next(reply for reply in EXAMPLES["replies"] if reply["type"] == "welcome")
_PATIENCE_S = 30.0


class Peers:
    """A process in which peers live: to start Node for each of them takes longer than a test."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [NODE, TESTS / "peers.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._reports: list[queue.Queue[dict[str, Any]]] = []
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def start(self, **script: object) -> Peer:
        """A peer that listens at a port of its own, unless `script` has `port`."""
        reports: queue.Queue[dict[str, Any]] = queue.Queue()
        self._reports.append(reports)
        number = len(self._reports) - 1
        return Peer(lambda what, details: self._command(number, what, details), reports, script)

    def end(self) -> None:
        """Ends the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(_PATIENCE_S)
        self._listener.join()

    def _command(self, number: int, what: str, details: dict[str, object]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"peer": number, "do": what, **details}) + "\n")
        self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout
        with self._process.stdout as reports:
            for line in reports:
                report = json.loads(line)
                self._reports[report["peer"]].put(report)


class Peer:
    """A WebSocket server that answers hello with welcome, unless configured otherwise."""

    def __init__(
        self,
        command: Callable[[str, dict[str, object]], None],
        reports: queue.Queue[dict[str, Any]],
        script: dict[str, object],
    ) -> None:
        self._command = command
        self._reports = reports
        self.command("listen", **{"welcome": WELCOME, **script})
        self.port: int = self.next("listening")["port"]
        self.url = f"http://127.0.0.1:{self.port}"

    def next(self, event: str) -> dict[str, Any]:
        """The next report of `event`; others before it are dropped."""
        while True:
            report = self._reports.get(timeout=_PATIENCE_S)
            if report["event"] == event:
                return report

    def next_message(self, kind: str) -> dict[str, Any]:
        """The next message of type `kind` that the program sent."""
        while True:
            message: dict[str, Any] = json.loads(self.next("message")["text"])
            if message["type"] == kind:
                return message

    def command(self, what: str, **details: object) -> None:
        """Calls a method of the peer in `peers.mjs`."""
        self._command(what, details)

    def reply(self, **message: object) -> None:
        """Sends a message to the program."""
        self.command("send", text=json.dumps(message))

    def done(self, request: dict[str, Any], clamped: object = ()) -> None:
        """Answers a request as done."""
        self.reply(type="done", id=request["id"], outcome="done", clamped=clamped)

    def kill(self) -> None:
        """Closes everything at once, as a crash of the daemon would. Harmless the second time."""
        self.command("leave")
        self.next("left")
