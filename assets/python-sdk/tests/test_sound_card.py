"""A real sound card: the library plays into a sound server whose only card is a loop."""

from __future__ import annotations

import os
import statistics
import time
from array import array
from pathlib import Path

import pytest
from peer import Peer
from programs import start_app
from sound_server import MISSING, PATIENCE_S, sound_server
from tones import loud_part, strength, tone, write_wav

from robot import AudioUnavailable, Robot, RobotError
from robot._audio.audio import Audio

SECOND = 16_000
OTHERS_HZ = (150, 330, 550, 660, 1320)
__all__ = ["sound_server"]  # a fixture

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(
        MISSING is not None, reason=f"{MISSING}: real sound cards were NOT tested"
    ),
]


@pytest.fixture(autouse=True)
def real(sound_server: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_AUDIO", "device")


def new_media(monkeypatch: pytest.MonkeyPatch, device: str) -> Audio:
    monkeypatch.setenv("ROBOT_AUDIO_DEVICE", device)
    media = Audio("simulation")
    media.start_recording()
    return media


def hear(source: Robot | Audio, frames: int) -> array[float]:
    """The left channel of the next recorded frames."""
    heard = array("f")
    deadline_s = time.monotonic() + PATIENCE_S
    while len(heard) < frames:
        assert time.monotonic() < deadline_s, "nothing is recorded"
        samples = source.get_audio_sample()
        if samples is not None:
            heard.extend(float(frame[0]) for frame in samples)
        time.sleep(0.01)
    return heard


def hear_all(source: Robot | Audio) -> list[float]:
    """The recorded sound between two silences."""
    heard = hear(source, SECOND // 4)
    while not loud_part(heard) or loud_part(heard[-SECOND // 2 :]):
        heard.extend(hear(source, SECOND // 4))
    return loud_part(heard)


def typical_strength(heard: list[float], pitch_hz: float) -> float:
    """The median strength of a pitch: a busy computer causes gaps."""
    window = SECOND // 10
    starts = range(0, len(heard) - window, window)
    return statistics.median(strength(heard[at : at + window], pitch_hz) for at in starts)


def test_a_pushed_tone_keeps_its_pitch_and_loudness(peer: Peer) -> None:
    with Robot(peer.url) as robot:
        robot.start_recording()
        assert not loud_part(hear(robot, SECOND // 4))
        pushed = tone(440, 1)
        for at in range(0, len(pushed), 320):
            robot.push_audio_sample(pushed[at : at + 320])
        heard = hear_all(robot)
        assert len(heard) > 0.95 * SECOND
        assert typical_strength(heard, 440) == pytest.approx(0.5, rel=0.1)
        assert max(typical_strength(heard, other) for other in OTHERS_HZ) < 0.05
        with pytest.raises(RobotError, match="This is a real one"):
            robot.media.played()


def test_a_sound_file_is_mixed_with_pushed_samples(peer: Peer, tmp_path: Path) -> None:
    chirp = write_wav(tmp_path / "chirp.wav", tone(880, 1, 44_100), rate_hz=44_100, channels=2)
    with Robot(peer.url) as robot:
        robot.start_recording()
        robot.push_audio_sample(tone(440, 1))
        robot.play_sound(chirp)
        heard = hear_all(robot)
        for pitch_hz in (440, 880):
            assert typical_strength(heard, pitch_hz) == pytest.approx(0.5, rel=0.15)


def test_stopping_is_immediate(peer: Peer) -> None:
    with Robot(peer.url) as robot:
        robot.start_recording()
        robot.push_audio_sample(tone(440, 30))
        deadline_s = time.monotonic() + PATIENCE_S
        while not loud_part(hear(robot, SECOND // 4)):
            assert time.monotonic() < deadline_s, "nothing is played"
        robot.stop_playing()
        hear_all(robot)  # ends, long before the tone does
        robot.push_audio_sample(tone(880, 0.5))
        assert typical_strength(hear_all(robot), 880) > 0.4


def test_a_part_of_its_name_chooses_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (new_media(monkeypatch, name) for name in ("robot_one", "Two"))
    try:
        second.push_audio_sample(tone(440, 0.5))
        assert typical_strength(hear_all(second), 440) > 0.4
        assert not loud_part(hear(first, SECOND // 2))
    finally:
        first.close()
        second.close()


def test_an_unknown_card_is_named_with_the_existing_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(AudioUnavailable, match="No microphone is called 'Three'. .*: .*Robot_Two"):
        new_media(monkeypatch, "Three")


def test_the_error_without_a_sound_card_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    import miniaudio

    monkeypatch.setattr(miniaudio, "get_enabled_backends", lambda: {miniaudio.Backend.PULSEAUDIO})
    monkeypatch.setenv("PULSE_SERVER", "unix:/nowhere")
    media = Audio("lite")
    for kind, start in (
        ("microphone", media.start_recording),
        ("loudspeaker", media.start_playing),
    ):
        with pytest.raises(AudioUnavailable, match=f"has no {kind}. Connect the robot's"):
            start()
    media.close()


def test_devices_are_released_each_time() -> None:
    def open_files() -> int:
        return len(os.listdir("/proc/self/fd"))

    media = Audio("lite")
    before = open_files()
    for _ in range(20):
        media.start_recording()
        media.start_playing()
        assert open_files() > before
        media.stop_recording()
        media.stop_playing()
    assert open_files() <= before + 2  # files that the libraries keep open
    media.start_recording()
    media.close()
    assert open_files() <= before + 2


@pytest.mark.parametrize("closes", [True, False])
def test_a_program_can_end_while_sound_plays(peer: Peer, tmp_path: Path, closes: bool) -> None:
    source = f"""
    class App(RobotApp):
        def run(self, robot, stop_event):
            media = robot.media
            if not {closes}:
                robot._media = None  # like a program that does not close its robot
            media.start_recording()
            media.push_audio_sample([0.1] * 160000)
            while media.get_audio_sample() is None:
                time.sleep(0.01)
            print("heard", flush=True)
            App.kept = media
    """
    app = start_app(tmp_path, source, peer.url)
    assert app.communicate(timeout=PATIENCE_S) == ("heard\n", "")
    assert app.returncode == 0
