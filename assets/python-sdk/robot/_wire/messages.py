"""The messages of `/ws/sdk`: what this side sends, and what it makes of the daemon's replies.

Radians, metres, seconds. A head is 16 numbers, row by row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

PROTOCOL = 1

METHODS = ("linear", "minjerk", "ease_in_out", "cartoon")

IF_BUSY = ("replace", "refuse")

MOTORS = (
    "body_rotation",
    "stewart_1",
    "stewart_2",
    "stewart_3",
    "stewart_4",
    "stewart_5",
    "stewart_6",
    "right_antenna",
    "left_antenna",
)
"""In the order of the bus."""

Message = dict[str, object]


class Target(NamedTuple):
    """Where to go; a part that is None stays where it is told to be already."""

    head: Sequence[float] | None
    antennas: Sequence[float] | None
    body_yaw: float | None


class Clamp(NamedTuple):
    """What of a target the daemon took otherwise than asked for."""

    part: str
    """As it is called here, such as `body_yaw`."""

    wanted_rad: float
    given_rad: float
    why: str
    """In one sentence."""


class State(NamedTuple):
    """Where the robot is, as measured, and what it is up to."""

    head: tuple[float, ...]
    body_yaw: float
    stewart: tuple[float, ...]
    antennas: tuple[float, ...]
    name: str
    """Such as `awake`."""

    torque: bool
    speed_limited: bool


class Welcome(NamedTuple):
    """The daemon takes this program."""

    backend: str
    state: State


class Done(NamedTuple):
    """A request was carried out."""

    id: str
    clamped: tuple[Clamp, ...]


class Clamped(NamedTuple):
    """What of the latest `set_target` was taken otherwise; it changed."""

    clamped: tuple[Clamp, ...]


class Stop(NamedTuple):
    """This program is asked to stop."""


class Refusal(NamedTuple):
    """The daemon could not do what was asked; `id` is that of the request it answers, if any."""

    code: str
    message: str
    id: str | None


class Unknown(NamedTuple):
    """Something that only newer programs understand."""


Reply = Welcome | State | Done | Clamped | Stop | Refusal | Unknown


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


def goto_target(target: Target, duration_s: float, method: str, if_busy: str) -> Message:
    """Go there in `duration_s`, and say when it is done."""
    return {
        "type": "goto_target",
        "head": target.head,
        "antennas": target.antennas,
        "bodyYaw": target.body_yaw,
        "durationS": duration_s,
        "method": method,
        "ifBusy": if_busy,
    }


def wake_up() -> Message:
    """Torque on, and to the default position."""
    return {"type": "wake_up"}


def goto_sleep() -> Message:
    """To the parked position, and torque off."""
    return {"type": "goto_sleep"}


def set_torque(on: bool, motors: Sequence[str] | None) -> Message:
    """Switch these motors on where they stand, or off; all of them if None."""
    return {"type": "set_torque", "on": on, "motors": motors}


def stop_motion() -> Message:
    """End a motion where the robot is."""
    return {"type": "stop_motion"}


def with_id(request: Message, request_id: str) -> Message:
    """The request, to be answered with a `Done` or a `Refusal` of that id."""
    return {**request, "id": request_id}


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
        name=str(fields["robot"]),
        torque=bool(fields["torque"]),
        speed_limited=bool(fields["speedLimited"]),
    )


def _parse_clamps(fields: dict[str, Any]) -> tuple[Clamp, ...]:
    return tuple(
        Clamp(
            _PARTS.get(clamp["part"], clamp["part"]),
            float(clamp["wantedRad"]),
            float(clamp["givenRad"]),
            str(clamp["why"]),
        )
        for clamp in fields["clamped"]
    )


def _parse_refusal(fields: dict[str, Any]) -> Refusal:
    request_id = fields["id"]
    return Refusal(
        str(fields["code"]),
        str(fields["message"]),
        None if request_id is None else str(request_id),
    )


def _numbers(values: list[float], count: int) -> tuple[float, ...]:
    if len(values) != count:
        raise ValueError(f"{count} numbers expected")
    return tuple(map(float, values))


_PARTS = {"bodyYaw": "body_yaw"}

_PARSERS: dict[str, Callable[[dict[str, Any]], Reply]] = {
    "welcome": lambda fields: Welcome(str(fields["backend"]), _parse_state(fields["state"])),
    "state": _parse_state,
    "done": lambda fields: Done(str(fields["id"]), _parse_clamps(fields)),
    "clamped": lambda fields: Clamped(_parse_clamps(fields)),
    "stop": lambda fields: Stop(),
    "error": _parse_refusal,
}
