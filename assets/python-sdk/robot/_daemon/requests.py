"""Requests that the daemon has not answered yet."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from robot._wire.messages import Done
from robot.errors import RobotError


class Request:
    """A request that waits for its answer."""

    def __init__(self, request_id: str) -> None:
        self.id = request_id
        self.ended = threading.Event()
        self.error: RobotError | None = None
        """The reason for a failure, after the end."""
        self.done: Done | None = None
        """The answer, after an end without a failure."""

    def end(self, answer: Done | RobotError) -> None:
        """Ends the wait for the answer."""
        if isinstance(answer, RobotError):
            self.error = answer
        else:
            self.done = answer
        self.ended.set()


class Requests:
    """The requests of one connection. Safe to use from several threads."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self._waiting: dict[str, Request] = {}

    @contextmanager
    def new(self) -> Iterator[Request]:
        """Creates a request that can be answered within the block."""
        request = Request(str(next(self._ids)))
        self._waiting[request.id] = request
        try:
            yield request
        finally:
            del self._waiting[request.id]

    def end(self, request_id: str, answer: Done | RobotError) -> None:
        """Ends a request, if it still waits."""
        request = self._waiting.get(request_id)
        if request is not None:
            request.end(answer)

    def end_all(self, error: RobotError) -> None:
        """Ends every request with the same error."""
        for request in list(self._waiting.values()):
            request.end(error)
