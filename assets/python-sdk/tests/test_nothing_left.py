"""A test file that leaves something behind fails, and says what."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.torture  # it waits two seconds for what is left

TESTS = Path(__file__).parent


def run_pytest(folder: Path, body: str) -> tuple[int, str]:
    """Runs a test with such a body in a file of its own; its exit code, and what it prints."""
    imports = "import socket, subprocess, tempfile, threading, time"
    (folder / "test_one.py").write_text(f"{imports}\n\ndef test_it():\n    {body}\n")
    (folder / "pytest.ini").write_text("[pytest]\n")
    options = ["-p", "nothing_left", "-p", "no:cacheprovider", f"--basetemp={folder / 'base'}"]
    run = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", *options, "test_one.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return run.returncode, run.stdout


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "threading.Thread(target=time.sleep, args=(4,), name='forgotten').start()",
            r"After its last test, this file leaves the thread forgotten\.",
        ),
        (
            "global child; child = subprocess.Popen(['sleep', '4'])",
            r"After its last test, this file leaves the child process sleep 4\.",
        ),
        (
            "tempfile.mkdtemp(prefix='forgotten-')",
            r"After its last test, this file leaves forgotten-\w+\.",
        ),
        ("socket.socket()", "PytestUnraisableExceptionWarning: .*socket"),
        (
            "cycle = [socket.socket()]; cycle.append(cycle)",
            "PytestUnraisableExceptionWarning: .*socket",
        ),
        (
            "failing = threading.Thread(target=lambda: 1 / 0); failing.start(); failing.join()",
            "PytestUnhandledThreadExceptionWarning: .*",
        ),
    ],
)
def test_a_file_that_leaves_something_fails_and_names_it(
    body: str, said: str, tmp_path: Path
) -> None:
    if "child" in body and sys.platform != "linux":
        pytest.skip("children are listed on Linux only")
    code, output = run_pytest(tmp_path, body)
    assert code == 1
    assert re.search(said, output)


def test_a_file_that_leaves_nothing_passes(tmp_path: Path) -> None:
    code, output = run_pytest(
        tmp_path,
        "with socket.socket(), tempfile.TemporaryDirectory(): subprocess.run(['sleep', '0'])",
    )
    assert (code, "1 passed" in output) == (0, True)
