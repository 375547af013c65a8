"""The virtual sound card, with a clock that the test advances."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest
from tones import read_wav, strength, tone, write_wav

from robot._audio.mixer import Mixer
from robot._audio.virtual_card import VirtualCard

SECOND = 16_000
PERIOD = SECOND // 50


class Clock:
    """A clock that the test advances."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


class Card(VirtualCard):
    """A virtual sound card with such a clock and a mixer."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.mixer = Mixer()
        super().__init__(self.mixer, self.clock, self.clock.sleep)

    def push(self, samples: array[float]) -> None:
        self.start_playing()
        self.mixer.push(samples)

    def after(self, seconds: float) -> Card:
        """Lets time pass."""
        self.clock.now_s += seconds
        return self


@pytest.fixture
def card() -> Iterator[Card]:
    card = Card()
    yield card
    card.close()


def test_silence_is_recorded_as_time_passes(card: Card) -> None:
    assert not card.after(1).recorded()
    card.start_recording()
    assert not card.recorded()
    assert card.after(0.25).recorded().tolist() == [0.0] * (PERIOD * 12 * 2)
    card.after(0.5).start_recording()  # it is recording already
    card.after(0.25).stop_recording()
    assert len(card.after(1).recorded()) == (0.75 * SECOND + PERIOD / 2) * 2
    assert not card.after(1).recorded()


def test_no_frame_is_lost_between_two_calls(card: Card) -> None:
    card.start_recording()
    parts = [len(card.after(1 / 16384).recorded()) for _ in range(1024)]
    card.stop_recording()
    assert {*parts} == {0, PERIOD * 2}
    assert sum(parts) + len(card.recorded()) == 1000 * 2


def test_a_wait_ends_with_the_period(card: Card) -> None:
    card.start_recording()
    for _ in range(100):
        began_s = card.clock()
        card.wait_for_period(0.02)
        assert card.clock() - began_s <= 0.02 + 1e-6
        assert len(card.recorded()) == PERIOD * 2
        card.after(0.003)  # the app's own work
    began_s = card.clock()
    card.wait_for_period(0.005)
    assert card.clock() - began_s == pytest.approx(0.005)
    assert not card.recorded()


def test_the_rest_of_a_period_is_there_at_once_after_the_stop(card: Card) -> None:
    card.start_recording()
    card.after(0.03).stop_recording()
    began_s = card.clock()
    card.wait_for_period(0.02)
    assert card.clock() == began_s
    assert len(card.recorded()) == SECOND * 0.03 * 2
    card.wait_for_period(0.02)  # nothing more comes, and a loop still has its pause
    assert card.clock() == pytest.approx(began_s + 0.02)
    card.start_recording()
    card.wait_for_period(0.02)
    assert len(card.recorded()) == PERIOD * 2


def test_a_file_is_recorded_once_from_each_start(
    card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = tone(440, 0.5)
    monkeypatch.setenv("ROBOT_AUDIO_INPUT", str(write_wav(tmp_path / "a.wav", spoken)))
    for _ in range(2):
        card.start_recording()
        heard = card.after(0.2).recorded() + card.after(1).recorded()
        card.stop_recording()
        assert heard[::2] == heard[1::2]
        assert len(heard) == 1.2 * SECOND * 2
        assert heard[:SECOND:2].tolist() == pytest.approx(spoken.tolist(), abs=1e-3)
        assert not any(heard[SECOND + 2 :])


def test_the_last_half_minute_of_unread_samples_is_kept(
    card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = tone(220, 20) + tone(440, 20)
    monkeypatch.setenv("ROBOT_AUDIO_INPUT", str(write_wav(tmp_path / "a.wav", spoken)))
    card.start_recording()
    heard = card.after(40).recorded()
    assert len(heard) == 30 * SECOND * 2
    assert strength(heard[:SECOND:2], 220) > 0.4
    assert strength(heard[-SECOND::2], 440) > 0.4
    assert len(card.after(1e6).recorded()) == 30 * SECOND * 2


def test_a_missing_input_file_is_reported(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_AUDIO_INPUT", "nowhere.wav")
    with pytest.raises(FileNotFoundError, match=r"There is no sound file 'nowhere.wav'"):
        card.start_recording()
    assert not card.after(1).recorded()


def test_pushed_samples_are_played_in_real_time_and_kept_without_pauses(card: Card) -> None:
    first, second = tone(440, 0.5), tone(880, 0.5)
    card.push(first)
    assert not card.played()
    assert card.after(0.25).played() == first[: SECOND // 4]
    card.after(10).push(second)
    assert card.played() == first
    assert card.after(1).played() == first + second


def test_stopping_drops_samples_that_were_not_played_yet(card: Card) -> None:
    card.push(tone(440, 1))
    card.after(0.25).stop_playing()
    card.mixer.clear()
    card.after(1).push(tone(880, 0.1))
    assert card.after(1).played() == tone(440, 1)[: SECOND // 4] + tone(880, 0.1)


def test_the_last_minute_of_played_sound_is_kept(card: Card) -> None:
    for second in range(70):
        card.push(array("f", [second / 100]) * SECOND)
        card.after(1)
    assert len(card.played()) == 60 * SECOND
    assert card.played()[0] == pytest.approx(0.1)


def test_the_played_sound_is_written_on_close(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_AUDIO_OUTPUT", str(tmp_path / "played.wav"))
    card = Card()
    card.push(tone(440, 0.5))
    card.after(0.25).close()
    card.close()
    written = read_wav(tmp_path / "played.wav")
    assert written == pytest.approx(tone(440, 0.25).tolist(), abs=1e-4)
