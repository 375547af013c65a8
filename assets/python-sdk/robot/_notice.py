"""Notices that the output has once, however often the call is made."""

from __future__ import annotations

import threading

_MAX_NOTICES = 1000

_lock = threading.Lock()
_given: set[str] = set()


def once(key: str, sentence: str) -> None:
    """Logs a sentence as a warning of `robot`, at the first call with this key.

    Args:
        key: identifies the notice in this process, such as the name of a call.
        sentence: tells the app's author what the call does not do here, and what it does instead.
    """
    with _lock:
        if key in _given or len(_given) >= _MAX_NOTICES:
            return
        _given.add(key)
    import logging

    logging.getLogger("robot").warning("%s", sentence)


def forget() -> None:
    """Forgets the notices given so far: for tests."""
    with _lock:
        _given.clear()
