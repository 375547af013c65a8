"""Streamed answers of any request, and requests that the app itself ends."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import in_background
from model_server import DONE, Handler, ModelServer, reply
from test_endpoints import CHAT, endpoint_at, streaming

from robot import EndpointCancelled, EndpointError
from robot.endpoints import Endpoint

TOOL_CALL = {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a"}]}}]}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    started = ModelServer()
    yield started
    started.close()


@pytest.fixture
def chat(server: ModelServer) -> Endpoint:
    return endpoint_at(server.url)


def event(body: object) -> str:
    return f"data: {json.dumps(body)}\n\n"


def test_the_events_of_a_streamed_answer_arrive_decoded(
    chat: Endpoint, server: ModelServer
) -> None:
    server.answer = streaming(": hello\n\n", event(TOOL_CALL), event([1]), DONE, event("late"))
    body = {"messages": [], "stream": True, "tools": [{"type": "function"}]}
    assert list(chat.stream("chat/completions", body)) == [TOOL_CALL, [1]]
    (asked,) = server.asked
    assert (asked.path, asked.json) == ("/lab/chat/v1/chat/completions", body)


def test_a_stream_may_end_without_a_mark(chat: Endpoint, server: ModelServer) -> None:
    server.answer = streaming(event(TOOL_CALL))
    assert list(chat.stream("chat/completions", {})) == [TOOL_CALL]


def test_an_answer_that_is_not_streamed_is_one_event(chat: Endpoint) -> None:
    assert list(chat.stream("chat/completions", {})) == [reply("Hello.")]


@pytest.mark.parametrize(
    ("chunks", "sentence"),
    [
        (["data: {\n\n"], "sent an event that is not JSON."),
        ([event({"error": {"message": "The context is full."}})], "The context is full."),
        (['error: {"message": "Full."}\n\n'], "broke off its answer: Full."),
    ],
)
def test_an_event_that_is_none_raises_after_those_before_it(
    chat: Endpoint, server: ModelServer, chunks: list[str], sentence: str
) -> None:
    server.answer = streaming(event(TOOL_CALL), *chunks)
    got: list[Any] = []
    with pytest.raises(EndpointError) as raised:
        got.extend(chat.stream("chat/completions", {}))
    assert str(raised.value).startswith(CHAT)
    assert str(raised.value).endswith(sentence)


def test_a_refusal_of_a_stream_has_its_status(chat: Endpoint, server: ModelServer) -> None:
    server.answer = lambda handler: handler.send_json({"error": {"message": "No tools."}}, 400)
    with pytest.raises(EndpointError) as raised:
        next(chat.stream("chat/completions", {}))
    assert (raised.value.status, str(raised.value)) == (
        400,
        f"{CHAT} refused the request (400): No tools.",
    )


def test_a_request_ends_when_the_app_cancels_it(chat: Endpoint, server: ModelServer) -> None:
    asked, cancel = threading.Event(), threading.Event()

    def never_answers(handler: Handler) -> None:
        asked.set()
        server.clients_gone.wait(30)

    def cancels() -> None:
        asked.wait(30)
        cancel.set()

    server.answer = never_answers
    in_background(cancels)
    with pytest.raises(EndpointCancelled) as raised:
        chat.until(cancel).request("audio/transcriptions", b"RIFF")
    assert str(raised.value) == "The app cancelled its request to the endpoint lab/chat."
    server.clients_gone.set()


def test_a_stream_ends_when_the_app_cancels_it_and_the_server_notices(
    chat: Endpoint, server: ModelServer
) -> None:
    def endless(handler: Handler) -> None:
        handler.begin_events()
        while True:
            handler.send_chunk(event(TOOL_CALL))

    server.answer = endless
    cancel = threading.Event()
    events = chat.until(cancel).stream("chat/completions", {})
    assert next(events) == TOOL_CALL
    cancel.set()
    with pytest.raises(EndpointCancelled):
        list(events)
    assert server.clients_gone.wait(30)


def test_a_cancelled_endpoint_sends_nothing_and_the_first_one_goes_on(
    chat: Endpoint, server: ModelServer
) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(EndpointCancelled):
        chat.until(cancel).chat("Hi")
    assert server.asked == []
    assert chat.chat("Hi") == "Hello."
