"""The template `conversation` of apps as a whole, with a daemon and a model that tests script."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from conftest import Eventually
from model_server import Handler, ModelServer
from peer import Peer
from test_settings_page import free_port

TEMPLATE = Path(__file__).parents[2] / "app-templates" / "conversation"


class Page:
    """The page of the app, which runs in a thread."""

    def __init__(self, peer: Peer) -> None:
        self.app = import_module("app_template.main").AppTemplate()
        self.port = free_port()
        self.app.custom_app_url = f"http://localhost:{self.port}"
        self.thread = threading.Thread(target=self.app.wrapped_run)
        self.thread.start()
        peer.done(peer.next_message("goto_target"))  # its page is served by then

    def ask(self, path: str, body: object) -> Any:
        url = f"http://localhost:{self.port}{path}"
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    @property
    def state(self) -> str:
        state: str = self.ask("/news", {})["status"]["state"]
        return state


@pytest.fixture
def model() -> Iterator[ModelServer]:
    server = ModelServer()
    yield server
    server.close()


@pytest.mark.parametrize("state", ["listening", "thinking", "speaking"])
def test_a_stop_ends_every_thread_of_the_app(
    peer: Peer,
    model: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    eventually: Eventually,
    state: str,
) -> None:
    over = threading.Event()

    def answer(handler: Handler) -> None:
        handler.begin_events()
        if state == "thinking":
            over.wait(60)
        handler.send_chunk('data: {"choices": [{"delta": {"content": "' + 99 * "La. " + '"}}]}\n\n')
        over.wait(60)

    model.answer = answer
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    monkeypatch.setenv("ROBOT_ENDPOINT_CHAT_URL", model.url)
    monkeypatch.syspath_prepend(str(TEMPLATE))
    before = set(threading.enumerate())
    page = Page(peer)
    if state != "listening":
        assert page.ask("/say", {"text": "Sing."}) == {}
    eventually(lambda: page.state == state)
    page.app.stop()
    page.thread.join(30)
    assert not page.thread.is_alive()
    over.set()
    eventually(lambda: set(threading.enumerate()) <= before)


def test_the_page_refuses_what_it_does_not_understand(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    monkeypatch.syspath_prepend(str(TEMPLATE))
    page = Page(peer)
    try:
        for body in ({}, {"text": 3}, {"text": " "}, {"text": "x" * 2001}):
            assert page.ask("/say", body) == {"error": "Write a message of at most 2000 characters."}
        for volume in (None, "1", -1, 3):
            assert "error" in page.ask("/wobble", {"volume": volume})
        assert page.ask("/wobble", {"volume": 0.5}) == {}
        news = page.ask("/news", {"run": [], "version": "x"})
        assert (news["entries"], news["status"]["wobble"]) == ([], 0.5)
    finally:
        page.app.stop()
        page.thread.join(30)
