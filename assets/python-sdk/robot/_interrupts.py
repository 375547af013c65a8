"""Handles Ctrl-C, and the SIGINT with which the daemon stops an app."""

from __future__ import annotations

import _thread
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


_events: list[threading.Event] = []
"""Those of the blocks of `interrupt_sets` that run at the moment."""


def is_stopping() -> bool:
    """Whether an app of this process is asked to stop."""
    return any(event.is_set() for event in _events)


def has_app() -> bool:
    """Whether an app of this process runs, so that SIGINT raises no KeyboardInterrupt."""
    return bool(_events)


@contextmanager
def interrupt_sets(event: threading.Event) -> Iterator[None]:
    """Within the block the first SIGINT only sets `event`; a second raises KeyboardInterrupt.

    An immediate KeyboardInterrupt would break off the app at an arbitrary point. Outside the main
    thread, where signals cannot be handled, this does nothing.
    """
    _events.append(event)
    try:
        with _handler(event):
            yield
    finally:
        _events.remove(event)


@contextmanager
def _handler(event: threading.Event) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupted = False
    owner = os.getpid()

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        # A forked process (multiprocessing) inherits this handler, but nothing reads its copy of
        # the event: there SIGINT must end the work, or its parent waits forever.
        if interrupted or os.getpid() != owner:
            raise KeyboardInterrupt
        interrupted = True
        # Not `event.set()` here: the handler runs in the main thread, which may be inside
        # `event.wait()` and hold the lock that `set` needs. `threading.Thread` takes locks too.
        _thread.start_new_thread(event.set, ())

    previous = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        # None: the handler was not set from Python and cannot be restored from here.
        signal.signal(signal.SIGINT, signal.SIG_DFL if previous is None else previous)
