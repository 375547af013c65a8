"""The sound card of a robot that is a program. It has no thread: it counts the frames that a real one
would have recorded and played by now, whenever it is asked."""

from __future__ import annotations

import os
import sys
import time
import wave
from array import array
from collections.abc import Callable

from robot._audio.heard import MAX_HEARD_S
from robot._audio.mixer import Mixer
from robot._audio.samples import INPUT_CHANNELS, SAMPLE_RATE_HZ
from robot._audio.sound_file import Voice, open_sound

MAX_PLAYED_S = 60


class VirtualCard:
    """Hears silence, or the file that `ROBOT_AUDIO_INPUT` names: once, from where recording starts.

    It keeps what it played, without the pauses, at most the last minute of it; and writes that to
    the WAV file that `ROBOT_AUDIO_OUTPUT` names, when it is closed.
    """

    def __init__(self, mixer: Mixer, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` is in seconds, and steady."""
        self._mixer = mixer
        self._clock = clock
        self._recording: _Pace | None = None
        self._playing: _Pace | None = None
        self._input: Voice | None = None
        self._heard = array("f")
        self._played = array("f")
        self._output_path = os.environ.get("ROBOT_AUDIO_OUTPUT") or None

    def start_recording(self) -> None:
        """As `Card.start_recording`.

        Raises:
            FileNotFoundError: if there is no file of the name that is in `ROBOT_AUDIO_INPUT`.
            ValueError: if it cannot be read as sound.
        """
        if self._recording is None:
            path = os.environ.get("ROBOT_AUDIO_INPUT")
            self._input = open_sound(path) if path else None
            self._recording = _Pace(self._clock)
            self._heard = array("f")

    def stop_recording(self) -> None:
        """As `Card.stop_recording`."""
        self._hear()
        self._recording = None
        if self._input is not None:
            self._input.close()
            self._input = None

    def recorded(self) -> array[float]:
        """As `Card.recorded`."""
        self._hear()
        heard, self._heard = self._heard, array("f")
        return heard

    def start_playing(self) -> None:
        """As `Card.start_playing`."""
        if self._playing is None:
            self._playing = _Pace(self._clock)
        self._play()

    def stop_playing(self) -> None:
        """As `Card.stop_playing`."""
        self._play()
        self._playing = None

    def played(self) -> array[float]:
        """What was played so far, of one channel; it stays."""
        self._play()
        return self._played[:]

    def close(self) -> None:
        """As `Card.close`.

        Raises:
            OSError: if what was played cannot be written.
        """
        self.stop_recording()
        self.stop_playing()
        path, self._output_path = self._output_path, None
        if path is not None:
            _write_wav(path, self._played)

    def _hear(self) -> None:
        if self._recording is None:
            return
        due = self._recording.frames_due()
        mono = array("f")
        while due > 0 and self._input is not None:
            part = self._input.read(min(due, SAMPLE_RATE_HZ))
            if not part:
                break
            mono.extend(part)
            _keep_last(mono, MAX_HEARD_S)
            due -= len(part)
        mono.frombytes(bytes(4 * min(due, MAX_HEARD_S * SAMPLE_RATE_HZ)))
        both = array("f", bytes(4 * INPUT_CHANNELS * len(mono)))
        for channel in range(INPUT_CHANNELS):
            both[channel::INPUT_CHANNELS] = mono
        self._heard.extend(both)
        _keep_last(self._heard, MAX_HEARD_S * INPUT_CHANNELS)

    def _play(self) -> None:
        if self._playing is None:
            return
        due = self._playing.frames_due()
        while due > 0:
            part = self._mixer.pull(min(due, SAMPLE_RATE_HZ))
            if not part:
                break
            self._played.extend(part)
            _keep_last(self._played, MAX_PLAYED_S)
            due -= len(part)


class _Pace:
    """Counts frames as they fall due."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started_s = clock()
        self._counted = 0

    def frames_due(self) -> int:
        """Those since the last call."""
        frames = int((self._clock() - self._started_s) * SAMPLE_RATE_HZ) - self._counted
        self._counted += frames
        return frames


def _keep_last(samples: array[float], seconds: int) -> None:
    del samples[: max(len(samples) - seconds * SAMPLE_RATE_HZ, 0)]


def _write_wav(path: str, samples: array[float]) -> None:
    whole = array("h", (round(sample * 32767) for sample in samples))
    if sys.byteorder == "big":
        whole.byteswap()
    with open(path, "wb") as file, wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(SAMPLE_RATE_HZ)
        sound.writeframes(whole.tobytes())
