"""Ctrl-C, and the SIGINT by which the daemon stops an app."""

from __future__ import annotations

import _thread
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupt_sets(event: threading.Event) -> Iterator[None]:
    """Within the block the first SIGINT only sets `event`; a second raises KeyboardInterrupt.

    A KeyboardInterrupt at once would tear the app apart in the middle of whatever it does.
    Outside of the main thread, where signals cannot be handled, this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupted = False
    owner = os.getpid()

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        # A process forked off (multiprocessing) has this handler too, but nobody looks at its copy
        # of the event: there SIGINT has to end the work, or its parent waits for it for ever.
        if interrupted or os.getpid() != owner:
            raise KeyboardInterrupt
        interrupted = True
        # Not here: the handler runs in the main thread, which may be inside `event.wait()` and
        # hold the very lock that `event.set()` needs. `threading.Thread` takes locks as well.
        _thread.start_new_thread(event.set, ())

    previous = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        # None: it was not set from Python, and cannot be set back from here.
        signal.signal(signal.SIGINT, signal.SIG_DFL if previous is None else previous)
