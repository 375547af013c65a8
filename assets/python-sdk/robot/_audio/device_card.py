"""A sound card of this computer, through miniaudio, which needs only the system's drivers."""

from __future__ import annotations

import atexit
import os
from array import array
from collections.abc import Callable, Generator
from typing import Any

from robot._audio.library import audio_library
from robot._audio.mixer import Mixer
from robot._audio.recorded_samples import PERIOD_MS, RecordedSamples
from robot._audio.samples import INPUT_CHANNELS, SAMPLE_RATE_HZ
from robot.errors import AudioUnavailable

_OUTPUT_PERIOD_MS = 60
"""Longer than the input's, because an underrun is audible: shorter ones crackled under load."""


class DeviceCard:
    """The card whose name contains `ROBOT_AUDIO_DEVICE`; without it, the system's default.

    Devices are open only while in use, so that other programs can use them.
    """

    def __init__(self, mixer: Mixer) -> None:
        """Opens no device.

        Raises:
            AudioUnavailable: if miniaudio is not installed.
        """
        library = audio_library()
        if library is None:
            raise AudioUnavailable(
                "Sound needs the library miniaudio, which is not installed. Depend on "
                'robot-sdk[audio] in the "dependencies" of pyproject.toml.'
            )
        self._library: Any = library
        # Without the library's null backend, a card without output.
        self._backends = sorted(
            library.get_enabled_backends() - {library.Backend.NULL, library.Backend.CUSTOM},
            key=lambda backend: int(backend.value),
        )
        self._mixer = mixer
        self._recorded = RecordedSamples()
        self._input: Any = None
        self._output: Any = None
        # The library's threads call Python: an open device at interpreter exit would hang.
        atexit.register(self.close)

    def start_recording(self) -> None:
        """See `Card.start_recording`.

        Raises:
            AudioUnavailable: if the device does not exist or cannot be used.
        """
        if self._input is None:
            self._recorded.begin()
            device = self._open(
                self._library.CaptureDevice,
                self._find("microphone", lambda devices: devices.get_captures()),
                INPUT_CHANNELS,
                PERIOD_MS,
            )
            self._input = self._start(device, _listen(self._recorded))

    def stop_recording(self) -> None:
        """See `Card.stop_recording`."""
        device, self._input = self._input, None
        self._close(device)
        self._recorded.end()

    def wait_for_period(self, timeout_s: float) -> None:
        """See `Card.wait_for_period`."""
        self._recorded.wait(timeout_s)

    def recorded(self) -> array[float]:
        """See `Card.recorded`."""
        return self._recorded.take()

    def start_playing(self) -> None:
        """See `Card.start_playing`.

        Raises:
            AudioUnavailable: if the device does not exist or cannot be used.
        """
        if self._output is None:
            device = self._open(
                self._library.PlaybackDevice,
                self._find("loudspeaker", lambda devices: devices.get_playbacks()),
                1,
                _OUTPUT_PERIOD_MS,
            )
            self._output = self._start(device, _speak(self._mixer))

    def stop_playing(self) -> None:
        """See `Card.stop_playing`."""
        device, self._output = self._output, None
        self._close(device)

    def close(self) -> None:
        """See `Card.close`."""
        self.stop_recording()
        self.stop_playing()
        atexit.unregister(self.close)

    def _find(self, kind: str, of: Callable[[Any], list[dict[str, Any]]]) -> Any:
        """The id of the device to use; None for the system's default."""
        try:
            devices = of(self._library.Devices(self._backends))
        except self._library.MiniaudioError:
            devices = []  # not even a driver
        if not devices:
            raise AudioUnavailable(
                f"This computer has no {kind}. Connect the robot's sound card, or another one, "
                "then try again."
            )
        wanted = os.environ.get("ROBOT_AUDIO_DEVICE")
        if not wanted:
            return None
        for device in devices:
            if wanted.lower() in device["name"].lower():
                return device["id"]
        names = ", ".join(device["name"] for device in devices)
        raise AudioUnavailable(
            f"No {kind} is called {wanted!r}. Set ROBOT_AUDIO_DEVICE in the environment to a part "
            f"of one of these names: {names}."
        )

    def _open(self, kind: Any, device_id: Any, channels: int, period_ms: int) -> Any:
        try:
            return kind(
                self._library.SampleFormat.FLOAT32,
                channels,
                SAMPLE_RATE_HZ,
                period_ms,
                device_id,
                backends=self._backends,
                app_name="robot",
            )
        except self._library.MiniaudioError as error:
            raise _unusable(error) from error

    def _start(self, device: Any, callback: Generator[Any, Any, None]) -> Any:
        next(callback)
        try:
            device.start(callback)
        except self._library.MiniaudioError as error:
            self._close(device)
            raise _unusable(error) from error
        return device

    def _close(self, device: Any) -> None:
        if device is not None:
            device.close()
            # The library leaks the context, and with it a connection to the sound server. A later
            # version that frees the context has none here.
            if device._context:
                self._library.lib.ma_context_uninit(device._context)
                device._context = None


def _unusable(error: Exception) -> AudioUnavailable:
    return AudioUnavailable(
        f"The sound card cannot be used ({error}). Another program may be using it. Close "
        "that program, then try again."
    )


def _listen(recorded: RecordedSamples) -> Generator[None, bytes, None]:
    """Receives the recorded samples from the library."""
    while True:
        recorded.add((yield))


def _speak(mixer: Mixer) -> Generator[array[float], int, None]:
    """Gives the library the next frames to play; it fills missing ones with silence."""
    frames = yield array("f")
    while True:
        frames = yield mixer.pull(min(frames, SAMPLE_RATE_HZ))
