"""The media of a `Robot`: its sound and its camera."""

from __future__ import annotations

import os
import threading

from robot._arrays import Array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot._daemon.link import DaemonLink
    from robot.media.media_manager import MediaManager


class Sound:
    """The microphone, loudspeaker and camera of a `Robot`: `media`, and the methods for sound."""

    _link: DaemonLink

    _media_backend: object = None
    """The media that the app asks for, see `choose_backend`. The constructor of `Robot` sets it."""

    def __init__(self) -> None:
        """Opens no device: most apps are silent.

        Raises:
            ValueError: if the media backend is unknown.
        """
        self._media: MediaManager | None = None
        self._media_lock = threading.Lock()
        self._media_closed = False
        if self._media_backend not in (None, "default"):  # spares most programs the import
            from robot.media.media_backend import choose_backend

            self._media_backend = choose_backend(self._media_backend)

    @property
    def media(self) -> MediaManager:
        """The microphone, the loudspeaker and the camera; closed ones of a robot that was closed."""
        with self._media_lock:
            if self._media is None:
                from robot.media.media_manager import MediaManager

                self._media = MediaManager(
                    self._media_backend,
                    robot_backend=self._link.backend,
                    head=lambda: self._link.state.head,
                    volume=lambda: self._link.volume,
                )
                if self._media_closed:
                    self._media.close()
            return self._media

    @property
    def media_released(self) -> bool:
        """Whether the media are released, see `release_media`."""
        return self._media is not None and self._media.released

    def release_media(self) -> None:
        """Closes sound and camera, so that the app can open the devices by itself.

        Until `acquire_media`, calls of `media` do nothing and return None, which is logged once.
        """
        self.media.release()

    def acquire_media(self) -> None:
        """Permits sound and camera again after `release_media`.

        They are opened at their next use. A recording has to be started again.
        """
        self.media.acquire()

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

    def get_output_channels(self) -> int:
        """See `media.get_output_channels`."""
        return self.media.get_output_channels()

    def _close_sound(self) -> None:
        with self._media_lock:
            self._media_closed = True
            if self._media is not None:
                self._media.close()
