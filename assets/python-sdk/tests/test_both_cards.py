"""Recording, alike on the virtual sound card and on a real one.

Real is the library with the loop of a sound server. Where there is none, only the library is
replaced: by a fake that records from a thread, in uneven parts.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from sound_server import MISSING, PATIENCE_S, sound_server

from robot._audio import device_card
from robot._audio.media import Media

__all__ = ["sound_server"]  # a fixture

SECOND = 16_000
PERIOD = SECOND // 50


class FakeCapture:
    """A microphone of the fake library: silence, in parts of 8 and 22 ms."""

    def __init__(self, *_: object, **__: object) -> None:
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._record, daemon=True)
        self._context = None

    def start(self, callback: Generator[None, bytes, None]) -> None:
        self._callback = callback
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._thread.join()

    def _record(self) -> None:
        at_s = time.monotonic()
        while True:
            for part_s in (0.008, 0.022):
                at_s += part_s
                if self._closed.wait(max(at_s - time.monotonic(), 0)):
                    return
                self._callback.send(bytes(8 * round(part_s * SECOND)))


class FakePlayback(FakeCapture):
    """A loudspeaker of the fake library, which pulls nothing."""

    def _record(self) -> None:
        self._closed.wait()


def fake_library() -> Any:
    backends = SimpleNamespace(NULL=1, CUSTOM=2)
    one = [{"name": "Fake", "id": 1}]
    return SimpleNamespace(
        Backend=backends,
        get_enabled_backends=lambda: {1, 2},
        MiniaudioError=RuntimeError,
        Devices=lambda _: SimpleNamespace(get_captures=lambda: one, get_playbacks=lambda: one),
        SampleFormat=SimpleNamespace(FLOAT32=1),
        CaptureDevice=FakeCapture,
        PlaybackDevice=FakePlayback,
    )


CARDS = [
    "virtual",
    "real, with a fake library",
    pytest.param(
        "real",
        marks=pytest.mark.skipif(
            MISSING is not None, reason=f"{MISSING}: recording from a real card was NOT tested"
        ),
    ),
]


@pytest.fixture(params=CARDS)
def media(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Media]:
    if request.param != "virtual":
        monkeypatch.setenv("ROBOT_AUDIO", "device")
    if request.param == "real":
        request.getfixturevalue("sound_server")
    if request.param == "real, with a fake library":
        monkeypatch.setattr(device_card, "audio_library", fake_library)
    media = Media("simulation")
    yield media
    media.close()


def start(media: Media) -> None:
    """Starts recording, and waits until a real card has started."""
    media.start_recording()
    deadline_s = time.monotonic() + PATIENCE_S
    while media.get_audio_sample() is None:
        assert time.monotonic() < deadline_s, "nothing is recorded"
    media.get_audio_sample()  # the first call may load numpy meanwhile


def record(media: Media, for_s: float) -> list[int]:
    """The frames of each call in a loop without a pause; 0 for None."""
    end_s = time.monotonic() + for_s
    calls = []
    while time.monotonic() < end_s:
        samples = media.get_audio_sample()
        calls.append(0 if samples is None else len(samples))
    return calls


def test_a_loop_without_a_pause_gets_whole_periods(media: Media) -> None:
    start(media)
    calls = record(media, 1)
    assert {frames % PERIOD for frames in calls} == {0}
    assert len(calls) < 120
    assert sum(calls) > 0


def test_a_loop_that_records_nothing_does_not_flood_either(media: Media) -> None:
    calls = record(media, 0.3)
    assert {*calls} == {0}
    assert 0 < len(calls) < 20


def test_other_threads_can_push_while_one_waits(media: Media) -> None:
    media.start_recording()
    waits, pushed = threading.Event(), threading.Event()
    card: Any = media._card
    wait: Callable[[float], None] = card.wait_for_period

    def wait_until_pushed(timeout_s: float) -> None:
        waits.set()
        assert pushed.wait(5)
        wait(timeout_s)

    card.wait_for_period = wait_until_pushed
    listener = threading.Thread(target=media.get_audio_sample)
    listener.start()
    assert waits.wait(5)
    media.push_audio_sample([0.0] * 320)
    media.stop_recording()
    pushed.set()
    listener.join(5)
    assert not listener.is_alive()


def test_two_listeners_share_the_samples(media: Media) -> None:
    start(media)
    heard: list[list[int]] = []
    listeners = [
        threading.Thread(target=lambda: heard.append(record(media, 0.6))) for _ in range(2)
    ]
    for listener in listeners:
        listener.start()
    for listener in listeners:
        listener.join()
    calls = heard[0] + heard[1]
    assert {frames % PERIOD for frames in calls} == {0}
    assert sum(calls) == pytest.approx(0.6 * SECOND, rel=0.25)
    assert len(calls) < 200


def test_after_the_stop_the_rest_comes_once(media: Media) -> None:
    start(media)
    media.stop_recording()
    rest = media.get_audio_sample()
    assert rest is None or len(rest) < 10 * PERIOD
    assert media.get_audio_sample() is None


def test_a_closed_card_ends_a_wait(media: Media) -> None:
    media.start_recording()
    media.close()
    media.get_audio_sample()
    assert media.get_audio_sample() is None
