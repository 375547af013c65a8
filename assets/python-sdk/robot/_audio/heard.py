"""What was recorded and not asked for yet."""

from __future__ import annotations

import threading
from array import array
from collections import deque

from robot._audio.samples import INPUT_CHANNELS, SAMPLE_RATE_HZ

MAX_HEARD_S = 30
_MAX_BYTES = MAX_HEARD_S * SAMPLE_RATE_HZ * INPUT_CHANNELS * 4


class Heard:
    """Half a minute at most; the oldest makes room. One thread may add while another takes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: deque[bytes] = deque()
        self._size = 0

    def add(self, samples: bytes) -> None:
        """Takes interleaved float32 samples, as the sound card gives them."""
        with self._lock:
            self._parts.append(samples)
            self._size += len(samples)
            while self._size > _MAX_BYTES:
                self._size -= len(self._parts.popleft())

    def take(self) -> array[float]:
        """All of it, interleaved; none is kept."""
        with self._lock:
            samples = array("f", b"".join(self._parts))
            self._parts.clear()
            self._size = 0
        return samples
