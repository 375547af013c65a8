"""What can go wrong, each with a sentence for a person."""

from __future__ import annotations


class RobotError(Exception):
    """The robot or its daemon could not do what was asked. The base of all errors here."""


class RobotConnectionError(RobotError, ConnectionError):
    """The daemon cannot be reached, refused this program, or was lost."""


class SlotTaken(RobotError):
    """Another program has the robot: this one may read its state and not move it."""


class RobotBusy(RobotError):
    """Another motion is under way, and this one was not to replace it (or may not)."""


class Unreachable(RobotError):
    """The robot cannot take the pose that was asked for."""


class RobotUnavailable(RobotError):
    """The daemon has no robot to command right now: it is unplugged, asleep or in error."""


class InvalidRequest(RobotError):
    """The daemon did not understand a request of this SDK."""


class MoveTimeout(RobotError, TimeoutError):
    """A move did not end in its time, and the daemon did not say why."""


class AudioUnavailable(RobotError):
    """There is no sound card to record from or to play on, or no library to use it."""


_BY_CODE: dict[str, type[RobotError]] = {
    "bad-message": InvalidRequest,
    "bad-protocol": RobotConnectionError,
    "unknown-run": RobotConnectionError,
    "slot-taken": SlotTaken,
    "busy": RobotBusy,
    "unreachable": Unreachable,
    "robot-unavailable": RobotUnavailable,
}


def error_for(code: str, message: str) -> RobotError:
    """The error for the daemon's `code`; a code of a newer daemon gives a plain `RobotError`."""
    return _BY_CODE.get(code, RobotError)(message)
