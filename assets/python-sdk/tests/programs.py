"""Runs Python programs like the daemon does: in a process, with the daemon's address."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

SDK = Path(__file__).parents[1]

_started: list[subprocess.Popen[str]] = []

RUN_IT = """

if __name__ == "__main__":
    app = App()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
        print("interrupted twice", flush=True)
"""


def environment(daemon_url: str, *paths: Path) -> dict[str, str]:
    """The environment of an app: with the SDK and `paths` to import from."""
    return {
        **os.environ,
        "ROBOT_DAEMON_URL": daemon_url,
        "PYTHONPATH": os.pathsep.join(map(str, (SDK, *paths))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def start_module(module: str, daemon_url: str, *paths: Path) -> subprocess.Popen[str]:
    """Starts `python -u -m module`."""
    program = subprocess.Popen(
        [sys.executable, "-u", "-m", module],
        env=environment(daemon_url, *paths),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _started.append(program)
    return program


def end_all() -> None:
    """Ends the processes that a failed test left running."""
    while _started:
        program = _started.pop()
        program.kill()
        program.communicate()


def start_app(folder: Path, source: str, daemon_url: str) -> subprocess.Popen[str]:
    """Writes an app with the class `App` in `source` into `folder` and starts it."""
    package = folder / "sample"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").touch()
    (package / "main.py").write_text(
        "import sys, threading, time\nfrom robot import Robot, RobotApp\n"
        + textwrap.dedent(source)
        + RUN_IT
    )
    return start_module("sample.main", daemon_url, folder)


def first_line(program: subprocess.Popen[str]) -> str:
    """The next line that the program prints."""
    assert program.stdout
    return program.stdout.readline().strip()
