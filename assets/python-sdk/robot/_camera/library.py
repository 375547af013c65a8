"""OpenCV, imported at first use, because that takes long."""

from __future__ import annotations

from typing import Any


def camera_library() -> Any:
    """The module cv2.

    Raises:
        ImportError: if it cannot be imported.
    """
    import cv2

    return cv2
