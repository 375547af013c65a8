"""Handles Ctrl-C, and the SIGINT with which the daemon stops an app."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from robot._stop_event import StopEvent, is_set

UNSEEN_S = 2.0
"""An app that has not looked at its stop event by then never does, or does not return."""

_events: list[threading.Event] = []
"""Those of the blocks of `interrupt_sets` that run at the moment."""


def is_stopping() -> bool:
    """Whether an app of this process is asked to stop."""
    return any(is_set(event) for event in _events)


def has_app() -> bool:
    """Whether an app of this process runs, so that SIGINT raises no KeyboardInterrupt."""
    return bool(_events)


@contextmanager
def interrupt_sets(event: threading.Event) -> Iterator[None]:
    """Within the block the first SIGINT only sets `event`; a second raises KeyboardInterrupt.

    An immediate KeyboardInterrupt would break off the app at an arbitrary point. If the app has
    not looked at a `StopEvent` 2 s after the first SIGINT, the second one follows by itself: many
    apps have no other end. A handler that the app has set before is called too, at each SIGINT.
    Outside the main thread, where signals cannot be handled, this does nothing.
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
    over = threading.Event()

    def set_event() -> None:
        event.set()
        if isinstance(event, StopEvent) and not over.wait(UNSEEN_S) and not event.seen:
            _interrupt_main_thread()

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        is_first, interrupted = not interrupted, True
        # A forked process (multiprocessing) inherits this handler, but nothing reads its copy of
        # the event: there SIGINT must end the work, or its parent waits forever.
        if os.getpid() != owner:
            raise KeyboardInterrupt
        # Not `event.set()` here: the handler runs in the main thread, which may be inside
        # `event.wait()` and hold the lock that `set` needs. `threading.Thread` takes locks too.
        if is_first:
            _thread.start_new_thread(set_event, ())
        if callable(previous) and previous is not signal.default_int_handler:
            previous(number, frame)
        if not is_first:
            raise KeyboardInterrupt

    previous = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        over.set()
        # None: the handler was not set from Python and cannot be restored from here.
        signal.signal(signal.SIGINT, signal.SIG_DFL if previous is None else previous)


def _interrupt_main_thread() -> None:
    """Sends SIGINT to the main thread, also in a call such as `time.sleep`."""
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    elif (main := threading.main_thread().ident) is not None:
        signal.pthread_kill(main, signal.SIGINT)
