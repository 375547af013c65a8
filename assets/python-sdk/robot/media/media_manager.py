"""The class `MediaManager`, which is `robot.media`."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence

from robot._arrays import Array
from robot._audio.samples import INPUT_CHANNELS, OUTPUT_CHANNELS, SAMPLE_RATE_HZ
from robot._notice import once
from robot.errors import RobotError
from robot.media.media_backend import MediaBackend, choose_backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot._audio.audio import Audio
    from robot._camera.camera import Camera

__all__ = ["MediaBackend", "MediaManager", "choose_backend"]


class MediaManager:
    """The microphone, the loudspeaker and the camera. Safe to use from several threads.

    The devices are opened at their first use. Without sound or camera, because the app asked for
    `no_media` or has released them, a call says so once in the output, and returns None.
    """

    def __init__(
        self,
        backend: object = None,
        *,
        robot_backend: str,
        head: Callable[[], Sequence[float]],
        volume: Callable[[], float] = lambda: 1.0,
    ) -> None:
        """Opens nothing.

        Args:
            backend: the media that the app asks for, see `choose_backend`.
            robot_backend: the daemon's kind of robot.
            head: returns the measured pose of the head, 16 numbers, row by row.
            volume: returns the volume of what is played, from 0 to 1.

        Raises:
            ValueError: if `backend` is unknown.
        """
        self.backend: MediaBackend = choose_backend(backend)
        """The media that the app asked for."""

        self._robot_backend = robot_backend
        self._head = head
        self._volume = volume
        self._lock = threading.Lock()
        self._audio: Audio | None = None
        self._camera: Camera | None = None
        self._why_no_camera: str | None = None
        self._released = False
        self._closed = False

    @property
    def audio(self) -> Audio | None:
        """The microphone and the loudspeaker; None without sound."""
        if self.backend is MediaBackend.NO_MEDIA or self._released:
            return None
        with self._lock:
            if self._audio is None:
                from robot._audio.audio import Audio

                self._audio = Audio(self._robot_backend, self._volume)
                if self._closed:
                    self._audio.close()
            return self._audio

    @property
    def camera(self) -> Camera | None:
        """The camera; None without one, or without the library that it needs.

        It has `read()`, which is `get_frame()`, `resolution` (width and height in pixels), `K`
        (the lens's 3x3 matrix) and `D` (its distortion, 5 numbers).

        Raises:
            ValueError: if `ROBOT_CAMERA` in the environment is not `device`.
        """
        if self.backend in _NO_CAMERA or self._released:
            return None
        with self._lock:
            if self._camera is None and self._why_no_camera is None:
                from robot._camera.camera import choose_camera

                chosen = choose_camera(self._robot_backend, self._head)
                if isinstance(chosen, str):
                    self._why_no_camera = chosen
                else:
                    self._camera = chosen
                    if self._closed:
                        chosen.close()
            return self._camera

    def get_frame(self) -> Array | None:
        """The next frame of the camera: blue, green, red.

        A thread that has the latest frame waits for the next one, up to 1/30 s with a simulated
        camera. A real camera is opened by the first call. What keeps it from being opened is logged
        once in the output, and it is tried again after some seconds.

        Returns:
            A numpy array of uint8 with the shape (height, width, 3), which the caller may change;
            None without a camera, and after the robot was closed or the daemon was lost.
        """
        camera = self.camera
        if camera is None:
            why = self.why_no_camera()
            once(f"media: {why}", why)
            return None
        return camera.read()

    def get_frame_jpeg(self) -> bytes | None:
        """The next frame of the camera as a JPEG image; None without one.

        It needs the library OpenCV or Pillow; without them, it says so once and returns None.
        """
        frame = self.get_frame()
        if frame is None:
            return None
        from robot._camera.jpeg import encode_jpeg

        return encode_jpeg(frame)

    def start_recording(self) -> None:
        """Starts recording, if it is not recording already.

        Raises:
            AudioUnavailable: if there is no microphone; its text says what to do.
        """
        if audio := self._audio_or_notice():
            audio.start_recording()

    def stop_recording(self) -> None:
        """Stops recording. `get_audio_sample` still returns the last samples."""
        if audio := self._audio_or_notice():
            audio.stop_recording()

    def get_audio_sample(self) -> Array | None:
        """The samples recorded since the last call: see `Audio.get_audio_sample`.

        Returns:
            A numpy array of float32 with the shape (frames, channels); nested lists without numpy.
            None if there are none after 20 ms.
        """
        audio = self._audio_or_notice()
        return audio.get_audio_sample() if audio else None

    def start_playing(self) -> None:
        """Opens the loudspeaker now instead of at the first sound.

        Raises:
            AudioUnavailable: if there is no loudspeaker; its text says what to do.
        """
        if audio := self._audio_or_notice():
            audio.start_playing()

    def stop_playing(self) -> None:
        """Stops all sound at once and drops the queued samples."""
        if audio := self._audio_or_notice():
            audio.stop_playing()

    def push_audio_sample(self, samples: object) -> None:
        """Queues samples to be played: see `Audio.push_audio_sample`.

        Args:
            samples: floats between -1 and 1, 16,000 a second: one channel, or `(frames, channels)`.

        Raises:
            ValueError: if they have another shape, are integers in an array, or are not finite.
            AudioUnavailable: if there is no loudspeaker; its text says what to do.
        """
        if audio := self._audio_or_notice():
            audio.push_audio_sample(samples)

    def clear_output_buffer(self) -> None:
        """Drops the pushed samples that are not played yet; the loudspeaker stays open."""
        if audio := self._audio_or_notice():
            audio.clear_output_buffer()

    clear_player = clear_output_buffer

    def play_sound(self, file: str | os.PathLike[str]) -> None:
        """Plays a sound file or a built-in sound without waiting: see `Audio.play_sound`.

        Args:
            file: the path of a file, or `wake_up`, `go_sleep`, `confused1`, `impatient1`, `dance1`
                or `count`, with or without `.wav`.

        Raises:
            FileNotFoundError: if there is neither; its text has the names of the built-in sounds.
            ValueError: if it is not a readable sound file.
            AudioUnavailable: if there is no loudspeaker; its text says what to do.
        """
        if audio := self._audio_or_notice():
            audio.play_sound(file)

    def played(self) -> Array:
        """The samples that a virtual sound card has played so far: see `Audio.played`.

        Raises:
            RobotError: if there is no virtual sound card.
        """
        audio = self._audio_or_notice()
        if audio is None:
            raise RobotError("There is no sound card, so nothing was played.")
        return audio.played()

    def get_input_audio_samplerate(self) -> int:
        """The frames a second of `get_audio_sample`: 16,000."""
        return SAMPLE_RATE_HZ

    def get_output_audio_samplerate(self) -> int:
        """The frames a second of `push_audio_sample`: 16,000."""
        return SAMPLE_RATE_HZ

    def get_input_channels(self) -> int:
        """The number of channels of `get_audio_sample`."""
        return INPUT_CHANNELS

    def get_output_channels(self) -> int:
        """The number of channels that are played; `push_audio_sample` mixes others to it."""
        return OUTPUT_CHANNELS

    def get_DoA(self) -> tuple[float, bool] | None:
        """The direction of arrival of a sound; None, because no robot here has the sensor."""
        audio = self._audio_or_notice()
        return audio.get_DoA() if audio else None

    @property
    def released(self) -> bool:
        """Whether `release` was called, and `acquire` was not."""
        return self._released

    def release(self) -> None:
        """Stops recording and playing, and closes the camera, until `acquire`."""
        with self._lock:
            self._released = True
            audio, camera, self._camera = self._audio, self._camera, None
        if audio is not None:
            audio.stop_recording()
            audio.stop_playing()
        if camera is not None:
            camera.close()

    def acquire(self) -> None:
        """Permits sound and camera again after `release`; they are opened at their next use."""
        self._released = False

    def close(self) -> None:
        """Ends all sound and releases the devices for good. Can be called repeatedly.

        Raises:
            OSError: if a virtual sound card cannot write its output file.
        """
        with self._lock:
            self._closed = True
            audio, camera = self._audio, self._camera
        if camera is not None:
            camera.close()
        if audio is not None:
            audio.close()

    def why_no_camera(self) -> str:
        """A sentence why `camera` is None."""
        if self._why_no_camera is not None and not self._released:
            return self._why_no_camera
        return self._why_none("camera", "get_frame() returns None")

    def _audio_or_notice(self) -> Audio | None:
        audio = self.audio
        if audio is None:
            why = self._why_none("sound", "sound calls do nothing and return None")
            once(f"media: {why}", why)
        return audio

    def _why_none(self, kind: str, effect: str) -> str:
        if self._released:
            return f"The media are released: {effect} until acquire_media()."
        return f'The media backend "{self.backend.value}" has no {kind}: {effect}.'


_NO_CAMERA = (MediaBackend.NO_MEDIA, MediaBackend.DEFAULT_NO_VIDEO)
