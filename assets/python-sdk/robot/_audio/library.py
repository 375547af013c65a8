"""The library that knows real sound cards and sound files: optional, and imported at first use."""

from __future__ import annotations

from functools import cache
from types import ModuleType


@cache
def audio_library() -> ModuleType | None:
    """miniaudio, or None if it is not installed."""
    try:
        import miniaudio
    except ModuleNotFoundError as error:
        if error.name != "miniaudio":  # it is there and lacks something itself
            raise
        return None
    return miniaudio  # type: ignore[no-any-return]
