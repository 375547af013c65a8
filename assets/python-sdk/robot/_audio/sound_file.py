"""Sound files, read in pieces while they play, so that long files start at once."""

from __future__ import annotations

import os
import sys
import wave
from array import array
from collections.abc import Generator
from types import ModuleType
from typing import Protocol

from robot._audio.library import audio_library
from robot._audio.samples import SAMPLE_RATE_HZ


class Voice(Protocol):
    """A sound that can be played."""

    def read(self, frames: int) -> array[float]:
        """The next frames, of one channel; fewer only at the end, then none.

        Args:
            frames: the number of frames, at most a second.
        """
        ...

    def close(self) -> None:
        """Closes the source."""


def open_sound(file: str | os.PathLike[str]) -> Voice:
    """Opens a sound file: WAV, MP3, FLAC or Vorbis with the audio library, else WAV (PCM) only.

    Raises:
        FileNotFoundError: if the file does not exist.
        ValueError: if it is not a readable sound file.
    """
    path = os.fspath(file)
    if not os.path.isfile(path):
        raise FileNotFoundError(f"There is no sound file {path!r}.")
    library = audio_library()
    return WavFile(path) if library is None else DecodedFile(path, library)


class DecodedFile:
    """A sound file that the audio library reads."""

    def __init__(self, path: str, library: ModuleType) -> None:
        """Opens it.

        Raises:
            ValueError: if the library cannot read it.
        """
        self._broken: type[Exception] = library.DecodeError
        try:
            self._stream: Generator[array[float], int, None] = library.stream_file(
                path, library.SampleFormat.FLOAT32, nchannels=1, sample_rate=SAMPLE_RATE_HZ
            )
        except library.DecodeError as error:
            raise ValueError(f"{path!r} is not a readable sound file.") from error

    def read(self, frames: int) -> array[float]:
        """See `Voice.read`; a damaged file ends where the damage begins."""
        try:
            return self._stream.send(frames)
        except (StopIteration, self._broken):
            return array("f")

    def close(self) -> None:
        """Closes the file."""
        self._stream.close()


class WavFile:
    """A WAV file of integers (PCM), which the standard library reads."""

    def __init__(self, path: str) -> None:
        """Opens it.

        Raises:
            ValueError: if the file has another format.
        """
        try:
            self._file = wave.Wave_read(path)
        except (wave.Error, EOFError) as error:
            raise ValueError(
                f"{path!r} is not a WAV file of integers (PCM). For other formats install the "
                "audio library: depend on robot-sdk[audio]."
            ) from error
        self._step = self._file.getframerate() / SAMPLE_RATE_HZ
        self._ahead = array("f")
        self._position = 0.0  # of the next frame, among those read ahead

    def read(self, frames: int) -> array[float]:
        """See `Voice.read`. Interpolates linearly between the file's frames."""
        missing = int(self._position + (frames - 1) * self._step) + 2 - len(self._ahead)
        self._ahead.extend(self._read_mono(max(missing, 0)))
        taken = array("f")
        position = self._position
        while len(taken) < frames and position <= len(self._ahead) - 1:
            before = int(position)
            after = min(before + 1, len(self._ahead) - 1)
            share = position - before
            taken.append(self._ahead[before] * (1 - share) + self._ahead[after] * share)
            position += self._step
        passed = min(int(position), len(self._ahead))
        del self._ahead[:passed]
        self._position = position - passed
        return taken

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _read_mono(self, frames: int) -> array[float]:
        channels = self._file.getnchannels()
        values = _whole_to_float(self._file.readframes(frames), self._file.getsampwidth())
        if channels == 1:
            return values
        tracks = [values[at::channels] for at in range(channels)]
        return array("f", (sum(frame) / channels for frame in zip(*tracks)))


def _whole_to_float(data: bytes, width: int) -> array[float]:
    """Converts little-endian integers of `width` bytes to floats between -1 and 1."""
    if width == 1:
        data = bytes(value ^ 0x80 for value in data)  # one-byte samples are unsigned
    count = len(data) // width
    wide = bytearray(4 * count)
    for at in range(width):
        wide[4 - width + at :: 4] = data[at : count * width : width]
    values = array("i", bytes(wide))
    if sys.byteorder == "big":
        values.byteswap()
    return array("f", (value / 2**31 for value in values))
