"""`probe_python` on other systems than this one."""

from __future__ import annotations

import json
import os
import platform
import runpy
import sys
import sysconfig
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[1] / "probe_python.py"


@pytest.mark.parametrize(
    ("system", "bits", "machine", "is_usual"),
    [
        ("win32", 32, "AMD64", False),
        ("win32", 32, "ARM64", False),
        ("win32", 64, "AMD64", True),
        ("win32", 32, "x86", True),
        ("linux", 32, "aarch64", True),  # a 32-bit system on a 64-bit kernel
    ],
)
def test_a_32_bit_python_is_unusual_where_64_bit_ones_run(
    system: str,
    bits: int,
    machine: str,
    is_usual: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sysconfig.get_config_vars()  # read once, by the name of the real system
    monkeypatch.setattr(os.path, "realpath", lambda path: path)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(sys, "maxsize", 2 ** (bits - 1) - 1)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    runpy.run_path(str(PROGRAM))
    assert json.loads(capsys.readouterr().out)["isUsual"] is is_usual
