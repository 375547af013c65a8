"""A sound server for tests: its only cards are loops, whose monitors record the played sound."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

PATIENCE_S = 30.0
MISSING = next(
    (
        what
        for what, is_here in (
            ("this is not Linux", sys.platform == "linux"),
            ("pulseaudio is not installed", shutil.which("pulseaudio")),
            ("miniaudio is not installed", find_spec("miniaudio")),
        )
        if not is_here
    ),
    None,
)
"""Why there is none here; None if there is."""


@pytest.fixture(scope="module")
def sound_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A sound server whose cards' monitors record the played sound."""
    home = tmp_path_factory.mktemp("sound")
    socket = home / "native"
    loops = [
        f"--load=module-null-sink sink_name={name} sink_properties=device.description={name}"
        for name in ("Robot_One", "Robot_Two")
    ]
    own = {name: str(home) for name in ("HOME", "XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH")}
    server = subprocess.Popen(
        [
            *("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"),
            f"--load=module-native-protocol-unix socket={socket} auth-anonymous=1",
            *loops,
        ],
        env={**os.environ, **own},
        stderr=subprocess.DEVNULL,
    )
    deadline_s = time.monotonic() + PATIENCE_S
    while not socket.exists() and server.poll() is None and time.monotonic() < deadline_s:
        time.sleep(0.01)
    assert socket.exists(), "pulseaudio does not start"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PULSE_SERVER", f"unix:{socket}")
        environment.setenv("PULSE_COOKIE", str(home / "cookie"))
        yield socket
    server.kill()
    server.wait()
