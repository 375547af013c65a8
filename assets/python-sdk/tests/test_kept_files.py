"""The kept copies of a dataset's files: each is written whole or not at all."""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from robot.motion import _kept_files
from robot.motion._kept_files import KeptFiles

HUB = "https://hub.test"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ROBOT_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def kept() -> KeptFiles:
    """The files of the revision `r1` of a dataset."""
    files = KeptFiles(HUB, "maker/moves")
    files.use("r1")
    return files


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def write(kept: KeptFiles, path: str, text: bytes = b"{}") -> Path:
    with kept.new_file(path) as file:
        file.write(text)
    return Path(path)


def test_a_file_has_its_name_once_it_is_whole(kept: KeptFiles) -> None:
    path = Path(kept.path("data/nod.json"))
    with kept.new_file(str(path)) as file:
        file.write(b"half")
        file.flush()
        [part] = names(path.parent)
        assert part.endswith(".part")
        file.write(b" and whole")
    assert (names(path.parent), path.read_bytes()) == (["nod.json"], b"half and whole")


@pytest.mark.parametrize("error", [ValueError, OSError, KeyboardInterrupt, SystemExit])
def test_a_write_that_fails_leaves_the_older_copy_and_nothing_else(
    kept: KeptFiles, error: type[BaseException]
) -> None:
    path = write(kept, kept.path("nod.json"), b"old")
    with pytest.raises(error), kept.new_file(str(path)) as file:
        file.write(b"new, but half")
        file.flush()
        raise error
    assert (names(path.parent), path.read_bytes()) == (["nod.json"], b"old")


def test_a_reader_has_the_older_copy_while_a_new_one_is_written(kept: KeptFiles) -> None:
    path = write(kept, kept.path("nod.json"), b"old")
    with kept.new_file(str(path)) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"


def test_of_two_writers_at_once_the_last_to_finish_names_the_file(kept: KeptFiles) -> None:
    path = Path(kept.path("nod.json"))
    with kept.new_file(str(path)) as slow:
        slow.write(b"the slow")
        write(kept, str(path), b"quick")
        assert path.read_bytes() == b"quick"
        slow.write(b" one")
    assert (names(path.parent), path.read_bytes()) == (["nod.json"], b"the slow one")


def test_a_file_is_on_the_disk_before_it_has_its_name(
    kept: KeptFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(kept.path("nod.json"))
    synced: list[tuple[int, bool]] = []

    def sync(handle: int) -> None:
        synced.append((os.fstat(handle).st_size, path.exists()))

    monkeypatch.setattr(os, "fsync", sync)
    write(kept, str(path), b"1234567")
    assert synced == [(7, False)]


def test_a_file_that_cannot_have_its_name_is_an_error_and_leaves_nothing(kept: KeptFiles) -> None:
    path = Path(kept.path("nod.json"))
    path.mkdir()
    with pytest.raises(OSError):
        write(kept, str(path))
    assert names(path.parent) == ["nod.json"]


def test_another_revision_takes_the_place_of_the_last_one(
    kept: KeptFiles, tmp_path: Path, cache: Path
) -> None:
    write(kept, kept.path("data/nod.json"))
    listing = write(kept, kept.root_path("listing.json"))
    root = listing.parent
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.txt").write_text("kept")
    (root / "linked").symlink_to(elsewhere)
    kept.use("r2")
    assert names(root) == ["linked", "listing.json", "r2"]
    assert names(elsewhere) == ["mine.txt"]
    assert Path(kept.path("data/nod.json")) == root / "r2" / "data" / "nod.json"
    assert root.parent == cache / "moves"


def test_the_same_revision_keeps_its_files(kept: KeptFiles) -> None:
    path = write(kept, kept.path("data/nod.json"), b"kept")
    kept.use("r1")
    again = KeptFiles(HUB, "maker/moves")
    again.use("r1")
    assert (again.path("data/nod.json"), path.read_bytes()) == (str(path), b"kept")


def test_only_unfinished_files_older_than_an_hour_are_removed(kept: KeptFiles) -> None:
    root = Path(kept.root_path("x")).parent
    ages_s = {"old.part": 3_700, "young.part": 3_500, "old.json": 9_000}
    for folder in (root, root / "r1" / "data"):
        folder.mkdir(exist_ok=True)
        for name, age_s in ages_s.items():
            (folder / name).write_bytes(b"half")
            os.utime(folder / name, (time.time() - age_s,) * 2)
    kept.use("r1")
    assert names(root / "r1" / "data") == ["old.json", "young.part"]
    assert names(root) == ["old.json", "r1", "young.part"]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("nod.json", "nod.json"),
        ("data/happy_1.wav", "data/happy_1.wav"),
        ("data/a-b.opus", "data/a-b.opus"),
        ("_x/9", "_x/9"),
    ],
)
def test_a_plain_name_is_kept(kept: KeptFiles, file: str, expected: str) -> None:
    root = Path(kept.root_path("x")).parent
    assert Path(kept.path(file)) == root.joinpath("r1", *expected.split("/"))


ODD = ["Nod.json", "nod.JSON", "nod .json", "n:d.json", "..", ".", "", "ä.json", "-x.json"]
ODD += ["a\\b.json", "x.y.json", "nod.txt", "nod.j/son", "nod.json\n", "N" * 300, "nod.longsuffix"]


def test_other_names_are_different_files_of_the_same_folder(kept: KeptFiles) -> None:
    root = Path(kept.root_path("x")).parent / "r1"
    paths = [Path(kept.path(f"data/{name}")) for name in [*ODD, "nod.json"]]
    assert len({str(path).lower() for path in paths}) == len(paths)
    for path in paths:
        assert path.resolve().is_relative_to(root / "data")
        assert all(len(part) <= 120 and part.isascii() for part in path.parts)
    assert Path(kept.path("NOD.JSON")).suffix == ".json"
    assert Path(kept.path("nod.longsuffix")).suffix == ""


@pytest.mark.parametrize("revision", ["../../out", "..", "", "a/b", "x" * 200])
def test_a_revision_never_leads_out_of_the_cache(kept: KeptFiles, revision: str) -> None:
    root = Path(kept.root_path("x")).parent
    kept.use(revision)
    [folder] = root.iterdir()
    assert len(folder.name) <= 64
    assert Path(kept.path("nod.json")) == folder / "nod.json"


def test_hubs_and_datasets_have_a_folder_each() -> None:
    sets = [(HUB, "maker/moves"), (HUB, "Maker/moves"), (HUB, "maker--moves/x")]
    sets += [("https://b", "x/y"), ("https://c", "x/y"), (HUB, "maker/../moves")]
    roots = [Path(KeptFiles(*each).root_path("x")).parent for each in sets]
    assert len({str(root).lower() for root in roots}) == len(sets)
    assert roots[0] == Path(KeptFiles(*sets[0]).root_path("y")).parent
    assert len({root.parent for root in roots}) == 1


def test_a_set_that_is_not_used_creates_nothing(cache: Path) -> None:
    KeptFiles(HUB, "maker/moves").path("nod.json")
    assert not cache.exists()


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"ROBOT_CACHE_DIR": "/given"}, "/given"),
        ("linux", {"ROBOT_CACHE_DIR": "given"}, "/home/me/now/given"),
        ("win32", {"ROBOT_CACHE_DIR": "/given"}, "/given"),
        ("linux", {}, "/home/me/.cache/robot-sdk"),
        ("linux", {"ROBOT_CACHE_DIR": "", "XDG_CACHE_HOME": ""}, "/home/me/.cache/robot-sdk"),
        ("linux", {"XDG_CACHE_HOME": "/cached"}, "/cached/robot-sdk"),
        ("darwin", {"XDG_CACHE_HOME": "/cached"}, "/home/me/Library/Caches/robot-sdk"),
        ("win32", {}, "/home/me/AppData/Local/robot-sdk/Cache"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/robot-sdk/Cache"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX")
def test_the_cache_is_where_the_system_has_its_caches(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("ROBOT_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "getcwd", lambda: "/home/me/now")
    monkeypatch.setattr(_kept_files, "sys", SimpleNamespace(platform=platform))
    root = KeptFiles(HUB, "maker/moves").root_path("x")
    assert root.startswith(f"{expected}/moves/maker--moves-")


@pytest.mark.parametrize("why", ["no folder", "read only"])
def test_a_cache_that_cannot_be_written_is_replaced_until_the_program_ends(
    why: str,
    cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    at_exit: list[tuple[Any, ...]] = []
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(atexit, "register", lambda *call, **named: at_exit.append((*call, named)))
    if why == "no folder":
        cache.write_text("a file")
    else:
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    for _ in range(2):
        kept = KeptFiles(HUB, "maker/moves")
        kept.use("r1")
        path = write(kept, kept.path("nod.json"))
        assert path.parent.parent.parent == tmp_path
        remove, root, named = at_exit[-1]
        remove(root, **named)
        assert not path.exists()
    [record] = caplog.records  # once
    assert record.message.startswith("Downloaded moves cannot be kept (")
    assert str(cache) in record.message
