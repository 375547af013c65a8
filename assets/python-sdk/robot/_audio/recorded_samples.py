"""Recorded samples that the app has not read yet."""

from __future__ import annotations

import threading
from array import array
from collections import deque

from robot._audio.samples import INPUT_CHANNELS, SAMPLE_RATE_HZ

MAX_RECORDED_S = 30
_MAX_BYTES = MAX_RECORDED_S * SAMPLE_RATE_HZ * INPUT_CHANNELS * 4


class RecordedSamples:
    """Keeps the last half minute. One thread may add while another takes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: deque[bytes] = deque()
        self._size = 0

    def add(self, samples: bytes) -> None:
        """Adds interleaved float32 samples in the sound card's format."""
        with self._lock:
            self._parts.append(samples)
            self._size += len(samples)
            while self._size > _MAX_BYTES:
                self._size -= len(self._parts.popleft())

    def take(self) -> array[float]:
        """Removes and returns the samples, interleaved."""
        with self._lock:
            samples = array("f", b"".join(self._parts))
            self._parts.clear()
            self._size = 0
        return samples
