"""What a sound card does, whether it is one or a program."""

from __future__ import annotations

import os
from array import array
from typing import Protocol

from robot._audio.mixer import Mixer

_VIRTUAL_BACKENDS = ("simulation", "emulator")


class Card(Protocol):
    """Records, and plays what it pulls from a mixer. One thread at a time may call it."""

    def start_recording(self) -> None:
        """Begins to record; harmless while it does."""

    def stop_recording(self) -> None:
        """Ends that; what was not taken yet still can be."""

    def recorded(self) -> array[float]:
        """What was recorded since the last call, interleaved, `INPUT_CHANNELS` channels."""

    def start_playing(self) -> None:
        """Begins to play, or makes sure of it: called before each sound."""

    def stop_playing(self) -> None:
        """Ends that at once."""

    def close(self) -> None:
        """Lets go of everything. Harmless the second time."""


def choose_card(backend: str, mixer: Mixer) -> Card:
    """The sound card that goes with the daemon's kind of robot.

    A robot that is a program has a card that is one, unless `ROBOT_AUDIO` in the environment is
    `device`.

    Raises:
        AudioUnavailable: if the library for real ones is not installed.
        ValueError: if `ROBOT_AUDIO` is anything else.
    """
    asked = os.environ.get("ROBOT_AUDIO") or None
    if asked not in (None, "device"):
        raise ValueError(
            f"ROBOT_AUDIO in the environment may be 'device' or nothing, not {asked!r}."
        )
    if backend in _VIRTUAL_BACKENDS and asked is None:
        from robot._audio.virtual_card import VirtualCard

        return VirtualCard(mixer)
    from robot._audio.device_card import DeviceCard

    return DeviceCard(mixer)
