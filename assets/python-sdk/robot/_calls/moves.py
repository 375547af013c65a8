"""The methods of a `Robot` that play moves."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from contextlib import suppress

from robot._calls.commands import Commands, MoveEnd
from robot.errors import RobotConnectionError, RobotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

    from robot._calls.sound import Sound
    from robot.motion._playing import Steps
    from robot.motion._plays import Plays
    from robot.motion.move import Move

    class _Robot(Commands, Sound): ...
else:
    _Robot = Commands


class Moves(_Robot):
    """Plays moves: `robot.motion.move.Move`, and recorded ones."""

    def __init__(self) -> None:
        """Imports nothing: most apps play no move."""
        super().__init__()
        self._plays: Plays | None = None
        self._plays_lock = threading.Lock()

    def play_move(
        self,
        move: Move,
        play_frequency: float = 100.0,
        initial_goto_duration: float = 0.0,
        sound: bool = True,
    ) -> MoveEnd:
        """Plays a move and returns at its end.

        A recorded move (`robot.motion.recorded_move`) is sent whole and played by the daemon:
        nothing that this program does disturbs it. Until it ends it owns the parts that it moves,
        like a `goto_target`. Another `Move` is evaluated in this thread and streamed, like a
        `set_target` at each time; of several that stream the same part, the latest moves it.

        It returns earlier if other moves have taken all of its parts, if `cancel_move` or
        `stop_motion` is called, or if this program is asked to stop.

        Args:
            move: the move, see `Move`.
            play_frequency: how often a move is evaluated, times a second. The daemon plays
                recorded ones at its own pace.
            initial_goto_duration: seconds to go to the begin of the move first, at most 600; 0: the
                robot moves there as fast as it can.
            sound: whether to play the sound of the move, if it has one. It begins with the move,
                and ends with one that ends early. A sound that cannot be played is logged once.

        Returns:
            The outcome (`done`, `replaced` or `stopped`), and the parts that other moves took
            before the end.

        Raises:
            TypeError: if `move` is none, for example the name of one.
            ValueError: if a number is out of range, or `evaluate` returns no valid target.
            RobotError, MoveTimeout, RobotConnectionError: see `goto_target`; for a streamed move,
                see `set_target`.
            Exception: that of `evaluate`; the robot stays where it is.
        """
        steps = self._steps(move, play_frequency, initial_goto_duration, sound)
        try:
            while True:
                until, seconds = next(steps)
                if seconds > 0:
                    until.wait(seconds)
        except StopIteration as end:
            return _end_of(end)
        finally:
            steps.close()

    async def async_play_move(
        self,
        move: Move,
        play_frequency: float = 100.0,
        initial_goto_duration: float = 0.0,
        sound: bool = True,
    ) -> MoveEnd:
        """Plays a move in a coroutine; see `play_move`.

        A `Move` is evaluated in the thread of the event loop. When the task is cancelled, the
        move stops.
        """
        from asyncio import sleep

        steps = self._steps(move, play_frequency, initial_goto_duration, sound)
        try:
            while True:
                until, seconds = next(steps)
                await sleep(0 if until.is_set() else seconds)
        except StopIteration as end:
            return _end_of(end)
        finally:
            steps.close()

    def cancel_move(self) -> None:
        """Stops the moves that `play_move` plays, in whatever thread; does nothing without one.

        A recorded move is stopped by the daemon within one turn of its loop, and other motions
        with it, as by `stop_motion`.

        Raises:
            RobotError, MoveTimeout: see `stop_motion`.
        """
        if self._plays is not None and self._plays.cancel():
            with suppress(RobotConnectionError):  # then the daemon has ended the move
                super().stop_motion()

    def stop_motion(self) -> None:
        """Stops all motions where the robot is, those of `play_move` too; see `Commands`."""
        if self._plays is not None:
            self._plays.cancel()
        super().stop_motion()

    def _steps(
        self, move: Move, play_frequency: float, initial_goto_s: float, sound: bool
    ) -> Steps:
        from robot._wire.moves import MAX_MOVE_S, MAX_MOVE_SAMPLES
        from robot.motion._playing import Player
        from robot.motion.recorded_move import RecordedMove

        if not callable(getattr(move, "evaluate", None)):
            raise TypeError(f"play_move plays a Move, such as RecordedMoves(…).get(…), not {move!r}.")
        if not 0 < play_frequency < math.inf:  # false for nan too
            raise ValueError(f"play_frequency must be above 0, not {play_frequency!r}.")
        if not 0 <= initial_goto_s <= MAX_MOVE_S:
            raise ValueError(
                f"initial_goto_duration must be 0 to {MAX_MOVE_S:g} s, not {initial_goto_s!r}."
            )
        path = getattr(move, "sound_path", None) if sound else None
        play_it = None if path is None else lambda: self._start_sound(path)
        player = Player(self._link, self._all_plays())
        if isinstance(move, RecordedMove) and type(move).evaluate is RecordedMove.evaluate:
            samples = move.samples
            if move.duration <= MAX_MOVE_S and len(samples.times_s) <= MAX_MOVE_SAMPLES:
                return player.recorded(samples, float(initial_goto_s), play_it)
        return player.streamed(move, float(play_frequency), float(initial_goto_s), play_it)

    def _all_plays(self) -> Plays:
        from robot.motion._plays import Plays

        with self._plays_lock:
            if self._plays is None:
                self._plays = Plays()
            return self._plays

    def _start_sound(self, path: str | os.PathLike[str]) -> Callable[[], None]:
        """Plays the sound of a move; the move goes on without if it cannot be played."""
        from robot import _notice

        try:
            if (audio := self.media.audio) is not None:
                return audio.start_sound(path)
            self.play_sound(path)  # says why there is no sound
        except (RobotError, ValueError, OSError) as error:
            _notice.once(
                f"moves: play {path}", f"The sound of a move cannot be played: {error}"
            )
        return lambda: None


def _end_of(stop: StopIteration) -> MoveEnd:
    end: MoveEnd = stop.value
    return end
