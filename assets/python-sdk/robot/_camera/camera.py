"""The interface of cameras, real and simulated, and the choice between them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Protocol

from robot._arrays import Array

_SIMULATED_BACKENDS = ("simulation", "emulator")


class Camera(Protocol):
    """A camera in the robot's head. Safe to use from several threads.

    `K` and `D` describe its lens: they can be replaced by those of a calibration.
    """

    K: Array
    """The 3x3 matrix of focal lengths and optical centre in pixels, for this `resolution`."""

    D: Array
    """The distortion of the lens: `k1, k2, p1, p2, k3`."""

    @property
    def resolution(self) -> tuple[int, int]:
        """Width and height of the frames in pixels."""
        ...

    def read(self) -> Array | None:
        """The next frame, see `MediaManager.get_frame`; None without one. Raises nothing."""

    def close(self) -> None:
        """Releases the camera; `read` returns None from now on. Can be called repeatedly."""


def choose_camera(backend: str, head: Callable[[], Sequence[float]]) -> Camera | str:
    """Chooses the camera for the daemon's kind of robot; opens nothing and imports no library.

    A simulated or emulated robot has a simulated camera, unless `ROBOT_CAMERA` in the environment
    is `device`.

    Args:
        backend: the daemon's kind of robot.
        head: returns the measured pose of the head, 16 numbers, row by row.

    Returns:
        The camera; if its library is not installed, a sentence that says what to do.

    Raises:
        ValueError: if `ROBOT_CAMERA` has another value.
    """
    asked = os.environ.get("ROBOT_CAMERA") or None
    if asked not in (None, "device"):
        raise ValueError(
            f"ROBOT_CAMERA in the environment must be 'device' or empty, not {asked!r}."
        )
    if backend in _SIMULATED_BACKENDS and asked is None:
        if not _is_installed("numpy"):
            return (
                "The simulated camera needs numpy, which is not installed: get_frame() returns "
                'None. Depend on numpy in the "dependencies" of pyproject.toml.'
            )
        from robot._camera.simulated_camera import SimulatedCamera

        return SimulatedCamera(head)
    if not _is_installed("cv2"):
        return (
            "The camera needs the library OpenCV, which is not installed: get_frame() returns "
            'None. Depend on robot-sdk[opencv] in the "dependencies" of pyproject.toml.'
        )
    from robot._camera.device_camera import DeviceCamera

    return DeviceCamera(os.environ.get("ROBOT_CAMERA_DEVICE") or None)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # a module without a spec, such as a test's
        return True
