"""Shared parts of the tests. They need no robot: python -m pytest"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from server_for_tests import ModelServer

from robot.endpoints import Endpoint
from robot.media.media_manager import MediaManager


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A server with OpenAI's interface, whose answers the test scripts."""
    with ModelServer() as server:
        yield server


@pytest.fixture
def endpoint(model: ModelServer) -> Endpoint:
    """The endpoint that this server is."""
    return Endpoint(
        need="chat",
        name="lab/chat",
        url=model.url,
        model="tiny",
        key="",
        stop_event=threading.Event(),
    )


@pytest.fixture
def media(monkeypatch: pytest.MonkeyPatch) -> Iterator[MediaManager]:
    """The virtual sound card of a simulated robot; `played()` has what it has played."""
    for name in ("", "_INPUT", "_OUTPUT"):
        monkeypatch.delenv(f"ROBOT_AUDIO{name}", raising=False)
    card = MediaManager(robot_backend="simulation", head=list)
    yield card
    card.close()
