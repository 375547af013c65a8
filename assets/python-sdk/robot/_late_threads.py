"""Threads of an app that still use the robot after the app was asked to stop, or has ended."""

from __future__ import annotations

import threading
from weakref import WeakSet

from robot._stop_event import is_set
from robot.errors import AppStopping, RobotConnectionError

_stop_events: WeakSet[threading.Event] = WeakSet()
_lock = threading.Lock()


def expect_late_threads(stop_event: threading.Event) -> None:
    """From the stop on, a thread that loses the robot ends without a traceback.

    Threads that stream targets are often not joined: the robot is closed while they go on.

    Args:
        stop_event: set when the app must stop, and at its end.
    """
    with _lock:
        if not _stop_events:
            _install()
        _stop_events.add(stop_event)


def _install() -> None:
    previous = threading.excepthook

    def report(thread: threading.ExceptHookArgs, /) -> None:
        is_late = isinstance(thread.exc_value, (AppStopping, RobotConnectionError))
        if not (is_late and any(map(is_set, list(_stop_events)))):
            previous(thread)

    threading.excepthook = report
