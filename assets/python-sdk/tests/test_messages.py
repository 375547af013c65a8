"""Both directions of the wire against the examples that the daemon's tests read too."""

from __future__ import annotations

import json

import pytest
from peer import EXAMPLES

from robot._wire import messages
from robot._wire.messages import Done, Message, Refusal, State, Stop, Target, Unknown, Welcome

JOINTS = (0.6, -0.6, 0.6, -0.6, 0.6, -0.6)
LEVEL = (1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
RAISED = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.01, 0, 0, 0, 1)
STATE = State(LEVEL, body_yaw=0.0, stewart=JOINTS, antennas=(-0.1745, 0.1745))

REQUESTS = [
    messages.hello("1.0.0", "0b9c5f5e", "hello_wave"),
    messages.hello("1.0.0", None, "my_script.py"),
    messages.set_target(Target(RAISED, [-0.5, 0.5], 0.25)),
    messages.set_target(Target(None, [0.0, 0.0], None)),
    messages.goto_target("7", Target(None, [0.5, -0.5], None), 0.5, "minjerk"),
]

REPLIES = [
    Welcome(STATE),
    STATE._replace(body_yaw=0.1),
    Done("7"),
    Done("8"),
    Stop(),
    Refusal("slot-taken", "hello_wave has the robot. Stop it first.", "7"),
    Refusal("bad-message", "antennas: 2 numbers expected", None),
]


@pytest.mark.parametrize(("built", "example"), list(zip(REQUESTS, EXAMPLES["requests"])))
def test_a_request_equals_its_example(built: Message, example: object) -> None:
    assert json.loads(messages.encode(built)) == example


@pytest.mark.parametrize(("example", "understood"), list(zip(EXAMPLES["replies"], REPLIES)))
def test_a_reply_is_understood(example: object, understood: messages.Reply) -> None:
    reply = messages.decode(json.dumps(example))
    assert (type(reply), reply) == (type(understood), understood)


def test_every_example_is_covered() -> None:
    assert (len(EXAMPLES["requests"]), len(EXAMPLES["replies"])) == (len(REQUESTS), len(REPLIES))


def test_a_message_of_a_newer_daemon_is_no_fault() -> None:
    assert messages.decode('{"type": "weather", "sunny": true}') == Unknown()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "7", "{}", '{"type": "done"}', '{"type": "state", "head": [1], "joints": {}}'],
)
def test_what_is_no_message_is_a_fault(text: str) -> None:
    with pytest.raises(messages.MalformedReply):
        messages.decode(text)
