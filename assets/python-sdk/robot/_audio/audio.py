"""The class `Audio`: recording and playing sound."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from robot._arrays import Array, as_samples
from robot._audio.built_in_sounds import built_in_sound
from robot._audio.card import Card, choose_card
from robot._audio.mixer import MAX_PUSHED_S, Mixer
from robot._audio.recorded_samples import PERIOD_S
from robot._audio.samples import INPUT_CHANNELS, OUTPUT_CHANNELS, SAMPLE_RATE_HZ, check_samples
from robot._audio.sound_file import Voice, open_sound
from robot.errors import RobotConnectionError, RobotError


class Audio:
    """Records from the microphone and plays on the loudspeaker. Safe to use from several threads.

    Samples are floats between -1 and 1, 16,000 a second. They are returned as float32 numpy
    arrays if numpy is installed, else as nested lists.
    """

    def __init__(self, backend: str, volume: Callable[[], float] = lambda: 1.0) -> None:
        """Opens no device and needs no library.

        Args:
            backend: the daemon's kind of robot.
            volume: returns the volume of what is played, from 0 to 1.
        """
        self._lock = threading.Lock()
        self._backend = backend
        self._mixer = Mixer(volume)
        self._chosen_card: Card | None = None
        self._closed = False
        self._told_of_overflow = False

    def start_recording(self) -> None:
        """Starts recording, if it is not recording already.

        Raises:
            AudioUnavailable: if there is no microphone; its text says what to do.
        """
        with self._lock:
            self._raise_if_closed()
            self._card.start_recording()

    def stop_recording(self) -> None:
        """Stops recording. `get_audio_sample` still returns the last samples."""
        with self._lock:
            if self._chosen_card is not None:
                self._chosen_card.stop_recording()

    def get_audio_sample(self) -> Array | None:
        """The samples recorded since the last call, `(frames, channels)`; None without any.

        Waits up to 20 ms for them, so that a loop may call it without a pause. They come in whole
        periods of 20 ms; after `stop_recording`, the rest of the last one follows. At most the last
        30 s are kept.

        Raises:
            AudioUnavailable: if the library for the sound card is missing; its text says what to do.
        """
        with self._lock:
            card = self._card
        card.wait_for_period(PERIOD_S)  # without the lock: other threads push samples
        with self._lock:
            samples = card.recorded()
        return as_samples(samples, INPUT_CHANNELS) if samples else None

    def start_playing(self) -> None:
        """Opens the loudspeaker now instead of at the first sound.

        Raises:
            AudioUnavailable: if there is no loudspeaker; its text says what to do.
        """
        with self._lock:
            self._raise_if_closed()
            self._card.start_playing()

    def stop_playing(self) -> None:
        """Stops all sound at once and drops the queued samples."""
        with self._lock:
            if self._chosen_card is not None:
                self._chosen_card.stop_playing()
            self._mixer.clear()

    def clear_output_buffer(self) -> None:
        """Drops the pushed samples that are not played yet; the loudspeaker stays open.

        Use it when the robot is interrupted while it speaks. The files of `play_sound` go on.
        """
        with self._lock:
            # Only a playing card has samples to drop.
            if self._mixer.has_pushed() and self._chosen_card is not None:
                self._chosen_card.start_playing()  # a virtual card plays those that are due
            self._mixer.clear_pushed()

    clear_player = clear_output_buffer

    def push_audio_sample(self, samples: object) -> None:
        """Queues samples to be played after those pushed before; does not wait.

        The queue holds at most a minute; beyond that the oldest are dropped, which is logged once.

        Args:
            samples: floats between -1 and 1, 16,000 a second: one channel, or `(frames, channels)`
                with at most 8 channels, which are mixed to one. `(channels, frames)` is accepted
                too: the shorter side is the channels.

        Raises:
            ValueError: if they have another shape, are integers in an array, or are not finite.
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
        """Plays a sound file or a built-in sound, mixed with other sounds; does not wait.

        At most 8 files play at a time; one more stops the oldest.

        Args:
            file: a WAV file; with the audio library also MP3, FLAC or Vorbis. If there is no such
                file, the name of a built-in sound, with or without `.wav`: `wake_up`, `go_sleep`,
                `confused1`, `impatient1`, `dance1` or `count`.

        Raises:
            FileNotFoundError: if there is neither; its text has the names of the built-in sounds.
            ValueError: if it is not a readable sound file.
            AudioUnavailable: if there is no loudspeaker; its text says what to do.
        """
        self.start_sound(file)

    def start_sound(self, file: str | os.PathLike[str]) -> Callable[[], None]:
        """Plays a sound like `play_sound`, and returns a function that stops it.

        Raises:
            FileNotFoundError, ValueError, AudioUnavailable: see `play_sound`.
        """
        sound: Voice = open_sound(file) if os.path.isfile(file) else built_in_sound(file)
        try:
            with self._lock:
                self._raise_if_closed()
                self._card.start_playing()
                self._mixer.play(sound)
        except BaseException:
            sound.close()
            raise

        def stop() -> None:
            with self._lock:
                if not self._closed:
                    self._card.start_playing()  # a virtual card plays what is due
                self._mixer.end(sound)

        return stop

    def played(self) -> Array:
        """The frames that a virtual sound card has played so far, `(frames, 1)`: for tests.

        Pauses are omitted, and at most the last minute is kept. On `close` it is written to the
        WAV file in `ROBOT_AUDIO_OUTPUT`, if that variable is set.

        Raises:
            RobotError: if the sound card is a real one, which keeps nothing.
        """
        from robot._audio.virtual_card import VirtualCard

        with self._lock:
            card = self._card
            if isinstance(card, VirtualCard):
                return as_samples(card.played(), 1)
        raise RobotError("Only a virtual sound card keeps what it played. This is a real one.")

    def get_input_audio_samplerate(self) -> int:
        """The frames a second of `get_audio_sample`: 16,000."""
        return SAMPLE_RATE_HZ

    def get_output_audio_samplerate(self) -> int:
        """The frames a second of `push_audio_sample`: 16,000."""
        return SAMPLE_RATE_HZ

    def get_input_channels(self) -> int:
        """The number of channels of `get_audio_sample`."""
        return INPUT_CHANNELS

    def get_output_channels(self) -> int:
        """The number of channels that are played; `push_audio_sample` mixes others to it."""
        return OUTPUT_CHANNELS

    def get_DoA(self) -> tuple[float, bool] | None:
        """The direction of arrival of a sound; None, because no robot here has the sensor.

        Says so once in the output.
        """
        from robot._notice import once

        once(
            "get_DoA",
            "get_DoA() returns None: this robot has no sensor for the direction of a sound.",
        )
        return None

    def close(self) -> None:
        """Stops all sound and releases the sound card. Can be called repeatedly.

        Raises:
            OSError: if a virtual card cannot write its output file.
        """
        with self._lock:
            self._closed = True
            if self._chosen_card is not None:
                self._chosen_card.close()
            self._mixer.clear()

    @property
    def _card(self) -> Card:
        if self._chosen_card is None:
            self._chosen_card = choose_card(self._backend, self._mixer)
        return self._chosen_card

    def _raise_if_closed(self) -> None:
        if self._closed:
            raise RobotConnectionError("This robot was closed. Create a new Robot() to go on.")
