"""The camera of a simulated or emulated robot: it shows the scene of `robot.media.scene`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from robot._arrays import Array, as_array
from robot._camera.renderer import Renderer
from robot.errors import RobotConnectionError

_RESOLUTION = (640, 480)
_FOCAL_LENGTH = 500.0  # pixels: the image is 65 degrees wide and 51 high
_PERIOD_S = 1 / 30


class SimulatedCamera:
    """Renders 30 frames a second at most, each when it is read. It has no thread."""

    def __init__(
        self,
        head: Callable[[], Sequence[float]],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Renders nothing yet.

        Args:
            head: returns the measured pose of the head, 16 numbers, row by row. It may raise
                RobotConnectionError.
            clock: returns monotonic seconds.
            sleep: waits for some seconds.
        """
        width, height = _RESOLUTION
        self.K: Array = as_array(
            [[_FOCAL_LENGTH, 0.0, width / 2], [0.0, _FOCAL_LENGTH, height / 2], [0.0, 0.0, 1.0]]
        )
        self.D: Array = as_array([0.0] * 5)
        self._head = head
        self._clock = clock
        self._sleep = sleep
        self._started_s = clock()
        self._renderer = Renderer(_RESOLUTION, _FOCAL_LENGTH)
        self._lock = threading.Lock()
        self._latest: Array | None = None
        self._latest_number = -1
        self._seen = threading.local()
        self._closed = False

    @property
    def resolution(self) -> tuple[int, int]:
        """See `Camera.resolution`."""
        return _RESOLUTION

    def read(self) -> Array | None:
        """See `Camera.read`. A thread that has the current frame waits for the next one."""
        number = max(self._number(), getattr(self._seen, "number", -1) + 1)
        while not self._closed and self._number() < number:
            self._sleep(max(self._started_s + number * _PERIOD_S - self._clock(), 0.001))
        with self._lock:
            if self._closed:
                return None
            if self._latest_number < number:
                try:
                    self._latest = self._renderer.render(self._head())
                except RobotConnectionError:  # the daemon is lost
                    return None
                self._latest_number = number
            self._seen.number = self._latest_number
            return None if self._latest is None else self._latest.copy()

    def close(self) -> None:
        """See `Camera.close`."""
        self._closed = True

    def _number(self) -> int:
        """The number of the frame that is due now."""
        return int((self._clock() - self._started_s) / _PERIOD_S)
