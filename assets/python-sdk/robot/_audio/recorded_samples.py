"""Recorded samples that the app has not read yet."""

from __future__ import annotations

import threading
from array import array

from robot._audio.samples import INPUT_CHANNELS, SAMPLE_RATE_HZ

PERIOD_MS = 20
PERIOD_S = PERIOD_MS / 1000
"""The samples are handed out in multiples of this time."""

MAX_RECORDED_S = 30
_FRAME_BYTES = INPUT_CHANNELS * 4
_PERIOD_BYTES = PERIOD_MS * SAMPLE_RATE_HZ // 1000 * _FRAME_BYTES
_MAX_BYTES = MAX_RECORDED_S * SAMPLE_RATE_HZ * _FRAME_BYTES


class RecordedSamples:
    """Keeps the last half minute. Several threads may use it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._samples = bytearray()
        self._is_whole = True

    def begin(self) -> None:
        """Drops the samples of an earlier recording. The last period is not complete from now on."""
        with self._changed:
            self._samples.clear()
            self._is_whole = False

    def end(self) -> None:
        """Completes the last period: `take` also returns what follows the last whole one."""
        with self._changed:
            self._is_whole = True
            self._changed.notify_all()

    def add(self, samples: bytes) -> None:
        """Adds interleaved float32 samples in the sound card's format."""
        with self._changed:
            self._samples += samples
            del self._samples[: max(len(self._samples) - _MAX_BYTES, 0)]
            if self._ready():
                self._changed.notify_all()

    def take(self) -> array[float]:
        """Removes and returns the whole periods, interleaved."""
        with self._changed:
            ready = self._ready()
            samples = array("f", bytes(self._samples[:ready]))
            del self._samples[:ready]
        return samples

    def missing_frames(self) -> int:
        """The frames without which `take` returns nothing."""
        with self._changed:
            return 0 if self._ready() else (_PERIOD_BYTES - len(self._samples)) // _FRAME_BYTES

    def wait(self, timeout_s: float) -> None:
        """Returns as soon as `take` has samples, at the latest after `timeout_s`."""
        with self._changed:
            self._changed.wait_for(self._ready, timeout_s)

    def _ready(self) -> int:
        """The number of bytes that can be taken."""
        size = len(self._samples)
        return size if self._is_whole else size - size % _PERIOD_BYTES
