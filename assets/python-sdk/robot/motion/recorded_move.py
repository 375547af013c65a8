"""Recorded moves, and the sets of them in folders and on the hub."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Mapping
from pathlib import Path

from robot._arrays import Array
from robot.motion._samples import Samples
from robot.motion.move import Move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot.motion._move_files import MoveFile, MoveFiles


class RecordedMove(Move):
    """A move that was recorded, or made by a program: targets at given times."""

    def __init__(
        self, move: Mapping[str, object], sound_path: str | os.PathLike[str] | None = None
    ) -> None:
        """Reads a move.

        Args:
            move: an object with `time` (seconds, never falling, one or more) and
                `set_target_data` (one object a time, with `head`, a 4x4 matrix in metres,
                `antennas`, `[right, left]` in radians, and `body_yaw` in radians; a part that all
                of them omit is not moved); `description` is text. Other keys are ignored.
            sound_path: the sound file to play beside it.

        Raises:
            ValueError: if the move is malformed; its text says where.
        """
        self.samples: Samples = Samples.read(move)
        description = move.get("description")
        self.description: str = description if isinstance(description, str) else ""
        self._sound_path = sound_path

    @property
    def duration(self) -> float:
        """The time between the first and the last target, in seconds; 0 with one target."""
        return self.samples.times_s[-1]

    @property
    def sound_path(self) -> str | os.PathLike[str] | None:
        """The sound file that belongs to the move, or None."""
        return self._sound_path

    def evaluate(self, t: float) -> tuple[Array | None, Array | None, float | None]:
        """The target at `t` seconds after the first one; see `Move.evaluate`.

        Before the start it is the first target, after the end the last one.

        Raises:
            ValueError: if `t` is not a number.
        """
        if math.isnan(t):
            raise ValueError("A move cannot be evaluated at nan.")
        return self.samples.at(t)


class RecordedMoves:
    """A set of recorded moves: of a folder, of a dataset on the hub, or the SDK's own.

    A move is a JSON file (see `RecordedMove`) in the set's root or in its `data` folder; its name
    is that of the file without `.json`. A sound file of the same name is played beside it.

    Nothing is read or downloaded before the first use. Files of a dataset are downloaded when
    they are used first, and kept: see `ROBOT_CACHE_DIR` in the README. If the hub cannot be
    reached, the files that were kept are used, else the SDK's own set takes the place of the
    dataset; the output says so once. Safe to use from several threads.
    """

    def __init__(self, name: str | os.PathLike[str] | None = None) -> None:
        """Chooses the set.

        Args:
            name: a folder, or the id of a dataset on the hub, `owner/name`. None: the SDK's own
                set.

        Raises:
            ValueError: if it is neither an existing folder nor an id.
        """
        from robot.motion._move_files import choose_files

        self._create_files = choose_files(name)
        self._lock = threading.Lock()
        self._found: tuple[MoveFiles, dict[str, MoveFile]] | None = None
        self._moves: dict[str, RecordedMove] = {}

    def list_moves(self) -> list[str]:
        """The names of the moves, sorted.

        Raises:
            ValueError: if the hub has no such dataset.
            OSError: if the folder cannot be read.
            AppStopping: if an app of this program is asked to stop during a download.
        """
        with self._lock:
            return list(self._find()[1])

    def get(self, move_name: str) -> RecordedMove:
        """The move of that name.

        Raises:
            ValueError: if there is none, its file is malformed, or it cannot be downloaded.
            OSError: if its file cannot be read.
            AppStopping: if an app of this program is asked to stop during a download.
        """
        from robot.motion._move_files import read_move, unknown_move

        if move_name in self._moves:  # without waiting for a download in another thread
            return self._moves[move_name]
        with self._lock:
            files, found = self._find()
            if move_name not in found:
                raise unknown_move(move_name, found, files.title)
            if move_name not in self._moves:
                move_path, sound_path = files.local(found[move_name])
                sound = None if sound_path is None else Path(sound_path)
                self._moves[move_name] = read_move(move_path, sound)
            return self._moves[move_name]

    def _find(self) -> tuple[MoveFiles, dict[str, MoveFile]]:
        if self._found is None:
            files = self._create_files()
            self._found = files, files.find()
        return self._found
