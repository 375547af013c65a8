"""Plays moves, step by step: each step says how long to wait, in a thread or in a coroutine."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, suppress
from typing import NamedTuple

from robot._calls.commands import MoveEnd
from robot._daemon.link import DaemonLink
from robot._targets import check_target
from robot._wire import messages, moves
from robot._wire.messages import Target
from robot.errors import MoveTimeout, RobotError
from robot.motion._plays import Play, Plays
from robot.motion._samples import Samples
from robot.motion.move import Move

_SLICE_S = 0.02
"""The longest wait before a step looks for a stop."""

_GRACE_S = 5.0
_SAMPLES_READ_A_SECOND = 5_000
_STOPPED = MoveEnd("stopped", ())


class Pause(NamedTuple):
    """A wait that ends early if the event is set."""

    until: threading.Event
    seconds: float


Steps = Generator[Pause, None, MoveEnd]
Sound = Callable[[], Callable[[], None]]
"""Starts the sound of a move, and returns a function that stops it."""


class Player:
    """Plays moves on a robot. Used by several threads."""

    def __init__(self, link: DaemonLink, plays: Plays) -> None:
        """`link` reaches the daemon, `plays` are those of the same robot."""
        self._link = link
        self._plays = plays

    def recorded(self, samples: Samples, initial_goto_s: float, sound: Sound | None) -> Steps:
        """Sends a recorded move whole; the daemon plays it."""
        with self._plays.new() as play, ExitStack() as upload:
            while not self._plays.upload_lock.acquire(blocking=False):
                if self._is_over(play):
                    return _STOPPED
                yield Pause(play.cancelled, _SLICE_S / 10)
            upload.callback(self._plays.upload_lock.release)
            name = str(play.number)
            for message in samples.messages(name):
                if self._is_over(play):
                    return _STOPPED
                self._link.send(message)
                yield Pause(play.cancelled, 0)
            request = moves.play_move(name, initial_goto_s, "replace")
            # The daemon may still read the samples of a long move when this program has sent all.
            reading_s = len(samples.times_s) / _SAMPLES_READ_A_SECOND
            duration_s = initial_goto_s + samples.times_s[-1]
            sound_at = sound and (initial_goto_s, sound)
            return (
                yield from self._asked(
                    play, request, duration_s, _GRACE_S + reading_s, sound_at, upload.close
                )
            )

    def streamed(
        self, move: Move, frequency_hz: float, initial_goto_s: float, sound: Sound | None
    ) -> Steps:
        """Evaluates a move on a steady clock and sends its targets."""
        with self._plays.new() as play:
            if initial_goto_s > 0 and (target := _evaluated(move, 0.0)) is not None:
                goto = messages.goto_target(
                    target, initial_goto_s, "minjerk", "replace", target.body_yaw is not None
                )
                there = yield from self._asked(play, goto, initial_goto_s, _GRACE_S)
                if there.outcome != "done":
                    return there
            stop_sound = sound() if sound else None
            end: MoveEnd | None = None
            try:
                end = yield from self._ticks(play, move, frequency_hz)
                return end
            finally:
                if stop_sound and (end is None or end.outcome != "done"):
                    stop_sound()

    def _ticks(self, play: Play, move: Move, frequency_hz: float) -> Steps:
        start_s = time.monotonic()
        next_s = start_s
        while True:
            now_s = time.monotonic()
            if self._is_over(play):
                return _STOPPED
            length_s = _duration_of(move)
            if now_s - start_s >= length_s:
                return MoveEnd("done", tuple(part for part in Target._fields if part in play.lost))
            if now_s >= next_s:
                target = _evaluated(move, now_s - start_s)
                if target is not None:
                    self._plays.claim(play, target)
                    if play.moved == play.lost:
                        return MoveEnd("replaced", ())
                    if owned := play.owned(target):
                        self._link.stream(owned)
                # The next time on the clock: late ones are left out, they would only come together.
                ticks = math.floor((time.monotonic() - start_s) * frequency_hz) + 1
                next_s = start_s + ticks / frequency_hz
            wait_s = min(next_s, start_s + length_s) - time.monotonic()
            yield Pause(play.cancelled, min(max(0.0, wait_s), _SLICE_S))

    def _asked(
        self,
        play: Play,
        message: messages.Message,
        duration_s: float,
        grace_s: float,
        sound: tuple[float, Sound] | None = None,
        sent: Callable[[], None] = lambda: None,
    ) -> Steps:
        """Sends a request and waits for its end.

        Calls `sent` when it is sent, and starts `sound` after some seconds.
        """
        with play.asked(self._link.asked(message)) as request:
            if request is None:
                return _STOPPED
            sent()
            start_s = time.monotonic()
            stop_sound: Callable[[], None] | None = None
            end: MoveEnd | None = None
            try:
                while not request.ended.is_set():
                    passed_s = time.monotonic() - start_s
                    if self._is_over(play):
                        return _STOPPED
                    if passed_s > duration_s + grace_s:
                        raise MoveTimeout(
                            f"The move of {duration_s:g} s has not ended {grace_s:.2g} s after its "
                            "time. The robot may be blocked, or the daemon busy. Look at the "
                            "robot, then try again."
                        )
                    if sound and passed_s >= sound[0]:
                        stop_sound, sound = sound[1](), None
                    until_sound_s = sound[0] - passed_s if sound else _SLICE_S
                    yield Pause(request.ended, min(max(0.0, until_sound_s), _SLICE_S))
                if request.error is not None:
                    self._link.drop_refusal()
                    raise request.error
                done = request.done
                end = MoveEnd(done.outcome, done.lost) if done else _STOPPED
                return end
            finally:
                if stop_sound and (end is None or end.outcome != "done"):
                    stop_sound()
                # A cancelled play is stopped by the one who cancelled it.
                if not request.ended.is_set() and not play.cancelled.is_set():
                    with suppress(RobotError), self._link.asked(messages.stop_motion()):
                        pass

    def _is_over(self, play: Play) -> bool:
        return play.cancelled.is_set() or self._link.stopping


def _duration_of(move: Move) -> float:
    length_s = move.duration
    if not isinstance(length_s, (int, float)):
        length_s = float(length_s)
    if math.isnan(length_s):
        raise ValueError(f"The duration of {type(move).__name__} is not a number.")
    return length_s


def _evaluated(move: Move, time_s: float) -> Target | None:
    """The target at a time; None if the move has none then."""
    target = move.evaluate(time_s)
    if not isinstance(target, (tuple, list)) or len(target) != 3:
        raise ValueError(
            f"{type(move).__name__}.evaluate must return (head, antennas, body_yaw), each of "
            f"which may be None, not {target!r}."
        )
    if target[0] is None and target[1] is None and target[2] is None:
        return None
    return check_target(*target)

