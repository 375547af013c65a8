"""Notices, which the output has once."""

from __future__ import annotations

import threading

import pytest
from conftest import in_background

from robot import _notice


def test_a_notice_is_given_once_whoever_asks_for_it(caplog: pytest.LogCaptureFixture) -> None:
    ready = threading.Barrier(8)

    def give() -> None:
        ready.wait(30)
        _notice.once("test: imu", "This robot has no 100 % imu.")

    threads = [in_background(give) for _ in range(8)]
    for thread in threads:
        thread.join(30)
    _notice.once("test: camera", "This robot has no camera.")
    assert [(record.name, record.levelname, record.message) for record in caplog.records] == [
        ("robot", "WARNING", "This robot has no 100 % imu."),
        ("robot", "WARNING", "This robot has no camera."),
    ]
