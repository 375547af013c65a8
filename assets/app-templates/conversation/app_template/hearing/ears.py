"""Listens to the microphone: tells when somebody begins to speak, and what was recorded."""

from __future__ import annotations

import threading
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

from app_template.hearing.voice_activity import FRAME_S, Change, VoiceActivity
from app_template.sound import RATE_HZ, loudness_of
from robot.media.media_manager import MediaManager

_FRAME = int(FRAME_S * RATE_HZ)
_FRAMES_BEFORE = 20
"""The sound that is kept from before the voice was noticed: 0.4 s, so that no word loses its start."""
_MOST = 30 * RATE_HZ
"""The samples that are kept of one turn."""


class Listener(Protocol):
    """Gets what happens. Called in the thread of the ears."""

    def speech_begins(self) -> None:
        """Somebody begins to speak."""

    def speech_ends(self, samples: array[float]) -> None:
        """Somebody has spoken: 16,000 samples a second, between -1 and 1."""


def listen(
    media: MediaManager,
    listener: Listener,
    own_voice: Callable[[], float],
    stop: threading.Event,
) -> None:
    """Listens until `stop` is set.

    Raises:
        AudioUnavailable: if there is no microphone; its text says what to do.
    """
    activity = VoiceActivity()
    before: deque[array[float]] = deque(maxlen=_FRAMES_BEFORE)
    spoken = array("f")
    media.start_recording()
    try:
        for frame in _frames(media, stop):
            change = activity.step(loudness_of(frame), own_voice())
            before.append(frame)
            if change is Change.BEGINS:
                spoken = array("f", (sample for each in before for sample in each))
                listener.speech_begins()
            elif activity.is_speech:
                spoken.extend(frame)
                del spoken[: max(0, len(spoken) - _MOST)]
            elif change is Change.ENDS:
                listener.speech_ends(spoken)
    finally:
        media.stop_recording()


def _frames(media: MediaManager, stop: threading.Event) -> Iterator[array[float]]:
    """The first channel of the microphone, 20 ms at a time."""
    rest = array("f")
    while not stop.is_set():
        samples = media.get_audio_sample()  # waits up to 20 ms
        if samples is None:
            continue
        rest.extend(float(frame[0]) for frame in samples)
        whole = len(rest) - len(rest) % _FRAME
        for start in range(0, whole, _FRAME):
            yield rest[start : start + _FRAME]
        del rest[:whole]
