"""A camera of this computer, through OpenCV."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from robot._arrays import Array, as_array
from robot._camera import linux_devices
from robot._camera.library import camera_library
from robot._notice import once

_RESOLUTION = (1280, 720)
"""The frames that are asked for: cameras on USB send these 30 times a second."""

_RETRY_S = 5.0
"""After a failure, because an attempt can take a second, and apps ask 30 times a second."""

_STALE_S = 0.2
"""Without a read for this time, the driver has old frames in its buffers."""

_BUFFERS = 4
_WAITED_S = 0.004
"""A frame that took longer to come was not in a buffer."""

_CLOSE_TIMEOUT_S = 1.0

_FOCAL_LENGTH = 0.4278
_LENS = (-0.0294, 0.06, 0.0, -0.0003, -0.0379)
"""The lens that the robot is built with: its focal length as a share of the image's width, and its
distortion."""


class DeviceCamera:
    """The camera with the number or file `ROBOT_CAMERA_DEVICE`; without it, the robot's own.

    It is opened by the first `read` or use of `resolution`, `K` and `D`, and again some seconds
    after a failure.
    """

    def __init__(
        self,
        device: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Opens no device.

        Args:
            device: the camera's number, its file, or any other name that OpenCV opens. None: the
                robot's own camera where the system tells which one that is, else the first.
            clock: returns monotonic seconds.
            sleep: waits for some seconds.
        """
        self._device = device
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()  # held while the device is in use
        self._capture: Any = None
        self._errors: type[Exception] = RuntimeError  # those of OpenCV, once it is imported
        self._resolution = _RESOLUTION
        self._k: Array | None = None
        self._d: Array | None = None
        self._retry_at_s = clock()
        self._read_at_s = 0.0
        self._closed = False

    @property
    def resolution(self) -> tuple[int, int]:
        """See `Camera.resolution`. Of a camera that cannot be opened: 1280 and 720."""
        with self._lock:
            self._open()
            return self._resolution

    @property
    def K(self) -> Array:
        """See `Camera.K`. Unless it is set: the lens that the robot is built with."""
        if self._k is not None:
            return self._k
        width, height = self.resolution
        focal_length = _FOCAL_LENGTH * width
        return as_array(
            [[focal_length, 0.0, width / 2], [0.0, focal_length, height / 2], [0.0, 0.0, 1.0]]
        )

    @K.setter
    def K(self, value: Array) -> None:
        self._k = value

    @property
    def D(self) -> Array:
        """See `Camera.D`. Unless it is set: the lens that the robot is built with."""
        return as_array(_LENS) if self._d is None else self._d

    @D.setter
    def D(self, value: Array) -> None:
        self._d = value

    def read(self) -> Array | None:
        """See `Camera.read`. Waits for the device's next frame, about 1/30 s."""
        with self._lock:
            if not self._open():
                wait_s = min(self._retry_at_s - self._clock(), 1 / 30)
            else:
                frame = self._next_frame()
                if frame is not None:
                    return frame
                wait_s = 0.0
        # A loop without a camera does not take a whole core.
        if wait_s > 0 and not self._closed:
            self._sleep(wait_s)
        return None

    def close(self) -> None:
        """See `Camera.close`. A read that hangs in the driver releases the device at its end."""
        self._closed = True
        if self._lock.acquire(timeout=_CLOSE_TIMEOUT_S):
            try:
                self._release()
            finally:
                self._lock.release()

    def _open(self) -> bool:
        """Whether the device is open; tries to open it, at most every few seconds."""
        if self._closed:
            self._release()
        elif self._capture is None and self._clock() >= self._retry_at_s:
            self._retry_at_s = self._clock() + _RETRY_S
            self._try_to_open()
        return self._capture is not None

    def _try_to_open(self) -> None:
        device = self._device
        linux = sys.platform == "linux"
        if device is None:
            device = linux_devices.find_camera() if linux else "0"
        elif linux and device.isdecimal():
            device = f"/dev/video{device}"
        if linux and device.startswith("/") and (why := linux_devices.why_not(device)):
            _report(why)
            return
        try:
            library = camera_library()
        except ImportError as error:
            _report(_why_not_imported(error))
            return
        number = linux_devices.number_of(device) if linux else None
        if device.isdecimal():
            number = int(device)
        capture = library.VideoCapture(device if number is None else number)
        if not capture.isOpened():
            capture.release()
            _report(_why_refused(device))
            return
        # Compressed, because USB has no room for 30 plain frames of this size a second.
        capture.set(library.CAP_PROP_FOURCC, library.VideoWriter_fourcc(*"MJPG"))
        capture.set(library.CAP_PROP_FRAME_WIDTH, _RESOLUTION[0])
        capture.set(library.CAP_PROP_FRAME_HEIGHT, _RESOLUTION[1])
        capture.set(library.CAP_PROP_BUFFERSIZE, 1)
        size = (library.CAP_PROP_FRAME_WIDTH, library.CAP_PROP_FRAME_HEIGHT)
        width, height = (int(capture.get(each)) for each in size)
        if width > 0 and height > 0:
            self._resolution = (width, height)
        self._capture, self._errors = capture, library.error
        self._read_at_s = self._clock()

    def _next_frame(self) -> Array | None:
        why = ""
        try:
            if self._clock() - self._read_at_s > _STALE_S:
                self._drop_old_frames()
            ok, frame = self._capture.read()
        except self._errors as error:
            ok, frame, why = False, None, f" ({error})"
        self._read_at_s = self._clock()
        if ok and frame is not None and not self._closed:
            height, width = frame.shape[:2]
            self._resolution = (width, height)
            return frame
        if not self._closed:
            _report(
                f"The camera sends no frames any more{why}. Check its cable; it is opened again "
                f"{_RETRY_S:g} s later."
            )
        self._release()
        self._retry_at_s = self._clock() + _RETRY_S
        return None

    def _drop_old_frames(self) -> None:
        for _ in range(_BUFFERS):
            started_s = self._clock()
            if not self._capture.grab() or self._clock() - started_s > _WAITED_S:
                return

    def _release(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()


def _why_not_imported(error: ImportError) -> str:
    if linux_devices.is_missing_library(error):
        todo = (
            "Install this library of the system; on Debian and Ubuntu, the packages libgl1 and "
            "libglib2.0-0 have what OpenCV needs."
        )
    else:
        todo = "Install opencv-python again."
    return f"OpenCV cannot be imported ({error}). {todo}"


def _why_refused(device: str) -> str:
    if sys.platform == "linux":
        todo = "Another program may be using it: close that program."
    else:
        todo = (
            "Another program may be using it, or the permission is missing: allow the camera for "
            "this program in the system's privacy settings."
        )
    return f"The camera {device} cannot be opened. {todo}"


def _report(why: str) -> None:
    once(f"camera: {why}", f"{why} Until then, get_frame() returns None.")
