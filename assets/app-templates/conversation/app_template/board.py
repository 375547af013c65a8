"""The state that the page shows: the conversation, the robot's activity, and what does not work."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from dataclasses import asdict, dataclass
from typing import Any, Literal

State = Literal["listening", "thinking", "speaking"]
Who = Literal["you", "model", "script", "tool", "notice"]

_MOST_ENTRIES = 200


@dataclass
class Entry:
    """Something that was said or done."""

    number: int
    who: Who
    text: str
    is_cut_off: bool = False
    """Whether the person interrupted it."""
    version: int = 0
    """Grows with each change of the board: that of the last change of this entry."""


class Board:
    """Written by the conversation, read by the page. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._run = secrets.token_hex(4)  # tells a page that the app has started again
        self._version = 1
        self._entries: deque[Entry] = deque(maxlen=_MOST_ENTRIES)
        self._count = 0
        self._closed = False
        self._status: dict[str, Any] = {
            "state": "listening",
            "hears": False,  # whether somebody speaks now
            "microphone": "",  # why nobody can speak to the robot; empty: it listens
            "partner": {"kind": "script", "name": ""},
            "wobble": 1.0,
        }

    @property
    def hears(self) -> bool:
        """Whether somebody speaks now."""
        return bool(self._status["hears"])

    def show(self, **status: object) -> None:
        """Changes members of the status, see `__init__`."""
        with self._changed:
            if any(self._status[name] != value for name, value in status.items()):
                self._status.update(status)
                self._bump()

    def add(self, who: Who, text: str) -> Entry:
        """Adds an entry. Change it by `change` only."""
        with self._changed:
            self._count += 1
            entry = Entry(self._count, who, text, version=self._bump())
            self._entries.append(entry)
            return entry

    def notice(self, text: str) -> None:
        """Tells people what does not work: here, and in the app's output."""
        self.add("notice", text)
        print(text, flush=True)

    def change(self, entry: Entry, text: str, is_cut_off: bool = False) -> None:
        """Changes an entry."""
        with self._changed:
            entry.text = text
            entry.is_cut_off = is_cut_off
            entry.version = self._bump()

    def news(self, run: object, version: object, timeout_s: float) -> dict[str, Any]:
        """The news that a page has not seen; waits for some, at most until the timeout.

        Args:
            run: of the last news; anything else: it has seen nothing.
            version: of the last news.
            timeout_s: after it, there may be no news.
        """
        seen = version if run == self._run and isinstance(version, int) else 0
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._version > seen, timeout_s)
            return {
                "run": self._run,
                "version": self._version,
                "status": dict(self._status),
                "entries": [asdict(each) for each in self._entries if each.version > seen],
            }

    def close(self) -> None:
        """Ends all waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _bump(self) -> int:
        self._version += 1
        self._changed.notify_all()
        return self._version
