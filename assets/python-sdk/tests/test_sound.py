"""Recording and playing through a robot, and the choice of the sound card."""

from __future__ import annotations

import logging
import time
from array import array
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import Eventually, NewPeer
from peer import WELCOME, Peer
from programs import start_app
from test_poses import needs_numpy
from tones import loud_part, read_wav, strength, tone, write_wav

from robot import AudioUnavailable, Robot, RobotConnectionError, _arrays
from robot._audio import device_card
from robot._audio.card import choose_card
from robot._audio.mixer import Mixer
from robot._audio.virtual_card import VirtualCard

pytestmark = pytest.mark.torture  # in real time

SECOND = 16_000


def as_lists(samples: Any) -> list[list[float]]:
    lists: list[list[float]] = getattr(samples, "tolist", lambda: samples)()
    return lists


def next_samples(robot: Robot) -> Any:
    for _ in range(600):
        samples = robot.get_audio_sample()
        if samples is not None:
            return samples
        time.sleep(0.005)
    raise AssertionError("nothing is recorded")


@pytest.mark.parametrize("backend", ["simulation", "emulator"])
def test_a_simulated_or_emulated_robot_has_a_virtual_sound_card(backend: str) -> None:
    assert type(choose_card(backend, Mixer())) is VirtualCard


@pytest.mark.parametrize(
    ("backend", "asked"), [("lite", None), ("simulation", "device"), ("of-next-year", None)]
)
def test_other_robots_have_a_real_sound_card_which_needs_its_library(
    backend: str, asked: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if asked:
        monkeypatch.setenv("ROBOT_AUDIO", asked)
    monkeypatch.setattr(device_card, "audio_library", lambda: None)
    with pytest.raises(AudioUnavailable, match=r"miniaudio, which is not .* robot-sdk\[audio\]"):
        choose_card(backend, Mixer())


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_AUDIO", "loud")
    with pytest.raises(ValueError, match="ROBOT_AUDIO .* must be 'device' or empty, not 'loud'"):
        choose_card("simulation", Mixer())


def test_a_robot_records_and_plays(robot: Robot, tmp_path: Path, eventually: Eventually) -> None:
    media = robot.media
    assert robot.media is media
    assert (media.get_input_audio_samplerate(), media.get_output_audio_samplerate()) == (
        SECOND,
    ) * 2
    assert media.get_input_channels() == 2
    assert media.get_audio_sample() is None
    media.start_recording()
    samples = as_lists(next_samples(robot))
    assert {tuple(frame) for frame in samples} == {(0.0, 0.0)}
    media.stop_recording()
    media.get_audio_sample()
    assert media.get_audio_sample() is None

    def was_played(pitch_hz: float) -> bool:
        """For 0.1 s, wherever they are: both sounds do not begin in the same frame."""
        played = [frame[0] for frame in as_lists(media.played())]
        amount = strength(played, pitch_hz) * len(played) if played else 0
        return amount == pytest.approx(0.5 * SECOND / 10, rel=0.1)

    chirp = write_wav(tmp_path / "chirp.wav", tone(880, 0.1))
    media.start_playing()
    media.push_audio_sample(tone(440, 0.1))
    media.play_sound(chirp)
    for pitch_hz in (440, 880):
        eventually(partial(was_played, pitch_hz))
    media.push_audio_sample(tone(440, 30))
    media.stop_playing()
    assert len(media.played()) < 2 * SECOND


def test_the_volume_of_the_daemon_applies_to_what_is_played(
    peer: Peer, robot: Robot, eventually: Eventually
) -> None:
    peer.reply(type="volume", volume=40)
    eventually(lambda: robot._link.volume == 0.4)
    robot.push_audio_sample([0.5] * 10)
    eventually(lambda: len(robot.media.played()) == 10)
    assert as_lists(robot.media.played()) == [[pytest.approx(0.2)]] * 10


def test_the_robot_has_every_method_of_media(
    robot: Robot, tmp_path: Path, eventually: Eventually
) -> None:
    robot.start_recording()
    assert next_samples(robot) is not None
    robot.stop_recording()
    robot.start_playing()
    robot.push_audio_sample([0.5] * 10)
    robot.play_sound(str(write_wav(tmp_path / "a.wav", [0.25] * 10)))
    eventually(lambda: len(robot.media.played()) >= 10)
    robot.stop_playing()
    assert (robot.get_input_audio_samplerate(), robot.get_output_audio_samplerate()) == (
        SECOND,
    ) * 2
    assert robot.get_input_channels() == 2


@needs_numpy
def test_with_numpy_samples_are_arrays_of_float32(robot: Robot) -> None:
    import numpy

    robot.start_recording()
    samples = next_samples(robot)
    assert isinstance(samples, numpy.ndarray)
    assert (samples.dtype, samples.shape[1:]) == (numpy.float32, (2,))
    assert robot.media.played().shape == (0, 1)


def test_without_numpy_samples_are_lists(
    robot: Robot, eventually: Eventually, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_arrays, "_numpy", lambda: None)
    robot.start_recording()
    assert next_samples(robot)[0] == [0.0, 0.0]
    robot.push_audio_sample([[0.5, 0.25], [0, 0], [0.5, 0.5]])
    eventually(lambda: robot.media.played() == [[0.375], [0.0], [0.5]])


def test_dropped_samples_are_logged_once(robot: Robot, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "robot"):
        for _ in range(4):
            robot.push_audio_sample(array("f", bytes(4 * 40 * SECOND)))
    assert [record.message for record in caplog.records] == [
        "More than 60 s of samples wait to be played: the oldest are dropped."
    ]


def test_a_closed_robot_is_silent(robot: Robot, tmp_path: Path) -> None:
    robot.start_recording()
    robot.push_audio_sample(tone(440, 10))
    robot.close()
    sound = write_wav(tmp_path / "a.wav", tone(440, 0.1))
    for call in (
        robot.start_recording,
        robot.start_playing,
        lambda: robot.push_audio_sample([0.0]),
        lambda: robot.play_sound(sound),
    ):
        with pytest.raises(RobotConnectionError, match="was closed"):
            call()
    robot.stop_recording()
    robot.stop_playing()
    assert len(robot.media.played()) < 2 * SECOND
    robot.close()


def test_an_app_that_ends_after_the_robot_was_closed_ends_without_an_error(robot: Robot) -> None:
    robot.client.disconnect()
    robot.stop_recording()
    robot.media.stop_playing()
    audio = robot.media.audio
    assert audio is not None
    audio.clear_output_buffer()
    robot.release_media()
    robot.media.close()
    assert robot.media.get_frame() is None
    assert robot.media.get_audio_sample() is None


def test_media_first_used_after_the_robot_was_closed_are_closed(robot: Robot) -> None:
    robot.close()
    with pytest.raises(RobotConnectionError, match="was closed"):
        robot.start_playing()
    assert robot.media.get_frame() is None


def test_a_robot_is_closed_even_if_its_output_file_cannot_be_written(
    robot: Robot, peer: Peer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ROBOT_AUDIO_OUTPUT", str(tmp_path))
    robot.start_playing()
    with pytest.raises(OSError, match="directory|denied"):
        robot.close()
    assert peer.next("closed")["code"] == 1000


def test_the_kind_of_robot_selects_the_sound_card(
    new_peer: NewPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_card, "audio_library", lambda: None)
    lite = new_peer(welcome={**WELCOME, "backend": "lite"})
    with Robot(lite.url) as robot, pytest.raises(AudioUnavailable):
        robot.start_recording()


def test_a_silent_app_loads_no_sound(peer: Peer, tmp_path: Path) -> None:
    source = """
    class App(RobotApp):
        def run(self, robot, stop_event):
            robot.set_target(body_yaw=0)
            print([name for name in sys.modules if "audio" in name or name == "wave"])
    """
    app = start_app(tmp_path, source, peer.url)
    assert app.communicate(timeout=30) == ("[]\n", "")


def test_an_app_records_from_one_file_and_plays_into_another(
    peer: Peer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_AUDIO_INPUT", str(write_wav(tmp_path / "in.wav", tone(660, 0.3))))
    monkeypatch.setenv("ROBOT_AUDIO_OUTPUT", str(tmp_path / "out.wav"))
    source = """
    class App(RobotApp):
        def run(self, robot, stop_event):
            robot.start_recording()
            heard = 0
            while heard < 8000 and not stop_event.wait(0.02):
                samples = robot.get_audio_sample()
                if samples is not None:
                    heard += len(samples)
                    robot.push_audio_sample(samples)
            stop_event.wait(0.2)
            print(heard >= 8000)
    """
    app = start_app(tmp_path, source, peer.url)
    assert app.communicate(timeout=30) == ("True\n", "")
    heard = loud_part(read_wav(tmp_path / "out.wav"))
    assert len(heard) == pytest.approx(0.3 * SECOND, abs=50)
    assert strength(heard, 660) == pytest.approx(0.5, rel=0.05)
