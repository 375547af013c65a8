"""Sensors that other robots of this kind have: what this one answers to their calls."""

from __future__ import annotations

from robot._notice import once
from robot._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class TrackedFace(Record):
    """The face that the head follows; on this robot there is never one."""

    detected: bool = False
    x: float | None = None
    """From -1 (left of the image) to 1 (right)."""

    y: float | None = None
    """From -1 (top of the image) to 1 (bottom)."""

    roll: float | None = None
    """Radians."""

    ts: float | None = None
    """Seconds on the clock of `time.time`."""


class Sensors:
    """The calls of a `Robot` for sensors and abilities that it does not have."""

    @property
    def imu(self) -> dict[str, Any] | None:
        """The measured acceleration and rotation. None: this robot does not have that sensor."""
        once("imu", "This robot has no sensor for acceleration: robot.imu is always None.")
        return None

    def get_DoA(self) -> tuple[float, bool] | None:  # the name that apps call
        """The direction of a sound. None: this robot's microphone does not measure it."""
        once(
            "get_DoA",
            "This robot's microphone does not measure where a sound comes from: get_DoA() "
            "always returns None.",
        )
        return None

    def start_head_tracking(self, weight: float = 1.0) -> None:
        """Does nothing, and says so once: this robot does not look for faces.

        Args:
            weight: from 0 to 1, how much the head follows the face.
        """
        once(
            "start_head_tracking",
            "This robot does not look for faces: start_head_tracking() does nothing. The app can "
            "look for faces in the frames of robot.media.get_frame() itself.",
        )

    def stop_head_tracking(self) -> None:
        """Does nothing: see `start_head_tracking`."""

    def get_tracked_face(self, wait: bool = True, timeout: float = 5.0) -> TrackedFace:
        """The face that the head follows: always one that is not `detected`. Returns at once.

        Args:
            wait: accepted for apps that pass it.
            timeout: accepted for apps that pass it.
        """
        return TrackedFace()

    def enable_wobbling(self) -> None:
        """Does nothing, and says so once: the head does not move along with the sound."""
        once(
            "enable_wobbling",
            "This robot's head does not move along with the sound: enable_wobbling() does "
            "nothing. The app can send targets itself while it plays.",
        )

    def disable_wobbling(self) -> None:
        """Does nothing: see `enable_wobbling`."""
