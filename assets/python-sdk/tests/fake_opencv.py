"""A stand-in of OpenCV's module for tests without a camera: only what the SDK uses.

The names are OpenCV's.
"""

from __future__ import annotations

import os
from typing import Any

import numpy

CAP_PROP_FRAME_WIDTH = 3
CAP_PROP_FRAME_HEIGHT = 4
CAP_PROP_FOURCC = 6
CAP_PROP_BUFFERSIZE = 38
FRAMES = 12


class error(Exception):
    """The error that OpenCV raises."""


def VideoWriter_fourcc(a: str, b: str, c: str, d: str) -> int:
    """The number of a codec."""
    return sum(ord(letter) << 8 * at for at, letter in enumerate((a, b, c, d)))


class VideoCapture:
    """A file with `FRAMES` frames of 320 x 240 pixels, the first black, each ten brighter."""

    def __init__(self, device: int | str) -> None:
        self._next = 0
        self._opened = isinstance(device, str) and os.path.isfile(device)

    def isOpened(self) -> bool:
        """Whether it can be read."""
        return self._opened

    def read(self) -> tuple[bool, Any]:
        """The next frame."""
        if not self.grab():
            return False, None
        return True, numpy.full((240, 320, 3), 10 * (self._next - 1), "u1")

    def grab(self) -> bool:
        """Passes over a frame."""
        if not self._opened or self._next == FRAMES:
            return False
        self._next += 1
        return True

    def set(self, _property: int, _value: float) -> bool:
        """A file has its own properties."""
        return False

    def get(self, wanted: int) -> float:
        """A property; 0 for unknown ones."""
        sizes = {CAP_PROP_FRAME_WIDTH: 320.0, CAP_PROP_FRAME_HEIGHT: 240.0}
        return sizes.get(wanted, 0.0) if self._opened else 0.0

    def release(self) -> None:
        """Closes it."""
        self._opened = False
