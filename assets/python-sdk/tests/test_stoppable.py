"""Waits that a stop ends."""

from __future__ import annotations

import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub import serve_hub
from peer import Peer
from programs import first_line, start_app

from robot import AppStopping, Robot
from robot._stoppable import called, iterated


def never() -> bool:
    """No stop."""
    return False


def at_once() -> bool:
    """A stop."""
    return True


def test_work_in_a_thread_has_a_result_or_an_error() -> None:
    def fail() -> int:
        raise LookupError("no music")

    assert called(lambda: 3, never, print) == 3
    with pytest.raises(LookupError, match="no music"):
        called(fail, never, print)


def test_a_stop_does_not_wait_for_the_work_and_drops_its_late_result() -> None:
    go_on = threading.Event()
    dropped: list[bool] = []
    with pytest.raises(AppStopping):
        called(lambda: go_on.wait(30), at_once, dropped.append)
    assert dropped == []
    go_on.set()
    deadline_s = time.monotonic() + 30
    while dropped != [True] and time.monotonic() < deadline_s:
        time.sleep(0.005)
    assert dropped == [True]


def test_items_come_in_their_order_also_before_an_error() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise OSError("lost")

    assert list(iterated(iter(range(100)), never)) == list(range(100))
    items = iterated(broken(), never)
    assert next(items) == 1
    with pytest.raises(OSError, match="lost"):
        next(items)


def test_a_stop_ends_the_wait_for_an_item() -> None:
    def slow() -> Iterator[int]:
        yield 1
        threading.Event().wait()

    items = iterated(slow(), at_once)
    assert next(items) == 1
    with pytest.raises(AppStopping):
        next(items)


def test_a_robot_stops_to_wait_for_a_daemon_that_does_not_answer() -> None:
    stop_event = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        threading.Timer(0.1, stop_event.set).start()
        with pytest.raises(AppStopping):
            Robot(host="127.0.0.1", port=silent.getsockname()[1], timeout=60, stop_event=stop_event)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a child process")
def test_an_interrupt_ends_the_wait_for_the_daemon_without_an_error(tmp_path: Path) -> None:
    source = """
    class App(RobotApp):
        def wrapped_run(self):
            super().wrapped_run(timeout=60)
        def run(self, robot, stop_event):
            print("connected")
    """
    with socket.create_server(("127.0.0.1", 0)) as silent:
        app = start_app(tmp_path, source, f"http://127.0.0.1:{silent.getsockname()[1]}")
        silent.settimeout(30)
        with silent.accept()[0]:
            app.send_signal(signal.SIGINT)
            assert app.communicate(timeout=30) == ("", "")
    assert app.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a child process")
def test_an_interrupt_ends_a_download_of_moves(
    peer: Peer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
    from robot.motion.recorded_move import RecordedMoves
    class App(RobotApp):
        def run(self, robot, stop_event):
            print("running", flush=True)
            print(RecordedMoves("somebody/moves").list_moves())
    """
    with serve_hub() as hub:
        hub.datasets["somebody/moves"] = {}
        hub.stalled = threading.Event()
        monkeypatch.setenv("ROBOT_HUB_URL", hub.url)
        monkeypatch.setenv("ROBOT_CACHE_DIR", str(tmp_path / "cache"))
        app = start_app(tmp_path, source, peer.url)
        assert first_line(app) == "running"
        deadline_s = time.monotonic() + 30
        while not hub.requests and time.monotonic() < deadline_s:
            time.sleep(0.005)
        asked_s = time.monotonic()
        app.send_signal(signal.SIGINT)
        assert app.communicate(timeout=30) == ("", "")
        assert time.monotonic() - asked_s < 6  # the hub's silence lasts longer
    assert app.returncode == 0
