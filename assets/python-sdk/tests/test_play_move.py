"""`play_move`, `async_play_move` and `cancel_move`, of recorded moves and of streamed ones."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import math
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Eventually, in_background
from move_files import a_move
from peer import Peer
from programs import first_line, start_app
from tones import write_wav

from robot import MoveEnd, MoveTimeout, Robot, RobotBusy, RobotConnectionError, create_head_pose
from robot.motion import _playing
from robot.motion.goto import GotoMove
from robot.motion.move import Move
from robot.motion.recorded_move import RecordedMove

LEVEL = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
RAISED = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.01, 0, 0, 0, 1]


class Wave(Move):
    """Waves the antennas, and counts how often it is asked."""

    def __init__(self, duration: float = 0.2, sound: Path | None = None) -> None:
        self.length = duration
        self.sound = sound
        self.times: list[float] = []

    @property
    def duration(self) -> float:
        return self.length

    @property
    def sound_path(self) -> Path | None:
        return self.sound

    def evaluate(self, t: float) -> tuple[Any, Any, float | None]:
        self.times.append(t)
        return None, [math.sin(t), 0.25], None


class Turn(Wave):
    """Turns the body."""

    def evaluate(self, t: float) -> tuple[Any, Any, float | None]:
        self.times.append(t)
        return None, None, t


def played(robot: Robot, *args: Any, **kwargs: Any) -> tuple[threading.Thread, list[object]]:
    """Plays a move in a thread; its end or its error is added to the list."""
    ends: list[object] = []

    def play() -> None:
        try:
            ends.append(robot.play_move(*args, **kwargs))
        except BaseException as error:
            ends.append(error)

    return in_background(play), ends


def test_a_recorded_move_is_sent_whole_and_played_by_the_daemon(robot: Robot, peer: Peer) -> None:
    playing, ends = played(robot, RecordedMove(a_move(5, 5.5)), initial_goto_duration=0.25)
    assert peer.next_message("move_samples") == {
        "type": "move_samples",
        "move": "1",
        "timesS": [0, 0.5],
        "heads": [LEVEL, RAISED],
        "antennas": [[0, 0], [-1, 1]],
        "bodyYaws": [0, 0.5],
    }
    request = peer.next_message("play_move")
    assert request == {
        "type": "play_move",
        "id": "1",
        "move": "1",
        "initialGotoS": 0.25,
        "ifBusy": "replace",
    }
    playing.join(0.1)
    assert playing.is_alive()
    peer.reply(type="done", id="1", outcome="replaced", clamped=[], lost=["bodyYaw"])
    playing.join(30)
    assert ends == [MoveEnd("replaced", ("body_yaw",))]


def test_a_part_that_a_recorded_move_omits_is_not_sent(robot: Robot, peer: Peer) -> None:
    move = {"time": [0.0], "set_target_data": [{"antennas": [1, -1], "body_yaw": None}]}
    playing, ends = played(robot, RecordedMove(move))
    sent = peer.next_message("move_samples")
    assert (sent["heads"], sent["antennas"], sent["bodyYaws"]) == (None, [[1, -1]], None)
    peer.done(peer.next_message("play_move"))
    playing.join(30)
    assert ends == [MoveEnd("done", ())]


def test_a_long_move_is_sent_in_messages_that_the_daemon_accepts(robot: Robot, peer: Peer) -> None:
    move = RecordedMove(a_move(*(at / 100 for at in range(1_001))))
    playing, ends = played(robot, move)
    sent = [peer.next_message("move_samples") for _ in range(6)]
    peer.done(peer.next_message("play_move"))
    playing.join(30)
    assert ends == [MoveEnd("done", ())]
    assert [len(message["timesS"]) for message in sent] == [200, 200, 200, 200, 200, 1]
    assert [time_s for message in sent for time_s in message["timesS"]] == pytest.approx(
        [at / 100 for at in range(1_001)]
    )
    assert {message["move"] for message in sent} == {"1"}


def test_a_message_of_200_samples_is_smaller_than_the_daemon_accepts() -> None:
    third = -1 / 3
    target = {
        "antennas": [third - 99, third - 99],
        "body_yaw": third - 99,
    }
    pose = create_head_pose(third, third, third, 77, 77, 77)
    move = RecordedMove(
        {
            "time": [at * 2.9999 for at in range(200)],
            "set_target_data": [{**target, "head": pose}] * 200,
        }
    )
    [message] = move.samples.messages("1" * 64)
    assert len(json.dumps(message)) < 64 * 1024


def test_moves_of_several_threads_do_not_mix_their_samples(robot: Robot, peer: Peer) -> None:
    move = RecordedMove(a_move(*(at / 100 for at in range(600))))
    threads = [played(robot, move) for _ in range(4)]
    names: list[str] = []
    for _ in range(4):
        messages = [peer.next_message("move_samples") for _ in range(3)]
        names.append(messages[0]["move"])
        assert [message["move"] for message in messages] == names[-1:] * 3
        request = peer.next_message("play_move")
        assert request["move"] == names[-1]
        peer.done(request)
    for thread, ends in threads:
        thread.join(30)
        assert ends == [MoveEnd("done", ())]
    assert len(set(names)) == 4


def test_a_refused_move_raises_once_though_its_samples_were_refused_too(
    robot: Robot, peer: Peer, eventually: Eventually, caplog: pytest.LogCaptureFixture
) -> None:
    playing, ends = played(robot, RecordedMove(a_move()))
    request = peer.next_message("play_move")
    peer.reply(type="error", code="busy", message="It sleeps.", id=None)
    peer.reply(type="error", code="busy", message="It sleeps.", id=request["id"])
    playing.join(30)
    assert [type(end) for end in ends] == [RobotBusy]
    robot.set_target(body_yaw=0)


def test_a_move_without_an_answer_times_out_and_is_stopped(
    robot: Robot, peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_playing, "_GRACE_S", 0.05)
    with pytest.raises(MoveTimeout, match=r"move of 0.1 s has not ended 0.05 s"):
        robot.play_move(RecordedMove(a_move(0, 0.1)))
    assert peer.next_message("stop_motion")


def test_a_move_ends_with_the_daemon(robot: Robot, peer: Peer) -> None:
    playing, ends = played(robot, RecordedMove(a_move(0, 30)))
    peer.next_message("play_move")
    peer.kill()
    playing.join(30)
    assert [type(end) for end in ends] == [RobotConnectionError]
    robot.cancel_move()


@pytest.mark.parametrize("cancel", [Robot.cancel_move, Robot.stop_motion])
def test_a_recorded_move_is_cancelled_from_another_thread(
    robot: Robot, peer: Peer, cancel: Callable[[Robot], None]
) -> None:
    playing, ends = played(robot, RecordedMove(a_move(0, 30)))
    peer.next_message("play_move")
    cancelling = in_background(lambda: cancel(robot))
    peer.done(peer.next_message("stop_motion"))
    for thread in (playing, cancelling):
        thread.join(5)
        assert not thread.is_alive()
    assert ends == [MoveEnd("stopped", ())]


def test_a_cancel_without_a_move_sends_nothing(robot: Robot, peer: Peer) -> None:
    robot.cancel_move()
    robot.play_move(Wave(0.01))
    robot.cancel_move()
    robot.set_target(body_yaw=0.5)
    while "bodyYaw" not in (message := json.loads(peer.next("message")["text"])):
        assert message["type"] in ("hello", "set_target")


@pytest.mark.parametrize("initial_goto_duration", [0, 30])
@pytest.mark.parametrize("move", [RecordedMove(a_move(0, 30)), Wave(math.inf)])
def test_a_stop_of_the_program_ends_a_move_and_stops_the_robot(
    robot: Robot, peer: Peer, move: Move, initial_goto_duration: float
) -> None:
    playing, ends = played(robot, move, initial_goto_duration=initial_goto_duration)
    is_streamed = isinstance(move, Wave) and not initial_goto_duration
    kind = "play_move" if isinstance(move, RecordedMove) else "goto_target"
    peer.next_message("set_target" if is_streamed else kind)
    peer.reply(type="stop")
    playing.join(5)
    assert ends == [MoveEnd("stopped", ())]
    if not is_streamed:
        assert peer.next_message("stop_motion")
    assert robot.play_move(move) == MoveEnd("stopped", ())


@pytest.mark.torture
def test_a_move_is_streamed_on_a_steady_clock_and_ends_in_time(robot: Robot, peer: Peer) -> None:
    wave = Wave(0.5)
    started_s = time.monotonic()
    assert robot.play_move(wave, play_frequency=50) == MoveEnd("done", ())
    took_s = time.monotonic() - started_s
    assert took_s >= 0.5
    assert 5 <= len(wave.times) <= 25
    assert all(0 <= t < 0.5 for t in wave.times)
    beats = [int(t * 50 + 1e-6) for t in wave.times]
    assert beats == sorted(set(beats))  # one a beat: a late one is left out, not made up for
    for t in wave.times:
        assert peer.next_message("set_target")["antennas"] == [math.sin(t), 0.25]


def test_a_slow_evaluation_skips_times_instead_of_falling_behind(robot: Robot) -> None:
    class Slow(Wave):
        def evaluate(self, t: float) -> tuple[Any, Any, float | None]:
            time.sleep(0.05)
            return super().evaluate(t)

    slow = Slow(0.5)
    robot.play_move(slow, 100)
    assert 2 <= len(slow.times) <= 10
    assert slow.times[-1] < 0.5


def test_a_streamed_move_goes_to_its_begin_first(robot: Robot, peer: Peer) -> None:
    playing, ends = played(robot, Wave(0.05), initial_goto_duration=2)
    goto = peer.next_message("goto_target")
    assert goto == {
        "type": "goto_target",
        "id": "1",
        "head": None,
        "antennas": [0, 0.25],
        "bodyYaw": None,
        "durationS": 2,
        "method": "minjerk",
        "ifBusy": "replace",
    }
    peer.done(goto)
    assert peer.next_message("set_target")
    playing.join(30)
    assert ends == [MoveEnd("done", ())]


def test_a_streamed_move_that_cannot_begin_ends_there(robot: Robot, peer: Peer) -> None:
    playing, ends = played(robot, wave := Wave(), initial_goto_duration=2)
    request = peer.next_message("goto_target")
    peer.reply(type="done", id=request["id"], outcome="replaced", clamped=[])
    playing.join(30)
    assert ends == [MoveEnd("replaced", ())]
    assert wave.times == [0]


def test_the_error_of_a_move_passes_and_ends_it(robot: Robot, peer: Peer) -> None:
    class Broken(Wave):
        def evaluate(self, t: float) -> tuple[Any, Any, float | None]:
            if len(self.times) == 3:
                raise ZeroDivisionError("three")
            return super().evaluate(t)

    with pytest.raises(ZeroDivisionError, match="three"):
        robot.play_move(broken := Broken())
    assert len(broken.times) == 3
    robot.cancel_move()


@pytest.mark.parametrize("target", [None, (None, [0, 0]), 7, (None, [0], None), ([1], None, None)])
def test_a_move_that_returns_no_target_is_an_error(robot: Robot, target: Any) -> None:
    class Odd(Wave):
        def evaluate(self, t: float) -> tuple[Any, Any, float | None]:
            return target  # type: ignore[no-any-return]

    with pytest.raises(ValueError, match=r"Odd.evaluate must return|antennas must|head must"):
        robot.play_move(Odd())


def test_a_move_may_have_no_target_for_a_while(robot: Robot, peer: Peer) -> None:
    class Rests(Wave):
        def evaluate(self, t: float) -> tuple[Any, Any, float | None]:
            super().evaluate(t)
            return None, None, None

    assert robot.play_move(rests := Rests(0.1)) == MoveEnd("done", ())
    assert rests.times
    robot.set_target(body_yaw=1)
    assert "bodyYaw" in peer.next_message("set_target")


def test_a_streamed_move_is_cancelled_at_once_and_any_number_of_times(
    robot: Robot, peer: Peer, eventually: Eventually
) -> None:
    for _ in range(3):
        playing, ends = played(robot, wave := Wave(math.inf), play_frequency=0.1)
        eventually(lambda: wave.times)
        started_s = time.monotonic()
        robot.cancel_move()
        playing.join(5)
        assert time.monotonic() - started_s < 0.5
        assert ends == [MoveEnd("stopped", ())]
        robot.cancel_move()


def test_a_later_streamed_move_takes_the_parts_of_an_earlier_one(
    robot: Robot, peer: Peer, eventually: Eventually
) -> None:
    first, first_ends = played(robot, wave := Wave(math.inf))
    turning, turn_ends = played(robot, turn := Turn(math.inf))
    eventually(lambda: wave.times and turn.times)
    second, second_ends = played(robot, Wave(0.1))
    first.join(5)
    second.join(5)
    assert first_ends == [MoveEnd("replaced", ())]
    assert second_ends == [MoveEnd("done", ())]
    assert turning.is_alive()
    robot.cancel_move()
    turning.join(5)
    assert turn_ends == [MoveEnd("stopped", ())]


def test_a_streamed_move_that_loses_a_part_tells_it(robot: Robot, eventually: Eventually) -> None:
    class Both(Wave):
        def evaluate(self, t: float) -> tuple[Any, Any, float | None]:
            self.times.append(t)
            return None, [0, 0], 0.0

    playing, ends = played(robot, both := Both(1))
    eventually(lambda: both.times)
    robot.play_move(Turn(0.1))
    playing.join(30)
    assert ends == [MoveEnd("done", ("body_yaw",))]


def test_a_subclass_of_a_recorded_move_that_evaluates_itself_is_streamed(
    robot: Robot, peer: Peer
) -> None:
    class Mirrored(RecordedMove):
        def evaluate(self, t: float) -> tuple[Any, Any, float | None]:
            head, antennas, yaw = super().evaluate(t)
            return head, antennas, -(yaw or 0)

    robot.play_move(Mirrored(a_move(0, 0.1)))
    assert peer.next_message("set_target")["bodyYaw"] <= 0


def test_a_recorded_move_that_the_daemon_would_refuse_is_streamed(
    robot: Robot, peer: Peer, eventually: Eventually
) -> None:
    playing, ends = played(robot, RecordedMove(a_move(0, 600.5)))
    assert peer.next_message("set_target")
    robot.cancel_move()
    playing.join(5)
    assert ends == [MoveEnd("stopped", ())]


def test_a_goto_move_is_streamed_from_its_start_to_its_target(robot: Robot, peer: Peer) -> None:
    goto = GotoMove(None, None, [0, 0], [1, -1], 0.0, None, 0.3)
    assert robot.play_move(goto) == MoveEnd("done", ())
    rights = [peer.next_message("set_target")["antennas"][0] for _ in range(10)]
    assert rights == sorted(rights)


@pytest.mark.parametrize("value", [math.nan, 0, -1, math.inf])
def test_an_invalid_number_is_refused(robot: Robot, value: float) -> None:
    with pytest.raises(ValueError, match="play_frequency must be above 0"):
        robot.play_move(Wave(), play_frequency=value)
    if value != 0:
        with pytest.raises(ValueError, match="initial_goto_duration must be 0 to 600 s"):
            robot.play_move(RecordedMove(a_move()), initial_goto_duration=value)


@pytest.mark.parametrize("move", ["cheerful1", None, {"time": []}])
def test_something_else_than_a_move_is_refused(robot: Robot, move: Any) -> None:
    with pytest.raises(TypeError, match="play_move plays a Move"):
        robot.play_move(move)


def test_a_duration_that_is_not_a_number_is_refused_and_one_below_0_is_over(robot: Robot) -> None:
    with pytest.raises(ValueError, match="The duration of Wave is not a number"):
        robot.play_move(Wave(math.nan))
    assert robot.play_move(wave := Wave(-1)) == MoveEnd("done", ())
    assert wave.times == []


def test_a_move_may_change_its_duration_while_it_is_played(
    robot: Robot, eventually: Eventually
) -> None:
    playing, ends = played(robot, wave := Wave(math.inf))
    eventually(lambda: wave.times)
    wave.length = 0
    playing.join(5)
    assert ends == [MoveEnd("done", ())]


def test_moves_are_played_in_coroutines(robot: Robot, peer: Peer) -> None:
    async def play() -> tuple[MoveEnd, MoveEnd, int]:
        turns = itertools.count()

        async def count() -> None:
            while True:
                next(turns)
                await asyncio.sleep(0.01)

        counting = asyncio.ensure_future(count())
        recorded = asyncio.ensure_future(robot.async_play_move(RecordedMove(a_move()), sound=False))
        request = await asyncio.get_running_loop().run_in_executor(
            None, peer.next_message, "play_move"
        )
        streamed = asyncio.ensure_future(robot.async_play_move(Wave(0.3), 50.0, 0.0, True))
        peer.done(request)
        ends = await recorded, await streamed
        counting.cancel()
        return *ends, next(turns)

    *ends, turns = asyncio.run(play())
    assert ends == [MoveEnd("done", ())] * 2
    assert turns > 5  # the loop was free meanwhile


@pytest.mark.parametrize("move", [RecordedMove(a_move(0, 30)), Wave(math.inf)])
def test_a_cancelled_task_stops_its_move(robot: Robot, peer: Peer, move: Move) -> None:
    async def play() -> None:
        playing = asyncio.ensure_future(robot.async_play_move(move))
        kind = "play_move" if isinstance(move, RecordedMove) else "set_target"
        await asyncio.get_running_loop().run_in_executor(None, peer.next_message, kind)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing

    asyncio.run(play())
    if isinstance(move, RecordedMove):
        assert peer.next_message("stop_motion")
    robot.cancel_move()


def test_two_coroutines_of_one_thread_can_send_moves_at_once(robot: Robot, peer: Peer) -> None:
    move = RecordedMove(a_move(*(at / 100 for at in range(600))))

    def answer() -> None:
        for _ in range(3):
            peer.done(peer.next_message("play_move"))

    async def play() -> list[MoveEnd]:
        return await asyncio.gather(*(robot.async_play_move(move) for _ in range(3)))

    answering = in_background(answer)
    assert asyncio.run(play()) == [MoveEnd("done", ())] * 3
    answering.join(30)


PLAYS_FOREVER = """
    import asyncio, math
    from robot.motion.move import Move
    from robot.motion.recorded_move import RecordedMove

    class Wave(Move):
        duration = math.inf
        def evaluate(self, t):
            return None, [math.sin(t), 0.0], None

    targets = [{"antennas": [0.0, 0.0]}] * 20_000
    LONG = RecordedMove({"time": [at / 100 for at in range(20_000)], "set_target_data": targets})

    class App(RobotApp):
        def run(self, robot, stop_event):
            print("runs", flush=True)
            while not stop_event.is_set():
                PLAY
"""


@pytest.mark.torture
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one program")
@pytest.mark.parametrize(
    "play",
    [
        "robot.play_move(LONG)",
        "robot.play_move(LONG, initial_goto_duration=600)",
        "robot.play_move(Wave(), play_frequency=0.01)",
        "asyncio.run(robot.async_play_move(LONG))",
        "asyncio.run(robot.async_play_move(Wave()))",
    ],
)
def test_an_app_ends_soon_after_a_sigint_at_any_moment_of_a_move(
    play: str, peer: Peer, tmp_path: Path
) -> None:
    moments = random.Random(play)
    for _ in range(3):
        app = start_app(tmp_path, PLAYS_FOREVER.replace("PLAY", play), peer.url)
        assert first_line(app) == "runs"
        time.sleep(moments.random())
        app.send_signal(signal.SIGINT)
        assert app.communicate(timeout=20) == ("", "")
        assert app.returncode == 0


def test_the_sound_of_a_move_begins_with_it(
    robot: Robot, peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    sounds: list[tuple[Path, float]] = []

    def start(path: Path) -> Callable[[], None]:
        sounds.append((path, time.monotonic()))
        return lambda: None

    monkeypatch.setattr(robot, "_start_sound", start)
    started_s = time.monotonic()
    playing, ends = played(robot, RecordedMove(a_move(), Path("a.wav")), initial_goto_duration=0.3)
    request = peer.next_message("play_move")
    playing.join(0.6)
    peer.done(request)
    playing.join(30)
    [(path, at_s)] = sounds
    assert path == Path("a.wav")
    assert 0.3 <= at_s - started_s < 0.6
    robot.play_move(Wave(0.05, Path("b.wav")))
    robot.play_move(Wave(0.05, Path("c.wav")), sound=False)
    assert [str(path) for path, _ in sounds] == ["a.wav", "b.wav"]


def test_the_sound_of_a_move_that_ends_early_stops(
    robot: Robot, peer: Peer, monkeypatch: pytest.MonkeyPatch, eventually: Eventually
) -> None:
    log: list[str] = []

    def start(path: Path) -> Callable[[], None]:
        log.append(f"start {path}")
        return lambda: log.append(f"stop {path}")

    monkeypatch.setattr(robot, "_start_sound", start)
    for move in (RecordedMove(a_move(0, 30), Path("a.wav")), Wave(math.inf, Path("a.wav"))):
        log.clear()
        playing, _ = played(robot, move)
        eventually(lambda: log == ["start a.wav"])
        peer.command("send", text='{"type":"done","id":"0","outcome":"done","clamped":[]}')
        in_background(robot.cancel_move)
        if isinstance(move, RecordedMove):
            peer.done(peer.next_message("stop_motion"))
        playing.join(5)
        assert log == ["start a.wav", "stop a.wav"]


def test_the_other_sounds_go_on_when_a_move_is_cancelled(
    robot: Robot, tmp_path: Path, eventually: Eventually
) -> None:
    # Loud is the sound of the move, quiet what the app says meanwhile.
    loud = write_wav(tmp_path / "loud.wav", [0.5] * 16_000 * 20)
    robot.push_audio_sample([0.25] * 16_000 * 20)
    playing, ends = played(robot, Wave(math.inf, loud))

    def latest() -> float:
        samples = robot.media.played()
        return round(float(samples[-1][0]), 2) if len(samples) else 0.0

    eventually(lambda: latest() == 0.75)
    robot.cancel_move()
    playing.join(5)
    eventually(lambda: latest() == 0.25)
    assert ends == [MoveEnd("stopped", ())]


def test_a_robot_without_media_plays_a_move_silently(
    peer: Peer, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    sound = write_wav(tmp_path / "a.wav", [0.5])
    with Robot(daemon_url=peer.url, media_backend="no_media") as robot:
        for _ in range(2):
            assert robot.play_move(Wave(0.05, sound)) == MoveEnd("done", ())
    assert len(caplog.records) == 1


def test_a_sound_that_cannot_be_played_is_told_once_and_the_move_goes_on(
    robot: Robot, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    with caplog.at_level(logging.WARNING, "robot"):
        for _ in range(2):
            assert robot.play_move(Wave(0.05, tmp_path / "x.wav")) == MoveEnd("done", ())
    [record] = caplog.records
    assert "The sound of a move cannot be played: There is no sound file" in record.message
