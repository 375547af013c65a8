"""Encodes the messages of `/ws/sdk`, and decodes the daemon's replies.

Radians, metres, seconds. A head is 16 numbers, row by row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from robot._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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


class Target(Record):
    """A target; a part that is None stays at its current target."""

    head: Sequence[float] | None
    antennas: Sequence[float] | None
    body_yaw: float | None


class Clamp(Record):
    """A change that the daemon made to a target."""

    part: str
    """The changed part, such as `body_yaw`."""

    wanted_rad: float
    given_rad: float
    why: str
    """The reason, one sentence."""


class State(Record):
    """The robot's measured joints, and its state."""

    head: tuple[float, ...]
    body_yaw: float
    stewart: tuple[float, ...]
    antennas: tuple[float, ...]
    name: str
    """Such as `awake`."""

    torque: bool
    speed_limited: bool


class Welcome(Record):
    """The daemon accepts this program."""

    backend: str
    state: State
    daemon_version: str = ""


class Dropped(Record):
    """A part of a target that the daemon dropped, because a motion owns it."""

    part: str
    """`head`, `antennas` or `body_yaw`."""

    why: str
    """The reason, one sentence."""


class Done(Record):
    """A request was carried out."""

    id: str
    clamped: tuple[Clamp, ...]
    outcome: str = "done"
    """`done`, `replaced` or `stopped`."""

    lost: tuple[str, ...] = ()
    """The parts that other motions took from this one."""


class Clamped(Record):
    """The changes to the latest `set_target` differ from those before."""

    clamped: tuple[Clamp, ...]
    dropped: tuple[Dropped, ...] = ()
    """The parts that are dropped now and were not reported before."""


class Volume(Record):
    """The volume of the robot's sounds."""

    share: float
    """From 0, silent, to 1."""


class Stop(Record):
    """The daemon asks this program to stop."""


class Refusal(Record):
    """The daemon refused a message; `id` is that of the request, if it has one."""

    code: str
    message: str
    id: str | None


class Unknown(Record):
    """A message for newer programs."""


Reply = Welcome | State | Done | Clamped | Volume | Stop | Refusal | Unknown


class MalformedReply(Exception):
    """The daemon sent a text that is not a reply of this protocol."""


def hello(sdk_version: str, run_token: str | None, client_name: str, program_id: str) -> Message:
    """The first message of a connection."""
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "sdkVersion": sdk_version,
        "runToken": run_token,
        "clientName": client_name,
        "programId": program_id,
    }


def set_target(target: Target) -> Message:
    """Go there at once. Parts that are None are omitted, because this is sent very often."""
    parts = {"head": target.head, "antennas": target.antennas, "bodyYaw": target.body_yaw}
    return {"type": "set_target", **{key: part for key, part in parts.items() if part is not None}}


def goto_target(
    target: Target, duration_s: float, method: str, if_busy: str, body_yaw_given: bool = False
) -> Message:
    """Go there in `duration_s` seconds; answered at the end.

    A body yaw of 0 counts as a default that yields to other commands, unless `body_yaw_given`.
    """
    message: Message = {
        "type": "goto_target",
        "head": target.head,
        "antennas": target.antennas,
        "bodyYaw": target.body_yaw,
        "durationS": duration_s,
        "method": method,
        "ifBusy": if_busy,
    }
    return {**message, "bodyYawGiven": True} if body_yaw_given else message


def wake_up() -> Message:
    """Torque on, and to the default position."""
    return {"type": "wake_up"}


def goto_sleep() -> Message:
    """To the parked position, and torque off."""
    return {"type": "goto_sleep"}


def set_torque(on: bool, motors: Sequence[str] | None) -> Message:
    """Switch motors on at their position, or off; None: all motors."""
    return {"type": "set_torque", "on": on, "motors": motors}


def set_gravity_compensation(enabled: bool) -> Message:
    """Make the head soft, or hold its position again."""
    return {"type": "set_gravity_compensation", "enabled": enabled}


def set_automatic_body_yaw(enabled: bool) -> Message:
    """Turn the body along with the head, or not; on again when this connection ends."""
    return {"type": "set_automatic_body_yaw", "enabled": enabled}


def stop_motion() -> Message:
    """Stop the current motion where the robot is."""
    return {"type": "stop_motion"}


def with_id(request: Message, request_id: str) -> Message:
    """The request with an id, which the `Done` or `Refusal` repeats."""
    return {**request, "id": request_id}


def encode(message: Message) -> str:
    """Encodes a message as text."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False)


def decode(text: str) -> Reply:
    """Decodes a received text.

    Raises:
        MalformedReply: if it is not a reply of this protocol.
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
            _part(clamp["part"]),
            float(clamp["wantedRad"]),
            float(clamp["givenRad"]),
            str(clamp["why"]),
        )
        for clamp in fields["clamped"]
    )


def _parse_done(fields: dict[str, Any]) -> Done:
    lost = tuple(map(_part, fields.get("lost", ())))
    return Done(str(fields["id"]), _parse_clamps(fields), str(fields["outcome"]), lost)


def _parse_dropped(fields: dict[str, Any]) -> tuple[Dropped, ...]:
    return tuple(
        Dropped(_part(dropped["part"]), str(dropped["why"]))
        for dropped in fields.get("dropped", ())
    )


def _parse_refusal(fields: dict[str, Any]) -> Refusal:
    code, message, request_id = fields["code"], fields["message"], fields["id"]
    return Refusal(str(code), str(message), None if request_id is None else str(request_id))


def _numbers(values: list[float], count: int) -> tuple[float, ...]:
    if len(values) != count:
        raise ValueError(f"{count} numbers expected")
    return tuple(map(float, values))


def _part(name: object) -> str:
    """A part's name as Python has it."""
    return "body_yaw" if name == "bodyYaw" else str(name)


_PARSERS: dict[str, Callable[[dict[str, Any]], Reply]] = {
    "welcome": lambda fields: Welcome(
        str(fields["backend"]),
        _parse_state(fields["state"]),
        str(fields.get("daemonVersion", "")),
    ),
    "state": _parse_state,
    "done": _parse_done,
    "clamped": lambda fields: Clamped(_parse_clamps(fields), _parse_dropped(fields)),
    "volume": lambda fields: Volume(int(fields["volume"]) / 100),
    "stop": lambda fields: Stop(),
    "error": _parse_refusal,
}
