"""A sound card of this computer, through miniaudio: it brings all it needs but the drivers."""

from __future__ import annotations

import atexit
import os
from array import array
from collections.abc import Callable, Generator
from typing import Any

from robot._audio.heard import Heard
from robot._audio.library import audio_library
from robot._audio.mixer import Mixer
from robot._audio.samples import INPUT_CHANNELS, SAMPLE_RATE_HZ
from robot.errors import AudioUnavailable

_INPUT_PERIOD_MS = 20
_OUTPUT_PERIOD_MS = 60
"""Longer, since who comes late to it is heard: shorter ones crackled on a busy computer."""


class DeviceCard:
    """The one that `ROBOT_AUDIO_DEVICE` names, or a part of whose name that is; else the usual one.

    Devices are open only while they are used: another program may want them.
    """

    def __init__(self, mixer: Mixer) -> None:
        """Opens nothing yet.

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
        # Without the last resort of the library, which is a card that plays to nobody.
        self._backends = sorted(
            library.get_enabled_backends() - {library.Backend.NULL, library.Backend.CUSTOM},
            key=lambda backend: int(backend.value),
        )
        self._mixer = mixer
        self._heard = Heard()
        self._input: Any = None
        self._output: Any = None
        # Its threads call Python: with a device open while that is torn down, the program hangs.
        atexit.register(self.close)

    def start_recording(self) -> None:
        """As `Card.start_recording`.

        Raises:
            AudioUnavailable: if there is no such device, or it cannot be used.
        """
        if self._input is None:
            self._heard.take()
            device = self._open(
                self._library.CaptureDevice,
                self._find("microphone", lambda devices: devices.get_captures()),
                INPUT_CHANNELS,
                _INPUT_PERIOD_MS,
            )
            self._input = self._start(device, _listen(self._heard))

    def stop_recording(self) -> None:
        """As `Card.stop_recording`."""
        device, self._input = self._input, None
        self._close(device)

    def recorded(self) -> array[float]:
        """As `Card.recorded`."""
        return self._heard.take()

    def start_playing(self) -> None:
        """As `Card.start_playing`.

        Raises:
            AudioUnavailable: if there is no such device, or it cannot be used.
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
        """As `Card.stop_playing`."""
        device, self._output = self._output, None
        self._close(device)

    def close(self) -> None:
        """As `Card.close`."""
        self.stop_recording()
        self.stop_playing()
        atexit.unregister(self.close)

    def _find(self, kind: str, of: Callable[[Any], list[dict[str, Any]]]) -> Any:
        """The id of the device to use; None for the system's usual one."""
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
            # The library forgets its context: each device would leave a connection to the sound
            # server. One that does not forget it has none any more.
            if device._context:
                self._library.lib.ma_context_uninit(device._context)
                device._context = None


def _unusable(error: Exception) -> AudioUnavailable:
    return AudioUnavailable(
        f"The sound card cannot be used ({error}). Another program may have it: end that, then "
        "try again."
    )


def _listen(heard: Heard) -> Generator[None, bytes, None]:
    """What the library calls with all that is recorded."""
    while True:
        heard.add((yield))


def _speak(mixer: Mixer) -> Generator[array[float], int, None]:
    """What the library calls for the frames to play next; it plays silence after fewer."""
    frames = yield array("f")
    while True:
        frames = yield mixer.pull(min(frames, SAMPLE_RATE_HZ))
