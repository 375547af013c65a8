"""Threads that end with a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def in_background(
    *works: Callable[[], None], end: Callable[[], None]
) -> Iterator[Callable[[], bool]]:
    """Runs functions in threads of their own while the block runs.

    At its end it calls `end`, which must make them return soon, waits for them, and raises what
    one of them raised.

    Yields:
        A function that says whether none of them has failed yet.
    """
    with ThreadPoolExecutor(len(works)) as pool:
        futures: list[Future[None]] = [pool.submit(work) for work in works]
        try:
            yield lambda: not any(each.done() and each.exception() for each in futures)
        finally:
            end()
    for each in futures:
        each.result()
