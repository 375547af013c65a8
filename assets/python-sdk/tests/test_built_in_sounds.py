"""The built-in sounds of `play_sound`."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from conftest import Eventually
from tones import strength, tone, write_wav

from robot import Robot
from robot._audio.built_in_sounds import built_in_sound
from robot._audio.scores import SCORES

SECOND = 16_000
NAMES = ["wake_up", "go_sleep", "confused1", "impatient1", "dance1", "count"]


def test_the_names_are_those_that_apps_play() -> None:
    assert list(SCORES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_sound_is_short_and_loud_enough_and_begins_and_ends_in_silence(name: str) -> None:
    samples = built_in_sound(name).read(60 * SECOND)
    assert 0.5 < len(samples) / SECOND < 6
    assert 0.3 < max(samples) < 0.5
    assert -0.5 < min(samples) < -0.3
    assert abs(samples[0]) < 0.01
    assert abs(samples[-1]) < 0.01
    # No click: the steepest step is that of the highest tone.
    assert max(abs(after - before) for before, after in pairwise(samples)) < 0.4


def test_a_sound_plays_its_score() -> None:
    samples = list(built_in_sound("count.wav").read(SECOND // 4))
    # The share of its fundamental, for a loudness that falls from 0.4.
    assert strength(samples, 783.99) > 0.15
    assert strength(samples, 523.25) < 0.02


def test_a_sound_can_be_played_again_from_its_start() -> None:
    first, second = built_in_sound("wake_up"), built_in_sound("wake_up.wav")
    start = first.read(1000)
    assert first.read(1000) != start
    assert second.read(1000) == start
    second.close()
    assert len(first.read(60 * SECOND)) > 0
    assert len(first.read(10)) == 0


@pytest.mark.parametrize("name", ["wake_up", "wake_up.wav", Path("wake_up.wav")])
def test_a_robot_plays_a_sound_by_its_bare_name(
    robot: Robot, name: str | Path, eventually: Eventually
) -> None:
    whole = len(built_in_sound("wake_up").read(60 * SECOND))
    robot.media.play_sound(name)
    eventually(lambda: len(robot.media.played()) == whole)


def test_a_file_of_that_name_wins(
    robot: Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, eventually: Eventually
) -> None:
    write_wav(tmp_path / "wake_up.wav", tone(440, 0.1))
    robot.play_sound(str(tmp_path / "wake_up.wav"))
    monkeypatch.chdir(tmp_path)
    robot.play_sound("wake_up.wav")
    eventually(lambda: len(robot.media.played()) > 0)
    robot.media.stop_playing()
    (tmp_path / "go_sleep").write_text("no sound")
    with pytest.raises(ValueError, match="not a readable sound file|not a WAV file"):
        robot.play_sound("go_sleep")


@pytest.mark.parametrize("name", ["hello.wav", "wake_up.mp3", "", "sounds/wake_up.wav", "WAKE_UP"])
def test_an_unknown_name_is_refused_with_the_known_ones(robot: Robot, name: str) -> None:
    with pytest.raises(FileNotFoundError, match=", ".join(NAMES)):
        robot.play_sound(name)
