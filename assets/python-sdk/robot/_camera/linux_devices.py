"""The cameras of a Linux system, and why one cannot be opened."""

from __future__ import annotations

import os
import re
from pathlib import Path

_ROBOT_CAMERAS = (("38fb", "1002"), ("1bcf", "28c4"), ("0c45", "636d"))
"""The USB vendor and product of the cameras that the robot is built with."""


def find_camera(listed: Path = Path("/sys/class/video4linux")) -> str:
    """The file of the robot's camera, by its USB identity; else that of the first camera.

    Args:
        listed: the folder in which the system lists its cameras.
    """
    names = sorted(listed.glob("video*"), key=lambda path: (len(path.name), path.name))
    # A camera has several files; only the one of index 0 has its frames.
    cameras = [path for path in names if _read(path / "index") in ("0", "")]
    own = [path for path in cameras if _usb_identity(path) in _ROBOT_CAMERAS]
    chosen = [*own, *cameras]
    return f"/dev/{chosen[0].name}" if chosen else "/dev/video0"


def number_of(device: str) -> int | None:
    """The number of the camera of a file such as `/dev/video2`, or of a link to it; None for others.

    OpenCV takes a file's name for that of a film.
    """
    match = re.fullmatch(r"/dev/video(\d+)", os.path.realpath(device))
    return int(match[1]) if match else None


def is_missing_library(error: ImportError) -> bool:
    """Whether a module could not be imported because the system lacks a library."""
    return ".so" in str(error) and "cannot open shared object file" in str(error)


def why_not(device: str) -> str | None:
    """A sentence why the camera of a file cannot be opened; None if the file is no obstacle."""
    if not os.path.exists(device):
        return (
            f"There is no camera: {device} does not exist. Connect the robot's camera, or set "
            "ROBOT_CAMERA_DEVICE in the environment to another one."
        )
    if not os.access(device, os.R_OK | os.W_OK) and device.startswith("/dev/"):
        return (
            f"The permission for the camera {device} is missing. Add this user to the group "
            f'"{_group(device)}", then log in again.'
        )
    return None


def _usb_identity(camera: Path) -> tuple[str, str]:
    usb = (camera / "device").resolve().parent  # the device of which it is an interface
    return _read(usb / "idVendor"), _read(usb / "idProduct")


def _read(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def _group(device: str) -> str:
    try:
        return Path(device).group()
    except (KeyError, OSError, NotImplementedError):
        return "video"
