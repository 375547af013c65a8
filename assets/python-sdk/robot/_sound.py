"""The sound of a `Robot`."""

from __future__ import annotations

import os
import threading

from robot._arrays import Array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot._audio.media import Media
    from robot._link import DaemonLink


class Sound:
    """The microphone and loudspeaker of a `Robot`: `media`, and its methods."""

    _link: DaemonLink

    def __init__(self) -> None:
        """Opens no device: most apps are silent."""
        self._media: Media | None = None
        self._media_lock = threading.Lock()

    @property
    def media(self) -> Media:
        """The microphone and the loudspeaker.

        Raises:
            AudioUnavailable: if the audio library is missing; its text says what to do.
            RobotConnectionError: at the first use, if the daemon is lost.
        """
        with self._media_lock:
            if self._media is None:
                from robot._audio.media import Media

                self._media = Media(self._link.backend)
            return self._media

    def start_recording(self) -> None:
        """See `media.start_recording`."""
        self.media.start_recording()

    def stop_recording(self) -> None:
        """See `media.stop_recording`."""
        self.media.stop_recording()

    def get_audio_sample(self) -> Array | None:
        """See `media.get_audio_sample`."""
        return self.media.get_audio_sample()

    def start_playing(self) -> None:
        """See `media.start_playing`."""
        self.media.start_playing()

    def stop_playing(self) -> None:
        """See `media.stop_playing`."""
        self.media.stop_playing()

    def push_audio_sample(self, samples: object) -> None:
        """See `media.push_audio_sample`."""
        self.media.push_audio_sample(samples)

    def play_sound(self, file: str | os.PathLike[str]) -> None:
        """See `media.play_sound`."""
        self.media.play_sound(file)

    def get_input_audio_samplerate(self) -> int:
        """See `media.get_input_audio_samplerate`."""
        return self.media.get_input_audio_samplerate()

    def get_output_audio_samplerate(self) -> int:
        """See `media.get_output_audio_samplerate`."""
        return self.media.get_output_audio_samplerate()

    def get_input_channels(self) -> int:
        """See `media.get_input_channels`."""
        return self.media.get_input_channels()

    def _close_sound(self) -> None:
        with self._media_lock:
            if self._media is not None:
                self._media.close()
