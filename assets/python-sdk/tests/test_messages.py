"""The messages of both directions, with the examples that the daemon's tests use too."""

from __future__ import annotations

import json

import pytest
from peer import EXAMPLES

from robot._wire import messages, moves
from robot._wire.messages import (
    Clamp,
    Clamped,
    Done,
    Dropped,
    Message,
    Refusal,
    State,
    Stop,
    Target,
    Unknown,
    Welcome,
    with_id,
)

JOINTS = (0.6, -0.6, 0.6, -0.6, 0.6, -0.6)
LEVEL = (1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
RAISED = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.01, 0, 0, 0, 1)
STATE = State(
    LEVEL,
    body_yaw=0.0,
    stewart=JOINTS,
    antennas=(-0.1745, 0.1745),
    name="awake",
    torque=True,
    speed_limited=False,
)
TURNS_ALONG = Clamp("body_yaw", 0, 0.44, "The body turns along: the head may turn 65° against it.")
HEAD_WAITS = Clamp(
    "head", 0.9, 0.5, "The head stays at the last pose within its reach: leg 3 is too short."
)
ANTENNAS_OWNED = "Targets for the antennas are dropped until the robot has finished moving."
BODY_OWNED = "Targets for the body are dropped until the robot has finished moving."

REQUESTS = [
    messages.hello("1.0.0", "0b9c5f5e", "hello_wave", "5d1f"),
    messages.hello("1.0.0", None, "my_script.py", "5d1f"),
    messages.set_target(Target(RAISED, [-0.5, 0.5], 0.25)),
    messages.set_target(Target(None, [0.0, 0.0], None)),
    with_id(messages.goto_target(Target(None, [0.5, -0.5], None), 0.5, "minjerk", "replace"), "7"),
    with_id(messages.goto_target(Target(None, None, 0.5), 2, "cartoon", "refuse"), "8"),
    with_id(
        messages.goto_target(Target(RAISED, None, 0.0), 1, "minjerk", "replace", True), "14"
    ),
    moves.move_samples(
        "yes", [0, 0.01], [LEVEL, RAISED], [[-0.5, 0.5], [-0.25, 0.25]], [0, 0.125]
    ),
    moves.move_samples("still antennas", [0], None, [[0, 0]], None),
    with_id(moves.play_move("yes", 0.5, "replace"), "15"),
    with_id(moves.play_move("still antennas", 0, "refuse"), "16"),
    with_id(messages.wake_up(), "9"),
    with_id(messages.goto_sleep(), "10"),
    with_id(messages.set_torque(False, ["right_antenna", "left_antenna"]), "11"),
    with_id(messages.set_torque(True, None), "12"),
    with_id(messages.set_gravity_compensation(True), "16"),
    with_id(messages.set_automatic_body_yaw(False), "17"),
    with_id(messages.stop_motion(), "13"),
]

REPLIES = [
    Welcome("simulation", STATE, EXAMPLES["replies"][0]["daemonVersion"]),
    STATE._replace(body_yaw=0.1),
    Done("7", ()),
    Done("8", (), "replaced"),
    messages.Volume(0.4),
    Stop(),
    Done("11", (), "stopped"),
    Done("9", (TURNS_ALONG,)),
    Done("14", (), "done", ("head", "body_yaw")),
    Done("15", (HEAD_WAITS,)),
    Clamped((TURNS_ALONG,)),
    Clamped((), (Dropped("antennas", ANTENNAS_OWNED), Dropped("body_yaw", BODY_OWNED))),
    Clamped(()),
    Refusal("slot-taken", "hello_wave has the robot. Stop it first.", "7"),
    Refusal("bad-message", "antennas: 2 numbers expected", None),
    Refusal("bad-message", "The move has more than 600 s.", "15"),
    Refusal("busy", "The robot is waking up. Wait for it, or replace that motion.", "8"),
]


@pytest.mark.parametrize(("built", "example"), list(zip(REQUESTS, EXAMPLES["requests"])))
def test_a_request_equals_its_example(built: Message, example: object) -> None:
    assert json.loads(messages.encode(built)) == example


@pytest.mark.parametrize(("example", "understood"), list(zip(EXAMPLES["replies"], REPLIES)))
def test_a_reply_is_understood(example: object, understood: messages.Reply) -> None:
    reply = messages.decode(json.dumps(example))
    assert (type(reply), reply) == (type(understood), understood)


def test_the_answers_of_an_older_daemon_are_understood() -> None:
    done = '{"type": "done", "id": "7", "outcome": "done", "clamped": []}'
    assert messages.decode(done) == Done("7", (), "done", ())
    assert messages.decode('{"type": "clamped", "clamped": []}') == Clamped((), ())


def test_every_example_is_covered() -> None:
    assert (len(EXAMPLES["requests"]), len(EXAMPLES["replies"])) == (len(REQUESTS), len(REPLIES))


def test_an_unknown_message_of_a_newer_daemon_is_accepted() -> None:
    assert messages.decode('{"type": "weather", "sunny": true}') == Unknown()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        "{}",
        '{"type": "done"}',
        '{"type": "clamped", "clamped": [{}]}',
        '{"type": "state", "head": [1], "joints": {}}',
    ],
)
def test_an_invalid_message_raises_an_error(text: str) -> None:
    with pytest.raises(messages.MalformedReply):
        messages.decode(text)
