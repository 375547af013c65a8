"""The partners: a chat model on a real server, and the script."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from server_for_tests import END, ModelServer, Request, calls, refuses, says, sends_json, streams

from app_template.persona import CHARACTER
from app_template.thinking.memory import Memory
from app_template.thinking.model_partner import ModelPartner
from app_template.thinking.partner import Partner, PartnerFailed
from app_template.thinking.scripted_partner import ScriptedPartner
from app_template.tools.toolbox import Result
from robot import EndpointCancelled
from robot.endpoints import Endpoint

TOOLS: list[dict[str, Any]] = [{"type": "function", "function": {"name": "nod"}}]
NO_COMPLETION = "The model sent an answer that is not a chat completion."
FAILED = 'The endpoint lab/chat (need "chat")'


class Talk:
    """A conversation with a partner, and what happened in it."""

    def __init__(self, partner: Partner) -> None:
        self.partner = partner
        self.called: list[tuple[str, str]] = []
        self.interrupted = threading.Event()

    def say(self, text: str) -> str:
        return "".join(self.pieces(text))

    def pieces(self, text: str) -> Iterator[str]:
        return self.partner.reply(text, self._call_tool, self.interrupted)

    def _call_tool(self, name: str, arguments: str) -> Result:
        self.called.append((name, arguments))
        return Result(f"{name} is done.", True)


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.fixture
def talk(endpoint: Endpoint, notices: list[str]) -> Talk:
    return Talk(ModelPartner(endpoint, TOOLS, notices.append))


def test_a_model_answers_in_pieces_and_remembers(talk: Talk, model: ModelServer) -> None:
    model.answers = [streams(says("Nice "), says("day."), END), streams(says("Yes."), END)]
    assert list(talk.pieces("Hello")) == ["Nice ", "day."]
    assert talk.say("Is it?") == "Yes."
    first, second = model.bodies
    assert (first["model"], first["stream"], first["tools"]) == ("tiny", True, TOOLS)
    assert second["messages"] == [
        {"role": "system", "content": CHARACTER},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Nice day."},
        {"role": "user", "content": "Is it?"},
    ]


def test_a_model_calls_tools_whose_parts_arrive_mixed(talk: Talk, model: ModelServer) -> None:
    model.answers = [
        streams(
            says("Look!"),
            calls(0, "a", "nod", '{"ti'),
            calls(1, "b", "look", ""),
            calls(0, None, None, 'mes": 2}'),
            {"choices": [], "usage": {}},
            {"choices": [{"delta": {"tool_calls": "x"}, "finish_reason": "tool_calls"}]},
        ),
        streams(says("Done."), END),
    ]
    assert talk.say("Nod.") == "Look!\nDone."
    assert talk.called == [("nod", '{"times": 2}'), ("look", "")]
    asked, *results = model.bodies[1]["messages"][2:]
    assert [each["id"] for each in asked["tool_calls"]] == ["a", "b"]
    assert results == [
        {"role": "tool", "tool_call_id": "a", "content": "nod is done."},
        {"role": "tool", "tool_call_id": "b", "content": "look is done."},
    ]


def test_a_wrong_call_is_sent_back_in_a_form_that_servers_accept(
    talk: Talk, model: ModelServer
) -> None:
    model.answers = [streams(calls(0, "a", None, '{"times'), END), streams(says("Oh."), END)]
    assert talk.say("Nod.") == "Oh."
    assert talk.called == [("", '{"times')]
    (call,) = model.bodies[1]["messages"][2]["tool_calls"]
    assert call["function"] == {"name": "unknown", "arguments": "{}"}


def test_an_interruption_before_the_tools_leaves_no_call_without_a_result(
    talk: Talk, model: ModelServer
) -> None:
    model.answers = [streams(says("Look!"), calls(0, "a", "nod", "{}"), END)]
    pieces = talk.pieces("Nod.")
    assert [next(pieces), next(pieces)] == ["Look!", "\n"]
    pieces.close()  # type: ignore[attr-defined]
    model.answers = [streams(says("Yes?"), END)]
    assert talk.say("Stop") == "Yes?"
    assert talk.called == []
    assert model.bodies[1]["messages"][2] == {"role": "assistant", "content": "Look!"}


def test_a_model_that_writes_nothing_has_failed(talk: Talk, model: ModelServer) -> None:
    model.answers = [streams({"choices": [{"delta": {"reasoning_content": "Hm."}}]}, END)]
    with pytest.raises(PartnerFailed, match="The model wrote nothing"):
        talk.say("Hi")


def test_a_model_that_only_calls_tools_is_ended(talk: Talk, model: ModelServer) -> None:
    model.answers = 10 * [streams(calls(0, "a", "nod", "{}"), END)]
    assert talk.say("Nod.") == ""
    assert len(talk.called) == 4


def test_a_server_that_does_not_stream_is_understood(talk: Talk, model: ModelServer) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "nod", "arguments": "{}"}}
    model.answers = [
        sends_json({"choices": [{"message": {"content": None, "tool_calls": [call]}}]}),
        sends_json({"choices": [{"message": {"content": "Hello."}}]}),
    ]
    assert talk.say("Hi") == "Hello."
    assert talk.called == [("nod", "{}")]


@pytest.mark.parametrize(
    ("events", "why"),
    [
        (["data: {\n\n"], f"{FAILED} sent an event that is not JSON."),
        ([{"choices": 3}], NO_COMPLETION),
        ([[1]], NO_COMPLETION),
        ([{"choices": [3]}], NO_COMPLETION),
        ([{"choices": [{"delta": "x"}]}], NO_COMPLETION),
        ([{"error": {"message": "Full."}}], f"{FAILED} broke off its answer: Full."),
        ([], "The model broke off its answer."),
    ],
)
def test_a_malformed_answer_fails_after_what_was_said(
    talk: Talk, model: ModelServer, events: list[object], why: str
) -> None:
    model.answers = [streams(says("Well, "), *events)]
    pieces = talk.pieces("Hi")
    assert next(pieces) == "Well, "
    with pytest.raises(PartnerFailed) as raised:
        list(pieces)
    assert str(raised.value) == why


def test_a_model_that_refuses_tools_talks_without_them(
    talk: Talk, model: ModelServer, notices: list[str]
) -> None:
    model.answers = [
        refuses(400, "No tools."),
        streams(says("Hello."), END),
        streams(says("Yes."), END),
    ]
    assert talk.say("Hi") == "Hello."
    assert talk.say("Really?") == "Yes."
    assert ["tools" in body for body in model.bodies] == [True, False, False]
    assert notices == [
        "The model takes no tools, so it talks without them. "
        f"{FAILED} refused the request (400): No tools."
    ]


def test_a_conversation_that_is_too_long_goes_on_with_the_last_message(
    talk: Talk, model: ModelServer, notices: list[str]
) -> None:
    model.answers = [
        streams(says("Hello."), END),
        refuses(400, "The context is full."),
        streams(says("Yes."), END),
    ]
    talk.say("Hi")
    assert talk.say("Really?") == "Yes."
    assert [len(body["messages"]) for body in model.bodies] == [2, 4, 2]
    assert notices == []


def test_a_failure_says_why_and_the_tools_are_offered_again(
    talk: Talk, model: ModelServer, notices: list[str]
) -> None:
    model.answers = [refuses(500, "Broken."), refuses(500, "Broken."), streams(says("Hi."), END)]
    with pytest.raises(PartnerFailed, match=r"failed \(500\): Broken"):
        talk.say("Hi")
    assert talk.say("Again") == "Hi."
    assert model.bodies[2]["tools"] == TOOLS
    assert model.bodies[2]["messages"][1:] == [{"role": "user", "content": "Hi\nAgain"}]
    assert notices == []


def test_an_interruption_ends_the_request(talk: Talk, model: ModelServer) -> None:
    def endless(request: Request) -> None:
        request.begin(200, "text/event-stream")
        while True:
            request.send(f"data: {json.dumps(says('la '))}\n\n")

    model.answers = [endless]
    pieces = talk.pieces("Sing.")
    assert next(pieces) == "la "
    talk.interrupted.set()
    with pytest.raises(EndpointCancelled):
        list(pieces)
    assert model.client_gone.wait(30)
    talk.interrupted.clear()
    model.answers = [streams(says("Yes?"), END)]
    assert talk.say("Stop") == "Yes?"
    assert model.bodies[1]["messages"][-2]["content"].startswith("la ")


def test_a_long_conversation_keeps_its_last_turns_whole() -> None:
    memory = Memory()
    for turn in range(20):
        memory.begin(f"question {turn}")
        memory.add({"role": "assistant", "content": "", "tool_calls": []})
        memory.add({"role": "tool", "content": ""})
    assert [each["role"] for each in memory.messages[:4]] == ["system", "user", "assistant", "tool"]
    assert memory.messages[1]["content"] == "question 12"


@pytest.mark.parametrize(
    ("text", "answer", "tool"),
    [
        ("Hello!", "Hello! I can nod", "nod"),
        ("please DANCE for me", "Watch me!", "dance"),
        ("Look to your left", "Looking to my left.", "look"),
        ("What is your name?", "A script answers for me, not a model.", "nod"),
        ("Why is the sky blue?", "I am only a script, so I cannot answer that.", "shake_head"),
    ],
)
def test_the_script_answers_and_says_what_it_is(text: str, answer: str, tool: str) -> None:
    talk = Talk(ScriptedPartner())
    assert answer in talk.say(text)
    assert [name for name, _ in talk.called] == [tool]
