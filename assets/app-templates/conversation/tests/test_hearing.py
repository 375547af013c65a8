"""Voice activity and turns, on generated sound."""

from __future__ import annotations

import math
import random
import threading
from array import array
from pathlib import Path

import pytest
from server_for_tests import ModelServer, sends_json

from app_template.hearing.ears import listen
from app_template.hearing.transcription import transcribed
from app_template.hearing.voice_activity import FRAME_S, VoiceActivity
from app_template.sound import RATE_HZ, loudness_of, samples_in, wav_of
from robot.endpoints import Endpoint
from robot.media.media_manager import MediaManager


def sound(seconds: float, loudness: float, hz: float = 0.0) -> list[float]:
    """A tone, or noise without a frequency."""
    chance = random.Random(7)
    count = round(seconds * RATE_HZ)
    if hz == 0.0:
        return [chance.uniform(-1.7, 1.7) * loudness for _ in range(count)]
    return [1.4 * loudness * math.sin(math.tau * hz * at / RATE_HZ) for at in range(count)]


def changes(samples: list[float], own_voice: float = 0.0) -> list[tuple[float, str]]:
    """When somebody begins and ends to speak, in tenths of a second."""
    activity = VoiceActivity()
    frame = round(FRAME_S * RATE_HZ)
    found: list[tuple[float, str]] = []
    for start in range(0, len(samples), frame):
        level = loudness_of(array("f", samples[start : start + frame]))
        if change := activity.step(level, own_voice):
            found.append((round(start / RATE_HZ, 1), change.value))
    return found


def test_a_voice_begins_within_a_tenth_of_a_second_and_ends_after_silence() -> None:
    spoken = [*sound(1, 0.002), *sound(1, 0.1, 200), *sound(1, 0.002)]
    assert changes(spoken) == [(1.1, "begins"), (2.7, "ends")]


def test_a_pause_within_a_sentence_does_not_end_it() -> None:
    spoken = [*sound(0.5, 0.1, 200), *sound(0.4, 0.0), *sound(0.5, 0.1, 200), *sound(1, 0.0)]
    assert [what for _, what in changes(spoken)] == ["begins", "ends"]


def test_a_click_is_no_voice() -> None:
    assert changes([*sound(1, 0.0), *sound(0.05, 0.5), *sound(1, 0.0)]) == []


def test_the_noise_of_a_room_is_no_voice_after_a_while_but_a_louder_voice_is() -> None:
    noisy = changes([*sound(12, 0.03), *sound(1, 0.2, 200), *sound(2, 0.03)])
    assert noisy[-2:] == [(12.1, "begins"), (13.7, "ends")]


def test_the_robot_does_not_interrupt_itself_but_a_loud_person_does() -> None:
    assert changes(sound(1, 0.05, 300), own_voice=0.2) == []
    assert changes(sound(1, 0.3, 300), own_voice=0.2) == [(0.1, "begins")]


def test_a_robot_that_does_not_hear_itself_hears_a_soft_person_while_it_speaks() -> None:
    heard = changes([*sound(3, 0.001), *sound(1, 0.05, 300)], own_voice=0.2)
    assert heard == [(3.1, "begins")]


def test_the_ears_hand_over_what_was_said_with_its_start(
    media: MediaManager, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spoken = [*sound(0.6, 0.0), *sound(0.6, 0.1, 200), *sound(1.2, 0.0)]
    (tmp_path / "said.wav").write_bytes(wav_of(array("f", spoken)))
    monkeypatch.setenv("ROBOT_AUDIO_INPUT", str(tmp_path / "said.wav"))
    stop = threading.Event()
    heard: list[object] = []

    class Listener:
        def speech_begins(self) -> None:
            heard.append("begins")

        def speech_ends(self, samples: array[float]) -> None:
            heard.append(samples)
            stop.set()

    listen(media, Listener(), lambda: 0.0, stop)
    begins, samples = heard
    assert begins == "begins"
    assert isinstance(samples, array)
    loud = [abs(sample) > 0.01 for sample in samples]
    assert 0.5 < sum(loud) / RATE_HZ < 0.65, "all of the voice"
    assert 0.2 < loud.index(True) / RATE_HZ < 0.4, "some silence before it"


def test_speech_is_sent_as_a_wav_file_and_its_text_comes_back(
    endpoint: Endpoint, model: ModelServer
) -> None:
    model.answers = [sends_json({"text": " Hello robot. "})]
    samples = array("f", sound(0.1, 0.1, 200))
    assert transcribed(endpoint, samples) == "Hello robot."
    (form,) = model.asked
    assert b'name="model"\r\n\r\ntiny\r\n' in form
    wav = form[form.index(b"RIFF") :].rpartition(b"\r\n------robot")[0]
    assert samples_in(wav) == pytest.approx(samples, abs=1e-4)


def test_an_answer_without_text_is_silence(endpoint: Endpoint, model: ModelServer) -> None:
    model.answers = [sends_json(answer) for answer in ({}, {"text": None}, [])]
    assert [transcribed(endpoint, array("f", [0.0])) for _ in range(3)] == ["", "", ""]
