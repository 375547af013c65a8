"""What was asked of the daemon and is not answered yet."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from robot.errors import RobotError


class Request:
    """One of them."""

    def __init__(self, request_id: str) -> None:
        self.id = request_id
        self.ended = threading.Event()
        self.error: RobotError | None = None
        """Why it was not carried out, once it ended."""

    def end(self, error: RobotError | None) -> None:
        """Lets go whoever waits for it."""
        self.error = error
        self.ended.set()


class Requests:
    """All of one connection. Safe to use from several threads."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self._waiting: dict[str, Request] = {}

    @contextmanager
    def new(self) -> Iterator[Request]:
        """A request, which can be answered within the block."""
        request = Request(str(next(self._ids)))
        self._waiting[request.id] = request
        try:
            yield request
        finally:
            del self._waiting[request.id]

    def end(self, request_id: str, error: RobotError | None) -> None:
        """Ends one, if somebody still waits for it."""
        request = self._waiting.get(request_id)
        if request is not None:
            request.end(error)

    def end_all(self, error: RobotError) -> None:
        """Ends every one: there will be no answers any more."""
        for request in list(self._waiting.values()):
            request.end(error)
