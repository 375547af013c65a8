"""The optional library for real sound cards and sound files, imported at first use."""

from __future__ import annotations

from functools import cache
from types import ModuleType


@cache
def audio_library() -> ModuleType | None:
    """miniaudio, or None if it is not installed."""
    try:
        import miniaudio
    except ModuleNotFoundError as error:
        if error.name != "miniaudio":  # a dependency of miniaudio is missing
            raise
        return None
    return miniaudio  # type: ignore[no-any-return]
