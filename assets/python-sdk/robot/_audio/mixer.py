"""What is to be heard: the samples that an app pushes, and the sound files it plays."""

from __future__ import annotations

import threading
from array import array
from collections import deque
from itertools import zip_longest

from robot._audio.samples import SAMPLE_RATE_HZ
from robot._audio.sound_file import Voice

MAX_PUSHED_S = 60
"""Speech is often made faster than it is spoken; an answer of a minute fits."""

_MAX_SOUNDS = 8


class Mixer:
    """Puts it all into one channel. Any thread may add, another may pull."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Views: taking the beginning of a long one does not copy the rest.
        self._pushed: deque[memoryview] = deque()
        self._pushed_frames = 0
        self._sounds: list[Voice] = []

    def push(self, samples: array[float]) -> bool:
        """Adds samples after those that are waiting. Of more than a minute the oldest are dropped.

        Returns:
            Whether all that were waiting still are.
        """
        with self._lock:
            self._pushed.append(memoryview(samples))
            self._pushed_frames += len(samples)
            surplus = self._pushed_frames - MAX_PUSHED_S * SAMPLE_RATE_HZ
            self._take_pushed(surplus)
            return surplus <= 0

    def play(self, sound: Voice) -> None:
        """Adds a sound to whatever is heard; of more than eight the oldest is cut off."""
        with self._lock:
            self._sounds.append(sound)
            if len(self._sounds) > _MAX_SOUNDS:
                self._sounds.pop(0).close()

    def clear(self) -> None:
        """Drops all of it."""
        with self._lock:
            self._pushed.clear()
            self._pushed_frames = 0
            while self._sounds:
                self._sounds.pop().close()

    def pull(self, frames: int) -> array[float]:
        """The next frames to be heard, at most a second of them; fewer, or none, if no more wait."""
        with self._lock:
            parts = [self._take_pushed(frames)]
            for sound in list(self._sounds):
                parts.append(sound.read(frames))
                if not parts[-1]:
                    self._sounds.remove(sound)
                    sound.close()
        return _mixed([part for part in parts if part])

    def _take_pushed(self, frames: int) -> array[float]:
        taken = array("f")
        while len(taken) < frames and self._pushed:
            first, missing = self._pushed.popleft(), frames - len(taken)
            taken.extend(first[:missing])
            if len(first) > missing:
                self._pushed.appendleft(first[missing:])
        self._pushed_frames -= len(taken)
        return taken


def _mixed(parts: list[array[float]]) -> array[float]:
    """The sum; what is too loud for a sound card is cut off."""
    if not parts:
        return array("f")
    total = parts[0]
    if len(parts) > 1:
        total = array("f", map(sum, zip_longest(*parts, fillvalue=0.0)))
    if max(total) <= 1 and min(total) >= -1:
        return total
    return array("f", (max(-1.0, min(1.0, sample)) for sample in total))
