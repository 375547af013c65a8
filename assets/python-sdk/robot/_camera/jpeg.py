"""JPEG images of frames, by the library that is installed."""

from __future__ import annotations

from typing import Any

from robot._arrays import Array
from robot._notice import once


def encode_jpeg(frame: Array) -> bytes | None:
    """Encodes a frame of BGR by OpenCV, else by Pillow; None without both, which is logged once."""
    try:
        import cv2
    except ImportError:  # missing or broken
        return _by_pillow(frame)
    encoded: Any = cv2.imencode(".jpg", frame)[1]
    return bytes(encoded.tobytes())


def _by_pillow(frame: Array) -> bytes | None:
    try:
        from PIL import Image
    except ImportError:  # missing or broken
        once(
            "get_frame_jpeg",
            "get_frame_jpeg() needs the library OpenCV or Pillow, which are not installed: it "
            'returns None. Depend on robot-sdk[opencv] in the "dependencies" of pyproject.toml.',
        )
        return None
    from io import BytesIO

    image = BytesIO()
    Image.fromarray(frame[:, :, ::-1].copy()).save(image, "JPEG", quality=95)
    return image.getvalue()
