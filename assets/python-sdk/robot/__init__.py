"""Write apps for a small expressive desktop robot.

`Robot` commands the robot, apps extend `RobotApp`, `create_head_pose` creates head poses.
Everything is imported at first use, so that an app starts without waiting for unused modules.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know the name; importing `typing` takes milliseconds
if TYPE_CHECKING:
    from robot._calls.commands import MoveEnd
    from robot._wire.messages import Clamp
    from robot.apps.app import RobotApp
    from robot.endpoints import EndpointCancelled, EndpointError, EndpointMissing
    from robot.errors import (
        AppStopping,
        AudioUnavailable,
        CameraUnavailable,
        InvalidRequest,
        MoveTimeout,
        RobotBusy,
        RobotConnectionError,
        RobotError,
        RobotUnavailable,
        SlotTaken,
        Unreachable,
        Unsupported,
    )
    from robot.robot import Robot
    from robot.utils import create_head_pose

__version__ = "1.0.0"

__all__ = [
    "AppStopping",
    "AudioUnavailable",
    "CameraUnavailable",
    "Clamp",
    "EndpointCancelled",
    "EndpointError",
    "EndpointMissing",
    "InvalidRequest",
    "MoveEnd",
    "MoveTimeout",
    "Robot",
    "RobotApp",
    "RobotBusy",
    "RobotConnectionError",
    "RobotError",
    "RobotUnavailable",
    "SlotTaken",
    "Unreachable",
    "Unsupported",
    "__version__",
    "create_head_pose",
]

_MODULES = {
    "Clamp": "robot._wire.messages",
    "EndpointCancelled": "robot.endpoints",
    "EndpointError": "robot.endpoints",
    "EndpointMissing": "robot.endpoints",
    "MoveEnd": "robot._calls.commands",
    "Robot": "robot.robot",
    "RobotApp": "robot.apps.app",
    "create_head_pose": "robot.utils",
}

_PACKAGES = ("apps", "errors", "media", "motion", "robot", "utils", "vision")
"""The modules that `import robot` makes available as attributes."""


def __getattr__(name: str) -> object:
    if name not in __all__ and name not in _PACKAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    if name in _PACKAGES:
        return import_module(f"{__name__}.{name}")
    value: object = getattr(import_module(_MODULES.get(name, "robot.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
