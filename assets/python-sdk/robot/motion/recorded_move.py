"""Recorded moves, and the sets of them in folders and on the hub."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from robot._arrays import Array
from robot.motion._samples import Samples
from robot.motion.move import Move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot.motion._move_files import MoveFile, MoveFiles

_MAX_MOVE_BYTES = 128 * 1024**2


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
        self._create_files = _choose_files(name)
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
        from robot.motion._move_files import unknown_move

        if move_name in self._moves:  # without waiting for a download in another thread
            return self._moves[move_name]
        with self._lock:
            files, found = self._find()
            if move_name not in found:
                raise unknown_move(move_name, found, files.title)
            if move_name not in self._moves:
                move_path, sound_path = files.local(found[move_name])
                sound = None if sound_path is None else Path(sound_path)
                self._moves[move_name] = _read_move(move_path, sound)
            return self._moves[move_name]

    def _find(self) -> tuple[MoveFiles, dict[str, MoveFile]]:
        if self._found is None:
            files = self._create_files()
            self._found = files, files.find()
        return self._found


def _choose_files(name: str | os.PathLike[str] | None) -> Callable[[], MoveFiles]:
    """Returns a function that creates the set: without a dataset, no program loads HTTP."""
    import re

    from robot.motion._move_files import Folder, own_set

    if name is None:
        return own_set
    path = os.fspath(name)
    if isinstance(path, str) and os.path.isdir(path):
        folder = os.path.abspath(path)
        return lambda: Folder(folder)
    part = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,95}"
    if isinstance(name, str) and re.fullmatch(f"{part}/{part}", name) and ".." not in name:
        return lambda: _dataset(name)
    raise ValueError(
        f"{name!r} is neither a folder with recorded moves nor the id of a dataset, such as "
        '"owner/name".'
    )


def _dataset(name: str) -> MoveFiles:
    from robot.motion._hub_set import HubSet

    return HubSet(name)


def _read_move(path: str, sound_path: Path | None) -> RecordedMove:
    with open(path, "rb") as file:
        content = file.read(_MAX_MOVE_BYTES + 1)
    try:
        if len(content) > _MAX_MOVE_BYTES:
            raise ValueError(f"it is larger than {_MAX_MOVE_BYTES // 1024**2} MB.")
        return RecordedMove(_json(content), sound_path)
    except ValueError as error:
        raise ValueError(f"{path!r} is not a recorded move: {error}") from error


def _json(content: bytes) -> dict[str, object]:
    import json

    try:
        move = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text.") from None
    except RecursionError:
        raise ValueError("it is nested too deeply.") from None
    except ValueError as error:
        raise ValueError(f"it is not JSON ({error}).") from None
    if not isinstance(move, dict):
        raise ValueError("it is not a JSON object with time and set_target_data.")
    return move
