"""Recorded moves of a dataset on the hub: downloaded, kept, and replaced where there is no hub."""

from __future__ import annotations

import json
import logging
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import in_background
from hub import FakeHub, serve_hub
from move_files import a_move
from programs import environment

from robot import _notice
from robot.motion import _hub
from robot.motion.recorded_move import RecordedMoves

EMOTIONS = "other-maker/emotions_library"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeHub]:
    """A hub with a dataset, and an empty cache."""
    for name in ("HF_ENDPOINT", "HF_TOKEN", "HF_HUB_OFFLINE", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ROBOT_CACHE_DIR", str(tmp_path / "cache"))
    _notice.forget()
    with serve_hub() as serving:
        serving.datasets[EMOTIONS] = {
            "README.md": b"# Moves",
            "happy1.json": json.dumps(a_move(0, 1)).encode(),
            "happy1.wav": b"RIFF",
            "data/sad one.json": json.dumps(a_move(0, 2)).encode(),
            "data/odd.json": b"{}",
            "clips/other.json": b"{}",
            "../outside.json": b"{}",
        }
        monkeypatch.setenv("ROBOT_HUB_URL", serving.url)
        yield serving


def paths(hub: FakeHub) -> list[str]:
    return [path for path, _ in hub.requests]


LISTED = f"/api/datasets/{EMOTIONS}/revision/main"


def test_a_dataset_is_listed_and_its_files_are_downloaded_when_they_are_used(
    hub: FakeHub, tmp_path: Path
) -> None:
    moves = RecordedMoves(EMOTIONS)
    assert (hub.requests, (tmp_path / "cache").exists()) == ([], False)
    assert moves.list_moves() == ["happy1", "odd", "sad one"]
    assert moves.get("sad one").duration == 2
    happy = moves.get("happy1")
    assert happy.duration == 1
    sound = Path(str(happy.sound_path))
    assert (sound.suffix, sound.read_bytes()) == (".wav", b"RIFF")
    resolve = f"/datasets/{EMOTIONS}/resolve/{hub.revision}"
    assert paths(hub) == [
        LISTED,
        f"{resolve}/data/sad%20one.json",
        f"{resolve}/happy1.json",
        f"{resolve}/happy1.wav",
        f"/store/{EMOTIONS}/happy1.wav",
    ]
    assert sound.is_relative_to(tmp_path / "cache")
    with pytest.raises(ValueError, match="odd.json' is not a recorded move: it has no list 'time'"):
        moves.get("odd")
    with pytest.raises(ValueError, match=f"no move 'hapy1' in the dataset {EMOTIONS}. Similar: ha"):
        moves.get("hapy1")


def test_kept_files_are_not_downloaded_again(hub: FakeHub) -> None:
    RecordedMoves(EMOTIONS).get("happy1")
    del hub.requests[:]
    assert RecordedMoves(EMOTIONS).get("happy1").duration == 1
    assert paths(hub) == [LISTED]


def test_a_new_revision_is_downloaded_and_the_old_one_removed(hub: FakeHub, tmp_path: Path) -> None:
    RecordedMoves(EMOTIONS).get("happy1")
    hub.revision = "b" * 40
    hub.datasets[EMOTIONS]["happy1.json"] = json.dumps(a_move(0, 7)).encode()
    assert RecordedMoves(EMOTIONS).get("happy1").duration == 7
    [folder] = (tmp_path / "cache" / "moves").iterdir()
    assert sorted(entry.name for entry in folder.iterdir()) == ["b" * 40, "listing.json"]


def test_without_the_hub_the_kept_moves_are_played(
    hub: FakeHub, caplog: pytest.LogCaptureFixture
) -> None:
    RecordedMoves(EMOTIONS).get("happy1")
    hub.status = 503
    for _ in range(2):
        moves = RecordedMoves(EMOTIONS)
        assert moves.list_moves() == ["happy1"]
        assert moves.get("happy1").sound_path
    with pytest.raises(ValueError, match="It has happy1"):
        moves.get("xyz")
    [record] = caplog.records
    assert "answers with status 503" in record.message
    assert "moves that are on this machine can be played: happy1." in record.message


@pytest.mark.parametrize("how", ["nothing", "refused", "status", "html", "null", "offline", "odd"])
def test_without_hub_and_copies_our_own_set_takes_the_place(
    how: str, hub: FakeHub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    if how == "nothing":
        monkeypatch.setenv("ROBOT_HUB_URL", "http://hub.invalid")
    elif how == "refused":
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            monkeypatch.setenv("ROBOT_HUB_URL", f"http://127.0.0.1:{taken.getsockname()[1]}/")
    elif how == "status":
        hub.status = 500
    elif how == "html":
        hub.body = b"<html>Sign in to this network</html>"
    elif how == "null":
        hub.body = b'{"siblings": null}'
    elif how == "offline":
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    else:
        monkeypatch.setenv("ROBOT_HUB_URL", "file:///etc")
    own = RecordedMoves().list_moves()
    for _ in range(2):
        moves = RecordedMoves(EMOTIONS)
        assert moves.list_moves() == own
        assert moves.get("sad1").duration > 1
    sentence = f"no move 'happy1' in the dataset {EMOTIONS} \\(in its place: the SDK's own set\\)"
    with pytest.raises(ValueError, match=sentence):
        moves.get("happy1")
    [record] = caplog.records
    assert record.message.startswith("The hub cannot be reached (")
    assert "cheerful1" in record.message


def test_a_dataset_that_the_hub_does_not_have_is_an_error(hub: FakeHub) -> None:
    moves = RecordedMoves("other-maker/none")
    for call in (moves.list_moves, lambda: moves.get("happy1")):
        with pytest.raises(ValueError, match="has no dataset other-maker/none .*RepoNotFound"):
            call()


def test_the_token_goes_to_the_hub_and_nowhere_else(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.private_token = "hf_secret"
    with pytest.raises(ValueError, match="set HF_TOKEN"):
        RecordedMoves(EMOTIONS).list_moves()
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    del hub.requests[:]
    RecordedMoves(EMOTIONS).get("happy1")
    assert {path.startswith("/store/"): token for path, token in hub.requests} == {
        False: "Bearer hf_secret",
        True: None,
    }


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "/loop"])
def test_a_redirect_that_leads_nowhere_is_an_error(hub: FakeHub, target: str) -> None:
    hub.redirect_to = f"/datasets/{EMOTIONS}/resolve/{hub.revision}/happy1.json"
    hub.redirect_to = hub.redirect_to if target == "/loop" else target
    with pytest.raises(ValueError, match="happy1.json of the dataset .* cannot be downloaded"):
        RecordedMoves(EMOTIONS).get("happy1")


def test_half_a_file_is_not_kept(hub: FakeHub, tmp_path: Path) -> None:
    moves = RecordedMoves(EMOTIONS)
    moves.list_moves()
    hub.cut_after = 20
    with pytest.raises(ValueError, match="cannot be downloaded .*(20 of|IncompleteRead)"):
        moves.get("happy1")
    assert not list((tmp_path / "cache").rglob("happy1*"))
    assert not list((tmp_path / "cache").rglob("*.part"))
    hub.cut_after = None
    assert moves.get("happy1").duration == 1


def test_unfinished_files_of_killed_programs_are_removed(hub: FakeHub, tmp_path: Path) -> None:
    RecordedMoves(EMOTIONS).get("sad one")
    [folder] = (tmp_path / "cache" / "moves").iterdir()
    parts = [folder / "x.part", folder / hub.revision / "data" / "y.part", folder / "young.part"]
    for part in parts:
        part.write_bytes(b"half")
    for part in parts[:2]:
        os.utime(part, (time.time() - 4_000,) * 2)
    RecordedMoves(EMOTIONS).list_moves()
    assert [part.exists() for part in parts] == [False, False, True]


def test_a_sound_that_cannot_be_downloaded_is_told_once_and_the_move_is_silent(
    hub: FakeHub, caplog: pytest.LogCaptureFixture
) -> None:
    moves = RecordedMoves(EMOTIONS)
    moves.list_moves()
    del hub.datasets[EMOTIONS]["happy1.wav"]
    assert moves.get("happy1").sound_path is None
    assert ["the move is silent" in record.message for record in caplog.records] == [True]


def test_a_hub_that_hangs_is_given_up(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import threading

    hub.stalled = threading.Event()
    monkeypatch.setattr(_hub, "_STALL_S", 0.2)
    started_s = time.monotonic()
    assert "sad1" in RecordedMoves(EMOTIONS).list_moves()
    assert time.monotonic() - started_s < 10
    assert "no answer within 0.2 s" in caplog.text or "timed out" in caplog.text


def test_a_file_that_is_too_large_or_too_slow_is_given_up(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = RecordedMoves(EMOTIONS)
    moves.list_moves()
    with monkeypatch.context() as patch:
        patch.setattr(_hub, "_FILE_S", -1.0)
        with pytest.raises(ValueError, match="did not send"):
            moves.get("happy1")
    monkeypatch.setattr(_hub, "MAX_FILE_BYTES", 100)
    with pytest.raises(ValueError, match="is larger than"):
        moves.get("happy1")


def test_names_of_files_never_lead_out_of_the_cache(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = ["CON", "a:b", "x" * 200, "ä", "a\\..\\b", "..", "a?b*", "trailing.", " "]
    hub.datasets[EMOTIONS] = {
        f"data/{name}.json": json.dumps(a_move(0, at + 1)).encode() for at, name in enumerate(names)
    }
    hub.revision = "../../out"
    hub.datasets[EMOTIONS]["data/UP.json"] = json.dumps(a_move(0, 50)).encode()
    hub.datasets[EMOTIONS]["data/up.json"] = json.dumps(a_move(0, 60)).encode()
    monkeypatch.setattr(
        _hub.Hub,
        "download",
        lambda self, dataset, revision, path, to: to.write(hub.datasets[EMOTIONS][path]),
    )
    moves = RecordedMoves(EMOTIONS)
    for at, name in enumerate(names):
        if name in moves.list_moves():
            assert moves.get(name).duration == at + 1
    assert (moves.get("UP").duration, moves.get("up").duration) == (50, 60)
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) >= 8
    assert all(path.is_relative_to(tmp_path / "cache" / "moves") for path in kept)
    assert len({path.name.lower() for path in kept}) == len(kept)


@pytest.mark.skipif(
    sys.platform == "win32" or not hasattr(os, "geteuid"), reason="permissions of POSIX"
)
def test_a_cache_that_cannot_be_written_is_replaced_for_this_program(
    hub: FakeHub,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ROBOT_CACHE_DIR", str(tmp_path / "file"))
    for _ in range(2):
        assert RecordedMoves(EMOTIONS).get("happy1").duration == 1
    [record] = caplog.records
    assert "Downloaded moves cannot be kept" in record.message


def test_several_threads_and_programs_share_a_set(hub: FakeHub, tmp_path: Path) -> None:
    moves = RecordedMoves(EMOTIONS)
    lengths_s: list[float] = []
    threads = [in_background(lambda: lengths_s.append(moves.get("happy1").duration)) for _ in "8"]
    program = (
        "from robot.motion.recorded_move import RecordedMoves\n"
        f"print(RecordedMoves({EMOTIONS!r}).get('sad one').duration)"
    )
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            env=environment("http://127.0.0.1:9"),
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    assert [each.communicate(timeout=60)[0] for each in programs] == ["2.0\n"] * 3
    for thread in threads:
        thread.join(30)
    assert set(lengths_s) == {1}


def test_a_module_may_choose_a_set_when_it_is_imported(hub: FakeHub, tmp_path: Path) -> None:
    (tmp_path / "library.py").write_text(
        "from robot.motion.recorded_move import RecordedMoves\n"
        f"MOVES = RecordedMoves({EMOTIONS!r})\n"
    )
    program = (
        "import sys, library\n"
        "heavy = {'urllib.request', 'ssl', 'socket', 'numpy', 'asyncio'} & set(sys.modules)\n"
        "print(sorted(heavy))"
    )
    out = subprocess.check_output(
        [sys.executable, "-c", program],
        env=environment("http://127.0.0.1:9", tmp_path),
        text=True,
    )
    assert out == "[]\n"
    assert hub.requests == []


def test_notices_are_of_the_logger_of_the_sdk(
    hub: FakeHub, caplog: pytest.LogCaptureFixture
) -> None:
    hub.status = 500
    with caplog.at_level(logging.WARNING, "robot"):
        RecordedMoves(EMOTIONS).list_moves()
    assert [record.name for record in caplog.records] == ["robot"]
