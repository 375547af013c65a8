"""Waits for work in another thread, which nothing could interrupt: slow servers, look-ups of names."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from robot.errors import AppStopping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

_SLICE_S = 0.02
"""The longest wait before a look for a stop."""

_WAITING_ITEMS = 4


def called(work: Callable[[], T], is_stopping: Callable[[], bool], drop: Callable[[T], None]) -> T:
    """The result of `work`, which runs in a thread.

    Args:
        work: is not interrupted; after a stop its end is not waited for.
        is_stopping: whether to stop.
        drop: is called with a result that comes after a stop.

    Raises:
        AppStopping: on a stop before the end of `work`.
        Exception: that of `work`.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    ended, lock = threading.Event(), threading.Lock()
    dropped = False

    def run() -> None:
        try:
            result = work()
            with lock:
                if not dropped:
                    results.append(result)
                    return
            drop(result)
        except BaseException as error:
            errors.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="robot-wait", daemon=True).start()
    try:
        while not ended.wait(_SLICE_S):
            if is_stopping():
                raise AppStopping("This program is asked to stop.")
    except BaseException:
        with lock:
            dropped = True
        for result in results:
            drop(result)
        raise
    if errors:
        raise errors[0]
    return results[0]


def iterated(items: Iterator[T], is_stopping: Callable[[], bool]) -> Iterator[T]:
    """The items of an iterator, which a thread takes from it.

    Raises:
        AppStopping: on a stop before the end.
        Exception: that of `items`.
    """
    from queue import Empty, Full, Queue

    queue: Queue[tuple[bool, object]] = Queue(_WAITING_ITEMS)
    dropped = threading.Event()

    def put(is_item: bool, value: object) -> bool:
        while not dropped.is_set():
            try:
                queue.put((is_item, value), timeout=_SLICE_S)
            except Full:
                continue
            return True
        return False

    def run() -> None:
        try:
            for item in items:
                if not put(True, item):
                    return
            put(False, None)
        except BaseException as error:
            put(False, error)

    threading.Thread(target=run, name="robot-wait", daemon=True).start()
    try:
        while True:
            try:
                is_item, value = queue.get(timeout=_SLICE_S)
            except Empty:
                if is_stopping():
                    raise AppStopping("This program is asked to stop.") from None
                continue
            if is_item:
                item: T = value  # type: ignore[assignment]
                yield item
            elif isinstance(value, BaseException):
                raise value
            else:
                return
    finally:
        dropped.set()
