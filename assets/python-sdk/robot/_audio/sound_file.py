"""Sound files, read piece by piece while they are played: the longest takes no time to begin."""

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
    """Something that can be played."""

    def read(self, frames: int) -> array[float]:
        """The next frames, of one channel; fewer only at the end, then none.

        Args:
            frames: at most those of a second.
        """

    def close(self) -> None:
        """Lets go of what it holds."""


def open_sound(file: str | os.PathLike[str]) -> Voice:
    """A sound file: WAV, MP3, FLAC or Vorbis with the audio library; without it WAV (PCM) alone.

    Raises:
        FileNotFoundError: if there is none.
        ValueError: if it cannot be read as one.
    """
    path = os.fspath(file)
    if not os.path.isfile(path):
        raise FileNotFoundError(f"There is no sound file {path!r}.")
    library = audio_library()
    return WavFile(path) if library is None else DecodedFile(path, library)


class DecodedFile:
    """One that the audio library reads."""

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
            raise ValueError(f"{path!r} is no sound file that can be played.") from error

    def read(self, frames: int) -> array[float]:
        """As `Voice.read`; a file that is broken further on ends there."""
        try:
            return self._stream.send(frames)
        except (StopIteration, self._broken):
            return array("f")

    def close(self) -> None:
        """Closes the file."""
        self._stream.close()


class WavFile:
    """A WAV file of whole numbers, which the standard library reads."""

    def __init__(self, path: str) -> None:
        """Opens it.

        Raises:
            ValueError: if it is of another kind.
        """
        try:
            self._file = wave.Wave_read(path)
        except (wave.Error, EOFError) as error:
            raise ValueError(
                f"{path!r} is no WAV file of whole numbers (PCM). For other kinds install the "
                "audio library: depend on robot-sdk[audio]."
            ) from error
        self._step = self._file.getframerate() / SAMPLE_RATE_HZ
        self._ahead = array("f")
        self._position = 0.0  # of the next frame given, among those read ahead

    def read(self, frames: int) -> array[float]:
        """As `Voice.read`. In between two of the file's frames it gives what a line gives."""
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
    """Little-endian integers of `width` bytes as floats between -1 and 1."""
    if width == 1:
        data = bytes(value ^ 0x80 for value in data)  # those of one byte have no sign
    count = len(data) // width
    wide = bytearray(4 * count)
    for at in range(width):
        wide[4 - width + at :: 4] = data[at : count * width : width]
    values = array("i", bytes(wide))
    if sys.byteorder == "big":
        values.byteswap()
    return array("f", (value / 2**31 for value in values))
