"""The sound of a robot, as a program uses it."""

from __future__ import annotations

import os
import threading

from robot._arrays import Array, as_samples
from robot._audio.card import choose_card
from robot._audio.mixer import MAX_PUSHED_S, Mixer
from robot._audio.samples import INPUT_CHANNELS, SAMPLE_RATE_HZ, check_samples
from robot._audio.sound_file import open_sound
from robot.errors import RobotConnectionError, RobotError


class Media:
    """Records from the microphone and plays on the loudspeaker. Safe to use from several threads.

    Samples are floats between -1 and 1, 16,000 a second. They are given back as float32 numpy
    arrays if numpy is installed, else as nested lists.
    """

    def __init__(self, backend: str) -> None:
        """Opens nothing yet. `backend` is the daemon's kind of robot."""
        self._lock = threading.Lock()
        self._mixer = Mixer()
        self._card = choose_card(backend, self._mixer)
        self._closed = False
        self._told_of_overflow = False

    def start_recording(self) -> None:
        """Begins to record; harmless while it does.

        Raises:
            AudioUnavailable: if there is no microphone; its text says what to do.
        """
        with self._lock:
            self._raise_if_closed()
            self._card.start_recording()

    def stop_recording(self) -> None:
        """Ends the recording. What `get_audio_sample` has not given yet, it still gives."""
        with self._lock:
            self._card.stop_recording()

    def get_audio_sample(self) -> Array | None:
        """What was recorded since the last call, `(frames, channels)`; None if that is nothing.

        At most the last 30 s are kept for it.
        """
        with self._lock:
            samples = self._card.recorded()
        return as_samples(samples, INPUT_CHANNELS) if samples else None

    def start_playing(self) -> None:
        """Opens the loudspeaker, which else happens with the first sound.

        Raises:
            AudioUnavailable: if there is none; its text says what to do.
        """
        with self._lock:
            self._raise_if_closed()
            self._card.start_playing()

    def stop_playing(self) -> None:
        """Silence, at once: also of what is still to be played."""
        with self._lock:
            self._card.stop_playing()
            self._mixer.clear()

    def push_audio_sample(self, samples: object) -> None:
        """Plays samples after those pushed before, and does not wait for it.

        At most a minute of them waits; of more, the oldest are dropped, which is logged once.

        Args:
            samples: one channel, or `(frames, channels)`, which are mixed: the robot has one
                loudspeaker. `(channels, frames)` is understood too: the shorter side is that of
                the channels, of which there are 8 at most.

        Raises:
            ValueError: if they have another shape, are integers in an array, or not finite.
            AudioUnavailable: if there is no loudspeaker; its text says what to do.
        """
        mono = check_samples(samples)
        with self._lock:
            self._raise_if_closed()
            self._card.start_playing()
            overflows = not self._mixer.push(mono) and not self._told_of_overflow
            self._told_of_overflow = self._told_of_overflow or overflows
        if overflows:
            import logging

            logging.getLogger("robot").warning(
                "More than %d s of samples wait to be played: the oldest are dropped.", MAX_PUSHED_S
            )

    def play_sound(self, file: str | os.PathLike[str]) -> None:
        """Plays a sound file over whatever is heard, and does not wait for it.

        At most 8 play at a time; one more cuts off the oldest.

        Args:
            file: WAV; with the audio library also MP3, FLAC or Vorbis.

        Raises:
            FileNotFoundError: if there is none.
            ValueError: if it cannot be read as sound.
            AudioUnavailable: if there is no loudspeaker; its text says what to do.
        """
        sound = open_sound(file)
        try:
            with self._lock:
                self._raise_if_closed()
                self._card.start_playing()
                self._mixer.play(sound)
        except BaseException:
            sound.close()
            raise

    def played(self) -> Array:
        """What a virtual sound card has played so far, `(frames, 1)`: for tests.

        Without the pauses, and at most the last minute. At the end it is written to the WAV file
        that `ROBOT_AUDIO_OUTPUT` in the environment names, if it names one.

        Raises:
            RobotError: if the sound card is a real one, which keeps nothing.
        """
        from robot._audio.virtual_card import VirtualCard

        if not isinstance(self._card, VirtualCard):
            raise RobotError("Only a virtual sound card keeps what it played. This is a real one.")
        with self._lock:
            return as_samples(self._card.played(), 1)

    def get_input_audio_samplerate(self) -> int:
        """How many frames a second `get_audio_sample` gives."""
        return SAMPLE_RATE_HZ

    def get_output_audio_samplerate(self) -> int:
        """How many frames a second `push_audio_sample` takes."""
        return SAMPLE_RATE_HZ

    def get_input_channels(self) -> int:
        """How many channels `get_audio_sample` gives."""
        return INPUT_CHANNELS

    def close(self) -> None:
        """Silence at once, and lets go of the sound card. Harmless the second time.

        Raises:
            OSError: if a virtual one cannot write what it played.
        """
        with self._lock:
            self._closed = True
            self._card.close()
            self._mixer.clear()

    def _raise_if_closed(self) -> None:
        if self._closed:
            raise RobotConnectionError("This robot was closed: make a new Robot() to go on.")
