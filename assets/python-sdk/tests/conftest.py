from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from peer import NODE, Peer, Peers
from programs import end_all

from robot import Robot, _notice

pytest_plugins = ["nothing_left"]

NewPeer = Callable[..., Peer]
Eventually = Callable[[Callable[[], object]], None]


def in_background(work: Callable[[], object]) -> threading.Thread:
    """Runs `work` in a thread."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


@pytest.fixture(autouse=True)
def no_program_is_left() -> Iterator[None]:
    """Cleans up after every test, also a failed one."""
    yield
    end_all()


@pytest.fixture(autouse=True)
def no_notice_was_given() -> None:
    """Notices are given once in a process; here once in each test."""
    _notice.forget()


@pytest.fixture(autouse=True)
def no_media_settings_of_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the variables of sound and camera, so that each test chooses its devices."""
    for name in ("", "_DEVICE", "_INPUT", "_OUTPUT"):
        monkeypatch.delenv(f"ROBOT_AUDIO{name}", raising=False)
        monkeypatch.delenv(f"ROBOT_CAMERA{name}", raising=False)


@pytest.fixture(scope="session", autouse=True)
def peers() -> Iterator[Peers | None]:
    """The process of all peers; it is there before the first file, which therefore does not leave it."""
    started = Peers() if NODE.exists() else None
    yield started
    if started:
        started.end()


@pytest.fixture
def new_peer(peers: Peers | None) -> Iterator[NewPeer]:
    """Starts peers, and ends them after the test."""
    if not peers:
        pytest.skip("node_modules is missing (run npm ci): nothing to play the daemon")
    started: list[Peer] = []

    def start(**script: object) -> Peer:
        started.append(peers.start(**script))
        return started[-1]

    yield start
    for peer in started:
        peer.kill()


@pytest.fixture
def peer(new_peer: NewPeer) -> Peer:
    """A fake daemon that accepts every program."""
    return new_peer()


@pytest.fixture
def robot(peer: Peer) -> Iterator[Robot]:
    """A robot connected to `peer`."""
    with Robot(peer.url) as connected:
        yield connected


@pytest.fixture
def eventually() -> Eventually:
    """Waits until a condition is true, for asynchronous effects of the other side."""

    def wait(is_true: Callable[[], object], timeout_s: float = 30.0) -> None:
        deadline_s = time.monotonic() + timeout_s
        while not is_true():
            assert time.monotonic() < deadline_s, "it did not come true"
            time.sleep(0.005)

    return wait
