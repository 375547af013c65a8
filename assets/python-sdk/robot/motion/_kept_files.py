"""The copies of a dataset's files on this machine."""

from __future__ import annotations

import atexit
import errno
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from robot import _notice

_PART_SUFFIX = ".part"
_ABANDONED_S = 3_600.0
"""The age of an unfinished file whose program must have been killed."""


class KeptFiles:
    """A folder with the files of one revision of a dataset. Each is written whole or not at all.

    Several programs may use it at the same time.
    """

    def __init__(self, hub: str, dataset: str) -> None:
        """Creates nothing.

        Args:
            hub: the address of the hub.
            dataset: the id of the dataset.
        """
        # The digest keeps apart hubs, and ids that differ by their case alone.
        digest = hashlib.sha256(f"{hub} {dataset}".encode()).hexdigest()[:12]
        self._name = f"{_plain(dataset)}-{digest}"
        self._root = os.path.join(_cache_folder(), "moves", self._name)
        self._revision = "main"

    def use(self, revision: str) -> None:
        """Chooses a revision; the files of others are removed.

        Where nothing can be written, the files are kept for the time of this program.
        """
        self._revision = _plain(revision)[:64]
        try:
            os.makedirs(os.path.join(self._root, self._revision), exist_ok=True)
            if not os.access(self._root, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), self._root)
        except OSError as error:
            root = tempfile.mkdtemp(prefix="robot-sdk-")
            atexit.register(shutil.rmtree, root, ignore_errors=True)
            _notice.once(
                "moves: cache",
                f"Downloaded moves cannot be kept ({error}), so they are downloaded again at each "
                "start. Set ROBOT_CACHE_DIR to a folder that this program may write into.",
            )
            self._root = root
        for other in os.scandir(self._root):
            if other.is_dir(follow_symlinks=False) and other.name != self._revision:
                shutil.rmtree(other.path, ignore_errors=True)
        for folder, _, files in os.walk(self._root):
            for part in files:
                if part.endswith(_PART_SUFFIX):
                    _remove_if_old(os.path.join(folder, part))

    def path(self, file: str) -> str:
        """The path of the copy of a file of the dataset, which need not exist."""
        return os.path.join(self._root, self._revision, *map(_safe, file.split("/")))

    def root_path(self, name: str) -> str:
        """The path of a file about the dataset, for all revisions."""
        return os.path.join(self._root, name)

    @contextmanager
    def new_file(self, path: str) -> Iterator[IO[bytes]]:
        """Opens a new file; it gets its name when the block ends without an error.

        Raises:
            OSError: if it cannot be written.
        """
        folder = os.path.dirname(path)
        os.makedirs(folder, exist_ok=True)
        # Another program may write the same file; the last one to finish gives it its name.
        handle, part = tempfile.mkstemp(_PART_SUFFIX, dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())  # else the file may be empty after a power failure
            os.replace(part, path)
        except BaseException:
            _remove(part)
            raise


def _cache_folder() -> str:
    """The folder for files that can be downloaded again."""
    given = os.environ.get("ROBOT_CACHE_DIR")
    if given:
        return os.path.abspath(given)
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(local, "robot-sdk", "Cache")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "robot-sdk")
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or f"{home}/.cache", "robot-sdk")


def _plain(text: str) -> str:
    """A name for a folder: letters, digits, `_`, `-` and `.` in between."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text.replace("/", "--")) or "-"


def _safe(part: str) -> str:
    """A part of a path of a dataset as the name of a file; different parts get different names.

    The hub's list is not trusted, and some systems allow fewer characters in names.
    """
    if re.fullmatch(r"[a-z0-9_][a-z0-9_-]*(\.(json|wav|mp3|flac|ogg|oga|opus|m4a|aac))?", part):
        return part
    stem, suffix = os.path.splitext(part)
    suffix = suffix.lower() if re.fullmatch(r"\.[A-Za-z0-9]{1,8}", suffix) else ""
    return f"{_plain(stem)[:80]}-{hashlib.sha256(part.encode()).hexdigest()[:12]}{suffix}"


def _remove_if_old(path: str) -> None:
    try:
        age_s = time.time() - os.stat(path).st_mtime
    except OSError:
        return
    if age_s > _ABANDONED_S:
        _remove(path)


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        pass
