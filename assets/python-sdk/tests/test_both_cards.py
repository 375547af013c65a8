"""Recording, alike on the virtual sound card and on a real one.

Real is the library with the loop of a sound server. Where there is none, only the library is
replaced: by a fake that records from a thread, in uneven parts.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from sound_server import MISSING, PATIENCE_S, sound_server

from robot._audio import device_card
from robot._audio.audio import Audio
from robot._audio.recorded_samples import PERIOD_S

pytestmark = pytest.mark.torture  # in real time

__all__ = ["sound_server"]  # a fixture

SECOND = 16_000
PERIOD = SECOND // 50
DEADLINE_S = 60
"""Ends a test in which too little is recorded."""


class FakeCapture:
    """A microphone of the fake library: silence, in parts of 8 and 22 ms."""

    def __init__(self, *_: object, **__: object) -> None:
        self.sent_frames = 0
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
                frames = round(part_s * SECOND)
                self._callback.send(bytes(8 * frames))
                self.sent_frames += frames


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


FAKE = "real, with a fake library"
CARDS = [
    "virtual",
    FAKE,
    pytest.param(
        "real",
        marks=pytest.mark.skipif(
            MISSING is not None, reason=f"{MISSING}: recording from a real card was NOT tested"
        ),
    ),
]


@pytest.fixture(params=CARDS)
def media(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Audio]:
    if request.param != "virtual":
        monkeypatch.setenv("ROBOT_AUDIO", "device")
    if request.param == "real":
        request.getfixturevalue("sound_server")
    if request.param == FAKE:
        monkeypatch.setattr(device_card, "audio_library", fake_library)
    media = Audio("simulation")
    yield media
    media.close()


def start(media: Audio) -> None:
    """Starts recording, and waits until a real card has started."""
    media.start_recording()
    deadline_s = time.monotonic() + PATIENCE_S
    while media.get_audio_sample() is None:
        assert time.monotonic() < deadline_s, "nothing is recorded"
    media.get_audio_sample()  # the first call may load numpy meanwhile


class Call(NamedTuple):
    """A call of `get_audio_sample`."""

    frames: int
    took_s: float


def call(media: Audio) -> Call:
    began_s = time.monotonic()
    samples = media.get_audio_sample()
    return Call(0 if samples is None else len(samples), time.monotonic() - began_s)


def record(media: Audio, is_enough: Callable[[list[Call]], bool]) -> list[Call]:
    """The calls of a loop without a pause."""
    deadline_s = time.monotonic() + DEADLINE_S
    calls: list[Call] = []
    while not is_enough(calls):
        assert time.monotonic() < deadline_s, "too little is recorded"
        calls.append(call(media))
    return calls


def fastest_s(calls: list[Call]) -> float:
    return min(took_s for _, took_s in calls)


def frames_of(calls: list[Call]) -> int:
    return sum(frames for frames, _ in calls)


def test_a_loop_without_a_pause_gets_whole_periods(media: Audio) -> None:
    began_s = time.monotonic()
    start(media)
    calls = record(media, lambda calls: frames_of(calls) >= SECOND)
    assert {frames % PERIOD for frames, _ in calls} == {0}
    assert frames_of(calls) <= (time.monotonic() - began_s) * SECOND
    without_samples = [each for each in calls if not each.frames]
    assert not without_samples or fastest_s(without_samples) > 0.9 * PERIOD_S


@pytest.mark.parametrize("media", [FAKE], indirect=True)
def test_each_recorded_frame_is_handed_out(media: Audio) -> None:
    media.start_recording()
    card: Any = media._card
    microphone: FakeCapture = card._input
    calls = record(media, lambda calls: frames_of(calls) >= SECOND // 2)
    media.stop_recording()
    assert frames_of([*calls, call(media)]) == microphone.sent_frames


def test_a_loop_that_records_nothing_does_not_flood_either(media: Audio) -> None:
    calls = record(media, lambda calls: len(calls) >= 10 and fastest_s(calls) < 1.5 * PERIOD_S)
    assert {frames for frames, _ in calls} == {0}
    assert fastest_s(calls) > 0.9 * PERIOD_S


def test_other_threads_can_push_while_one_waits(media: Audio) -> None:
    media.start_recording()
    waits, pushed = threading.Event(), threading.Event()
    card: Any = media._card
    wait: Callable[[float], None] = card.wait_for_period

    def wait_until_pushed(timeout_s: float) -> None:
        waits.set()
        assert pushed.wait(30)
        wait(timeout_s)

    card.wait_for_period = wait_until_pushed
    listener = threading.Thread(target=media.get_audio_sample)
    listener.start()
    assert waits.wait(30)
    media.push_audio_sample([0.0] * 320)
    media.stop_recording()
    pushed.set()
    listener.join(30)
    assert not listener.is_alive()


def test_two_listeners_share_the_samples(media: Audio) -> None:
    began_s = time.monotonic()
    start(media)
    calls: list[Call] = []

    def listen() -> None:
        while frames_of(calls[:]) < 0.6 * SECOND and time.monotonic() < began_s + DEADLINE_S:
            calls.append(call(media))

    listeners = [threading.Thread(target=listen) for _ in range(2)]
    for listener in listeners:
        listener.start()
    for listener in listeners:
        listener.join()
    took_s = time.monotonic() - began_s
    assert {frames % PERIOD for frames, _ in calls} == {0}
    assert 0.6 * SECOND <= frames_of(calls) <= took_s * SECOND
    # A call ends with samples, when the other listener has taken them, or after a period.
    assert len(calls) <= 2 * (sum(frames > 0 for frames, _ in calls) + took_s / PERIOD_S + 1)


def test_after_the_stop_the_rest_comes_once(media: Audio) -> None:
    start(media)
    media.stop_recording()
    rest = media.get_audio_sample()
    assert rest is None or len(rest) < 10 * PERIOD
    assert media.get_audio_sample() is None


def test_a_closed_card_ends_a_wait(media: Audio) -> None:
    media.start_recording()
    media.close()
    media.get_audio_sample()
    assert media.get_audio_sample() is None
