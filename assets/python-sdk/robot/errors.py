"""The errors of this SDK. The text of each is a sentence for people."""

from __future__ import annotations


class RobotError(Exception):
    """The base of all errors here: the robot or its daemon could not carry out a request."""


class RobotConnectionError(RobotError, ConnectionError):
    """The daemon cannot be reached, refused this program, or was lost."""


class SlotTaken(RobotError):
    """Another program has the robot: this one can read its state but not move it."""


class RobotBusy(RobotError):
    """Another motion is in progress, and this one must not or may not replace it."""


class Unreachable(RobotError):
    """The robot cannot reach the requested pose."""


class RobotUnavailable(RobotError):
    """The robot cannot be commanded now: it is unplugged, asleep or has an error."""


class Unsupported(RobotError):
    """The robot, or its daemon, cannot do that."""


class InvalidRequest(RobotError):
    """The daemon did not understand a request of this SDK."""


class MoveTimeout(RobotError, TimeoutError):
    """A move or another request did not end in time, and the daemon gave no reason."""


class AudioUnavailable(RobotError):
    """There is no sound card to record from or play on, or no library to use it."""


class CameraUnavailable(RobotError, RuntimeError):
    """There is no camera to look at a point of its image."""


class AppStopping(RobotError):
    """The app was asked to stop while a call waited. `RobotApp` takes it for the end of `run`."""


_BY_CODE: dict[str, type[RobotError]] = {
    "bad-message": InvalidRequest,
    "bad-protocol": RobotConnectionError,
    "unknown-run": RobotConnectionError,
    "slot-taken": SlotTaken,
    "busy": RobotBusy,
    "unreachable": Unreachable,
    "robot-unavailable": RobotUnavailable,
    "unsupported": Unsupported,
}


def error_for(code: str, message: str) -> RobotError:
    """The error for the daemon's `code`; an unknown code gives a plain `RobotError`."""
    return _BY_CODE.get(code, RobotError)(message)
