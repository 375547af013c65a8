"""The sound card of a simulated or emulated robot. It has no thread: each call computes the frames
that a real card would have recorded and played by now."""

from __future__ import annotations

import os
import sys
import time
import wave
from array import array
from collections.abc import Callable

from robot._audio.mixer import Mixer
from robot._audio.recorded_samples import MAX_RECORDED_S, RecordedSamples
from robot._audio.samples import INPUT_CHANNELS, SAMPLE_RATE_HZ
from robot._audio.sound_file import Voice, open_sound

MAX_PLAYED_S = 60
_ROUNDING_S = 1e-6


class VirtualCard:
    """Records silence, or the file in `ROBOT_AUDIO_INPUT`: once, from the start of the recording.

    It keeps the last minute of played sound, without pauses, and writes it to the WAV file in
    `ROBOT_AUDIO_OUTPUT` on `close`.
    """

    def __init__(
        self,
        mixer: Mixer,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`clock` returns monotonic seconds; `sleep` waits for some."""
        self._mixer = mixer
        self._clock = clock
        self._sleep = sleep
        self._recording: _Pace | None = None
        self._playing: _Pace | None = None
        self._input: Voice | None = None
        self._recorded = RecordedSamples()
        self._played = array("f")
        self._output_path = os.environ.get("ROBOT_AUDIO_OUTPUT") or None

    def start_recording(self) -> None:
        """See `Card.start_recording`.

        Raises:
            FileNotFoundError: if the file in `ROBOT_AUDIO_INPUT` does not exist.
            ValueError: if it is not a readable sound file.
        """
        if self._recording is None:
            path = os.environ.get("ROBOT_AUDIO_INPUT")
            self._input = open_sound(path) if path else None
            self._recording = _Pace(self._clock)
            self._recorded.begin()

    def stop_recording(self) -> None:
        """See `Card.stop_recording`."""
        self._hear()
        self._recording = None
        if self._input is not None:
            self._input.close()
            self._input = None
        self._recorded.end()

    def wait_for_period(self, timeout_s: float) -> None:
        """See `Card.wait_for_period`."""
        deadline_s = self._clock() + timeout_s
        while True:
            pace, missing = self._recording, self._recorded.missing_frames()
            left_s = deadline_s - self._clock()
            if pace is not None:
                left_s = min(left_s, pace.seconds_until(missing))
            if missing == 0 or left_s <= _ROUNDING_S / 2:
                return
            self._sleep(left_s)

    def recorded(self) -> array[float]:
        """See `Card.recorded`."""
        self._hear()
        return self._recorded.take()

    def start_playing(self) -> None:
        """See `Card.start_playing`."""
        if self._playing is None:
            self._playing = _Pace(self._clock)
        self._play()

    def stop_playing(self) -> None:
        """See `Card.stop_playing`."""
        self._play()
        self._playing = None

    def played(self) -> array[float]:
        """The samples played so far, one channel; they are kept."""
        self._play()
        return self._played[:]

    def close(self) -> None:
        """See `Card.close`.

        Raises:
            OSError: if the output file cannot be written.
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
            _keep_last(mono, MAX_RECORDED_S)
            due -= len(part)
        mono.frombytes(bytes(4 * min(due, MAX_RECORDED_S * SAMPLE_RATE_HZ)))
        both = array("f", bytes(4 * INPUT_CHANNELS * len(mono)))
        for channel in range(INPUT_CHANNELS):
            both[channel::INPUT_CHANNELS] = mono
        self._recorded.add(both.tobytes())

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
    """Counts the frames that are due by a clock."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started_s = clock()
        self._counted = 0

    def frames_due(self) -> int:
        """The number of frames since the last call."""
        elapsed_s = self._clock() - self._started_s + _ROUNDING_S
        frames = int(elapsed_s * SAMPLE_RATE_HZ) - self._counted
        self._counted += frames
        return frames

    def seconds_until(self, frames: int) -> float:
        """The time until that many more frames are due."""
        due_s = (self._counted + frames) / SAMPLE_RATE_HZ
        return due_s - (self._clock() - self._started_s)


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
