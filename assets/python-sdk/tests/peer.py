"""A fake daemon: `peer.mjs` in a process, and the methods that control it."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
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


class Peer:
    """A WebSocket server that answers hello with welcome, unless configured otherwise."""

    def __init__(self, **script: object) -> None:
        options = {"welcome": WELCOME, **script}
        self._process = subprocess.Popen(
            [NODE, TESTS / "peer.mjs", json.dumps(options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reports: queue.Queue[dict[str, Any]] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
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
        """Sends a command to `peer.mjs`."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"do": what, **details}) + "\n")
        self._process.stdin.flush()

    def reply(self, **message: object) -> None:
        """Sends a message to the program."""
        self.command("send", text=json.dumps(message))

    def done(self, request: dict[str, Any], clamped: object = ()) -> None:
        """Answers a request as done."""
        self.reply(type="done", id=request["id"], outcome="done", clamped=clamped)

    def kill(self) -> None:
        """Ends the process at once, as a crash of the daemon would. Harmless the second time."""
        self._process.kill()
        self._process.wait()
        self._listener.join()

    def _listen(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        with self._process.stdin, self._process.stdout as reports:
            for line in reports:
                self._reports.put(json.loads(line))
