"""The messages of `/ws/sdk`: what this side sends, and what it makes of the daemon's replies.

Radians, metres, seconds. A head is 16 numbers, row by row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

PROTOCOL = 1

METHODS = ("linear", "minjerk", "ease_in_out", "cartoon")

Message = dict[str, object]


class Target(NamedTuple):
    """Where to go; a part that is None stays where it is told to be already."""

    head: Sequence[float] | None
    antennas: Sequence[float] | None
    body_yaw: float | None


class State(NamedTuple):
    """Where the robot is, as measured."""

    head: tuple[float, ...]
    body_yaw: float
    stewart: tuple[float, ...]
    antennas: tuple[float, ...]


class Welcome(NamedTuple):
    """The daemon takes this program."""

    state: State


class Done(NamedTuple):
    """A move ended."""

    id: str


class Stop(NamedTuple):
    """This program is asked to stop."""


class Refusal(NamedTuple):
    """The daemon could not do what was asked; `id` is that of the move it answers, if any."""

    code: str
    message: str
    id: str | None


class Unknown(NamedTuple):
    """Something that only newer programs understand."""


Reply = Welcome | State | Done | Stop | Refusal | Unknown


class MalformedReply(Exception):
    """The daemon sent something that is no reply of this protocol."""


def hello(sdk_version: str, run_token: str | None, client_name: str) -> Message:
    """The first message of a connection."""
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "sdkVersion": sdk_version,
        "runToken": run_token,
        "clientName": client_name,
    }


def set_target(target: Target) -> Message:
    """Go there at once. What is None is left out: this is sent a hundred times a second."""
    parts = {"head": target.head, "antennas": target.antennas, "bodyYaw": target.body_yaw}
    return {"type": "set_target", **{key: part for key, part in parts.items() if part is not None}}


def goto_target(move_id: str, target: Target, duration_s: float, method: str) -> Message:
    """Go there in `duration_s`, and say when it is done."""
    return {
        "type": "goto_target",
        "id": move_id,
        "head": target.head,
        "antennas": target.antennas,
        "bodyYaw": target.body_yaw,
        "durationS": duration_s,
        "method": method,
    }


def encode(message: Message) -> str:
    """The text that goes on the wire."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False)


def decode(text: str) -> Reply:
    """What a text from the wire means.

    Raises:
        MalformedReply: if it means nothing.
    """
    try:
        fields = json.loads(text)
        parse = _PARSERS.get(fields["type"])
        return Unknown() if parse is None else parse(fields)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MalformedReply(f"{type(error).__name__}: {error}") from error


def _parse_state(fields: dict[str, Any]) -> State:
    joints = fields["joints"]
    return State(
        head=_numbers(fields["head"], 16),
        body_yaw=float(joints["bodyYaw"]),
        stewart=_numbers(joints["stewart"], 6),
        antennas=_numbers(joints["antennas"], 2),
    )


def _parse_refusal(fields: dict[str, Any]) -> Refusal:
    move_id = fields["id"]
    return Refusal(
        str(fields["code"]), str(fields["message"]), None if move_id is None else str(move_id)
    )


def _numbers(values: list[float], count: int) -> tuple[float, ...]:
    if len(values) != count:
        raise ValueError(f"{count} numbers expected")
    return tuple(map(float, values))


_PARSERS: dict[str, Callable[[dict[str, Any]], Reply]] = {
    "welcome": lambda fields: Welcome(_parse_state(fields["state"])),
    "state": _parse_state,
    "done": lambda fields: Done(str(fields["id"])),
    "stop": lambda fields: Stop(),
    "error": _parse_refusal,
}
