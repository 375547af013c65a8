"""The files of recorded moves in a folder."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable
from typing import NamedTuple, Protocol

SOUND_SUFFIXES = (".wav", ".mp3", ".flac", ".ogg", ".oga", ".opus", ".m4a", ".aac")
"""In the order of preference."""

_FOLDERS = ("data", "")
_MAX_SIMILAR = 5
_MAX_LISTED = 20


class MoveFile(NamedTuple):
    """The files of a move, relative to the root of its set, with `/`."""

    move: str
    sound: str | None


class MoveFiles(Protocol):
    """The files of a set of moves."""

    @property
    def title(self) -> str:
        """The set in a sentence, such as `the folder '/moves'`."""
        ...

    def find(self) -> dict[str, MoveFile]:
        """The files by the name of their move, sorted.

        Raises:
            ValueError: if there is no such set.
            OSError: if it cannot be read.
        """
        ...

    def local(self, file: MoveFile) -> tuple[str, str | None]:
        """The paths of the files of a move on this machine: its JSON, and its sound or None.

        Raises:
            ValueError: if they cannot be downloaded.
        """
        ...


class Folder:
    """A set of moves in a folder."""

    def __init__(self, path: str, title: str | None = None) -> None:
        """`path` is read at `find`."""
        self._path = path
        self._title = title

    @property
    def title(self) -> str:
        """See `MoveFiles.title`."""
        return self._title or f"the folder {self._path!r}"

    def find(self) -> dict[str, MoveFile]:
        """See `MoveFiles.find`."""
        paths: list[str] = []
        for folder in _FOLDERS:
            at = os.path.join(self._path, folder)
            if not folder or os.path.isdir(at):
                files = [entry.name for entry in os.scandir(at) if entry.is_file()]
                paths += [posixpath.join(folder, name) for name in files]
        return move_files(paths)

    def local(self, file: MoveFile) -> tuple[str, str | None]:
        """See `MoveFiles.local`."""
        move, sound = (path and os.path.join(self._path, *path.split("/")) for path in file)
        return move or "", sound


def own_set() -> Folder:
    """The SDK's own moves: part of the package, and beside it in a checkout."""
    package = os.path.join(os.path.dirname(os.path.abspath(__file__)), "moves")
    checkout = os.path.join(package, *(os.pardir,) * 4, "moves")
    path = package if os.path.isdir(package) else os.path.normpath(checkout)
    return Folder(path, "the SDK's own set")


def move_files(paths: Iterable[str]) -> dict[str, MoveFile]:
    """The moves among the files of a set, by name, sorted.

    A file in `data` comes before one of the same name in the root. Hidden files and those in other
    folders are no moves.
    """
    moves: dict[str, str] = {}
    sounds: dict[tuple[str | None, str], str] = {}
    for path in sorted(paths, key=_precedence):
        folder, file = posixpath.split(path)
        stem, suffix = posixpath.splitext(file)
        if folder not in _FOLDERS or stem.startswith(".") or not suffix:
            continue
        if suffix.lower() == ".json":
            moves.setdefault(stem, path)
        elif suffix.lower() in SOUND_SUFFIXES:
            sounds.setdefault((folder, stem), path)
            sounds.setdefault((None, stem), path)
    return {
        name: MoveFile(
            path, sounds.get((posixpath.dirname(path), name)) or sounds.get((None, name))
        )
        for name, path in sorted(moves.items())
    }


def unknown_move(name: object, known: Iterable[str], title: str) -> ValueError:
    """The error for a move that a set does not have; its text lists similar names."""
    from difflib import get_close_matches

    names = list(known)
    similar = get_close_matches(str(name), names, _MAX_SIMILAR, 0.4)
    if similar:
        return ValueError(f"There is no move {name!r} in {title}. Similar: {', '.join(similar)}.")
    shown = ", ".join(names[:_MAX_LISTED]) or "none"
    more = ", …" if len(names) > _MAX_LISTED else ""
    return ValueError(f"There is no move {name!r} in {title}. It has {shown}{more}.")


def _precedence(path: str) -> tuple[int, int, str]:
    folder, file = posixpath.split(path)
    suffix = posixpath.splitext(file)[1].lower()
    preference = SOUND_SUFFIXES.index(suffix) if suffix in SOUND_SUFFIXES else -1
    return (_FOLDERS.index(folder) if folder in _FOLDERS else len(_FOLDERS), preference, path)
