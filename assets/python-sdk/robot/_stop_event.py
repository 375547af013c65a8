"""The event that asks an app to stop, which knows whether the app has noticed."""

from __future__ import annotations

import threading


class StopEvent(threading.Event):
    """An event that remembers whether someone saw that it is set."""

    def __init__(self) -> None:
        """It is not set."""
        super().__init__()
        self.seen = False
        """Whether `is_set` or `wait` has returned True."""

    def is_set(self) -> bool:
        """See `threading.Event`."""
        return self._noted(super().is_set())

    def wait(self, timeout: float | None = None) -> bool:
        """See `threading.Event`."""
        return self._noted(super().wait(timeout))

    def clear(self) -> None:
        """See `threading.Event`."""
        super().clear()
        self.seen = False

    def peek(self) -> bool:
        """Whether it is set; for the SDK itself, since the app has not seen it by that."""
        return super().is_set()

    def _noted(self, is_set: bool) -> bool:
        if is_set:
            self.seen = True
        return is_set


def is_set(event: threading.Event) -> bool:
    """Whether an event is set, without noting that someone saw it."""
    return event.peek() if isinstance(event, StopEvent) else event.is_set()
