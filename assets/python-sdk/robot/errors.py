"""What can go wrong, each with a sentence for a person."""

from __future__ import annotations


class RobotError(Exception):
    """The robot or its daemon could not do what was asked. The base of all errors here."""


class RobotConnectionError(RobotError, ConnectionError):
    """The daemon cannot be reached, refused this program, or was lost."""


class SlotTaken(RobotError):
    """Another program has the robot: this one may read its state and not move it."""


class Unreachable(RobotError):
    """The robot cannot take the pose that was asked for."""


class RobotUnavailable(RobotError):
    """The daemon has no robot to command right now: it is unplugged, asleep or in error."""


class InvalidRequest(RobotError):
    """The daemon did not understand a request of this SDK."""


class MoveTimeout(RobotError, TimeoutError):
    """A move did not end in its time, and the daemon did not say why."""


_BY_CODE: dict[str, type[RobotError]] = {
    "bad-message": InvalidRequest,
    "bad-protocol": RobotConnectionError,
    "unknown-run": RobotConnectionError,
    "slot-taken": SlotTaken,
    "unreachable": Unreachable,
    "robot-unavailable": RobotUnavailable,
}


def error_for(code: str, message: str) -> RobotError:
    """The error for the daemon's `code`; a code of a newer daemon gives a plain `RobotError`."""
    return _BY_CODE.get(code, RobotError)(message)
