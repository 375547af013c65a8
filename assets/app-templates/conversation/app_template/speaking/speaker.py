"""The loudspeaker: plays speech, knows how loud it is at this moment, and stops at once."""

from __future__ import annotations

import threading
import time
from array import array
from collections import deque
from collections.abc import Callable

from app_template.sound import RATE_HZ, loudness_of
from robot.media.media_manager import MediaManager

AHEAD_S = 0.3
"""How much speech is queued, so that it does not stutter."""
_SLICE = RATE_HZ // 50


class Speaker:
    """Plays samples one after another. Any thread may stop it, or ask how loud it is."""

    def __init__(self, media: MediaManager, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns monotonic seconds."""
        self._media = media
        self._clock = clock
        self._lock = threading.Lock()
        self._ends_s = 0.0
        self._levels: deque[tuple[float, float]] = deque()
        """The loudness of each slice, with the time at which it has been played."""

    @property
    def left_s(self) -> float:
        """How long the robot will still speak."""
        return max(0.0, self._ends_s - self._clock())

    def say(self, samples: array[float], interrupted: threading.Event) -> None:
        """Plays samples after those before; returns when almost all of it is played.

        It does nothing once `interrupted` is set.

        Raises:
            AudioUnavailable: if there is no loudspeaker; its text says what to do.
        """
        for start in range(0, len(samples), RATE_HZ):
            if not self._push(samples[start : start + RATE_HZ], interrupted):
                return
            interrupted.wait(max(0.0, self.left_s - AHEAD_S))

    def wait_until_said(self, interrupted: threading.Event) -> None:
        """Returns when everything is played, or `interrupted` is set."""
        interrupted.wait(self.left_s)

    def stop(self) -> None:
        """Stops at once, and drops what is queued. Set `interrupted` before."""
        with self._lock:
            self._ends_s = 0.0
            self._levels.clear()
            self._media.clear_output_buffer()

    def loudness(self) -> float:
        """How loud the robot speaks at this moment, 0 to 1."""
        now_s = self._clock()
        with self._lock:
            while self._levels and self._levels[0][0] < now_s:
                self._levels.popleft()
            return self._levels[0][1] if self._levels else 0.0

    def _push(self, samples: array[float], interrupted: threading.Event) -> bool:
        with self._lock:
            if interrupted.is_set():
                return False
            self._media.push_audio_sample(samples)
            self._ends_s = max(self._ends_s, self._clock())
            for start in range(0, len(samples), _SLICE):
                part = samples[start : start + _SLICE]
                self._ends_s += len(part) / RATE_HZ
                self._levels.append((self._ends_s, loudness_of(part)))
            return True
