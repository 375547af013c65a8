"""The moves that a program plays at the moment."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from robot._daemon.requests import Request
from robot._wire.messages import Target


class Play:
    """One call of `play_move`."""

    def __init__(self, number: int) -> None:
        """`number` grows with each call."""
        self.number = number
        self.cancelled = threading.Event()
        self.moved: set[str] = set()
        """The parts that it has streamed."""

        self.lost: set[str] = set()
        """Those of them that later moves took."""

        self._lock = threading.Lock()
        self._in_daemon = False

    @contextmanager
    def asked(self, asking: AbstractContextManager[Request]) -> Iterator[Request | None]:
        """Within the block, the daemon plays the request that `asking` sends.

        Yields None if the play was cancelled before: then nothing is sent.
        """
        with ExitStack() as stack:
            with self._lock:
                request = None if self.cancelled.is_set() else stack.enter_context(asking)
                self._in_daemon = request is not None
            try:
                yield request
            finally:
                with self._lock:
                    self._in_daemon = False

    def owned(self, target: Target) -> Target | None:
        """The target without the parts that later moves took; None if nothing is left."""
        parts = {part: getattr(target, part) for part in self.moved - self.lost}
        if all(value is None for value in parts.values()):
            return None
        return Target(**{**dict.fromkeys(Target._fields), **parts})

    def cancel(self) -> bool:
        """Ends the play. Returns whether the daemon plays it, and needs the command."""
        with self._lock:
            self.cancelled.set()
            return self._in_daemon


class Plays:
    """All plays of a robot, and which of them streams which part. Used by several threads."""

    def __init__(self) -> None:
        self.upload_lock = threading.Lock()
        """Held while a move is sent: a session has one upload."""

        self._lock = threading.Lock()
        self._count = 0
        self._active: list[Play] = []
        self._owners: dict[str, Play] = {}

    @contextmanager
    def new(self) -> Iterator[Play]:
        """A play that is active within the block."""
        with self._lock:
            self._count += 1
            play = Play(self._count)
            self._active.append(play)
        try:
            yield play
        finally:
            with self._lock:
                self._active.remove(play)
                for part in [part for part, owner in self._owners.items() if owner is play]:
                    del self._owners[part]

    def cancel(self) -> bool:
        """Cancels all plays. Returns whether the daemon plays one, and needs the command."""
        with self._lock:
            active = list(self._active)
        in_daemon = [play.cancel() for play in active]
        return True in in_daemon

    def claim(self, play: Play, target: Target) -> None:
        """Gives a play the parts that it streams, unless a later play streams them."""
        with self._lock:
            for part, value in zip(Target._fields, target):
                if value is None:
                    continue
                play.moved.add(part)
                owner = self._owners.setdefault(part, play)
                if owner.number < play.number:
                    self._owners[part] = play
                elif owner is not play:
                    play.lost.add(part)
