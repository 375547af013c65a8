"""The choice between sound, camera, both and neither."""

from __future__ import annotations

from enum import Enum


class MediaBackend(str, Enum):
    """The media that an app asks for.

    Sound and camera are opened in the app's own process here, whichever of the names that have
    both an app asks for. All names are accepted as strings too, in lower or upper case, and each
    member equals its value: `media.backend == "no_media"`.
    """

    DEFAULT = "default"
    """Sound and camera."""

    LOCAL = DEFAULT
    SOUNDDEVICE_OPENCV = DEFAULT  # noqa: PIE796  # another name of the same

    DEFAULT_NO_VIDEO = "default_no_video"
    """Sound only."""

    GSTREAMER_NO_VIDEO = DEFAULT_NO_VIDEO
    SOUNDDEVICE_NO_VIDEO = DEFAULT_NO_VIDEO  # noqa: PIE796

    GSTREAMER = "gstreamer"
    """Like `DEFAULT`."""

    WEBRTC = "webrtc"
    """Like `DEFAULT`."""

    NO_MEDIA = "no_media"
    """Neither sound nor camera: for apps that open them by themselves."""

    @classmethod
    def _missing_(cls, value: object) -> MediaBackend | None:
        return cls.__members__.get(value.upper()) if isinstance(value, str) else None


def choose_backend(value: object) -> MediaBackend:
    """The media that an app asks for, by a name, a `MediaBackend`, or None for the default.

    Raises:
        ValueError: if there is no such name; its text has the names.
    """
    try:
        return MediaBackend.DEFAULT if value is None else MediaBackend(value)
    except ValueError:
        names = ", ".join(name.lower() for name in MediaBackend.__members__)
        raise ValueError(f"media_backend must be one of {names}, not {value!r}.") from None
