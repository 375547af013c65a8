"""The interface of sound cards, real and virtual."""

from __future__ import annotations

import os
from array import array
from typing import Protocol

from robot._audio.mixer import Mixer

_VIRTUAL_BACKENDS = ("simulation", "emulator")


class Card(Protocol):
    """Records, and plays the frames of a mixer.

    One thread at a time may call it, except `wait_for_period`.
    """

    def start_recording(self) -> None:
        """Starts recording, if it is not recording already."""

    def stop_recording(self) -> None:
        """Stops recording; `recorded` still returns the last samples."""

    def wait_for_period(self, timeout_s: float) -> None:
        """Returns as soon as `recorded` has samples, at the latest after `timeout_s`."""

    def recorded(self) -> array[float]:
        """The samples since the last call, interleaved, with `INPUT_CHANNELS` channels.

        Whole periods while it records: the rest of the last one is returned once it is complete,
        or after `stop_recording`.
        """
        ...

    def start_playing(self) -> None:
        """Starts playing, if it is not playing already; called before each sound."""

    def stop_playing(self) -> None:
        """Stops playing at once."""

    def close(self) -> None:
        """Releases the devices. Can be called repeatedly."""


def choose_card(backend: str, mixer: Mixer) -> Card:
    """Chooses the sound card for the daemon's kind of robot.

    A simulated or emulated robot has a virtual card, unless `ROBOT_AUDIO` in the environment is
    `device`.

    Raises:
        AudioUnavailable: if the library for real cards is not installed.
        ValueError: if `ROBOT_AUDIO` has another value.
    """
    asked = os.environ.get("ROBOT_AUDIO") or None
    if asked not in (None, "device"):
        raise ValueError(
            f"ROBOT_AUDIO in the environment must be 'device' or empty, not {asked!r}."
        )
    if backend in _VIRTUAL_BACKENDS and asked is None:
        from robot._audio.virtual_card import VirtualCard

        return VirtualCard(mixer)
    from robot._audio.device_card import DeviceCard

    return DeviceCard(mixer)
