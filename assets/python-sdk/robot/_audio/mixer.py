"""Mixes the samples that an app pushes and the sound files that it plays."""

from __future__ import annotations

import threading
from array import array
from collections import deque
from collections.abc import Callable
from itertools import zip_longest

from robot._audio.samples import SAMPLE_RATE_HZ
from robot._audio.sound_file import Voice

MAX_PUSHED_S = 60
"""Generated speech often arrives faster than it is played; an answer of a minute fits."""

_MAX_SOUNDS = 8


class Mixer:
    """Mixes everything to one channel. Any thread may add, another may pull."""

    def __init__(self, volume: Callable[[], float] = lambda: 1.0) -> None:
        """Starts empty. `volume` returns the volume of the mix, from 0 to 1."""
        self._volume = volume
        self._lock = threading.Lock()
        # Views: taking the start of a long one does not copy the remainder.
        self._pushed: deque[memoryview] = deque()
        self._pushed_frames = 0
        self._sounds: list[Voice] = []

    def push(self, samples: array[float]) -> bool:
        """Adds samples to the queue. Beyond a minute the oldest are dropped.

        Returns:
            Whether no sample was dropped.
        """
        with self._lock:
            self._pushed.append(memoryview(samples))
            self._pushed_frames += len(samples)
            surplus = self._pushed_frames - MAX_PUSHED_S * SAMPLE_RATE_HZ
            self._take_pushed(surplus)
            return surplus <= 0

    def play(self, sound: Voice) -> None:
        """Adds a sound; a ninth sound stops the oldest."""
        with self._lock:
            self._sounds.append(sound)
            if len(self._sounds) > _MAX_SOUNDS:
                self._sounds.pop(0).close()

    def end(self, sound: Voice) -> None:
        """Drops a sound, if it still plays."""
        with self._lock:
            if sound in self._sounds:
                self._sounds.remove(sound)
                sound.close()

    def clear(self) -> None:
        """Drops every sound and sample."""
        with self._lock:
            self._clear_pushed()
            while self._sounds:
                self._sounds.pop().close()

    def clear_pushed(self) -> None:
        """Drops the pushed samples; sounds go on."""
        with self._lock:
            self._clear_pushed()

    def has_pushed(self) -> bool:
        """Whether pushed samples wait to be played."""
        with self._lock:
            return bool(self._pushed)

    def pull(self, frames: int) -> array[float]:
        """The next frames to play, at most a second; fewer, or none, if the queue ends."""
        with self._lock:
            parts = [self._take_pushed(frames)]
            for sound in list(self._sounds):
                parts.append(sound.read(frames))
                if not parts[-1]:
                    self._sounds.remove(sound)
                    sound.close()
        return _mixed([part for part in parts if part], self._volume())

    def _clear_pushed(self) -> None:
        self._pushed.clear()
        self._pushed_frames = 0

    def _take_pushed(self, frames: int) -> array[float]:
        taken = array("f")
        while len(taken) < frames and self._pushed:
            first, missing = self._pushed.popleft(), frames - len(taken)
            taken.extend(first[:missing])
            if len(first) > missing:
                self._pushed.appendleft(first[missing:])
        self._pushed_frames -= len(taken)
        return taken


def _mixed(parts: list[array[float]], volume: float) -> array[float]:
    """The sum at a volume, clipped to the range of a sound card."""
    if not parts:
        return array("f")
    total = parts[0]
    if len(parts) > 1:
        total = array("f", map(sum, zip_longest(*parts, fillvalue=0.0)))
    if volume != 1:
        total = array("f", (sample * volume for sample in total))
    if max(total) <= 1 and min(total) >= -1:
        return total
    return array("f", (max(-1.0, min(1.0, sample)) for sample in total))
