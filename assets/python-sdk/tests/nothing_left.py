"""A plugin of pytest: fails a test file that leaves something behind, for the next one to meet.

That is a thread that keeps the process alive, a child process, a temporary file, and what Python
only warns of: a file or a socket that is not closed, and an exception that nobody can catch.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

_ENDING_S = 2.0
"""Time for threads and processes that were asked to end."""


def pytest_configure(config: pytest.Config) -> None:
    """Lets a warning of something left fail the test in which Python sees it."""
    for warning in (
        "ResourceWarning",
        "pytest.PytestUnraisableExceptionWarning",
        "pytest.PytestUnhandledThreadExceptionWarning",
    ):
        config.addinivalue_line("filterwarnings", f"error::{warning}")


@pytest.fixture(scope="module", autouse=True)
def nothing_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Gives each test file a temporary folder of its own, and looks what is left at its end."""
    tmp_path_factory.getbasetemp()  # else it would be created in the folder of this file
    before = _alive()
    folder = tempfile.mkdtemp(prefix="robot-test-")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("TMPDIR", folder)
        environment.setattr(tempfile, "tempdir", folder)
        yield
    gc.collect()  # now, so that Python's warnings name this file
    deadline_s = time.monotonic() + _ENDING_S
    while (found := _left(folder, before)) and time.monotonic() < deadline_s:
        time.sleep(0.02)
    shutil.rmtree(folder, ignore_errors=True)
    if found:
        pytest.fail(f"After its last test, this file leaves {', '.join(found)}.", pytrace=False)


def _left(folder: str, before: dict[object, str]) -> list[str]:
    more = [name for key, name in _alive().items() if key not in before]
    return [*more, *sorted(os.listdir(folder))]


def _alive() -> dict[object, str]:
    """The threads that keep this process alive and, on Linux, its children; by names for people."""
    found: dict[object, str] = {
        thread: f"the thread {thread.name}"
        for thread in threading.enumerate()
        if not thread.daemon
    }
    for task in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):  # a thread that has just ended
            for pid in task.read_text().split():
                found[pid] = f"the child process {_command(pid)}"
    return found


def _command(pid: str) -> str:
    with suppress(OSError):
        return Path("/proc", pid, "cmdline").read_text().replace("\0", " ").strip() or pid
    return pid
