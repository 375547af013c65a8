"""Recorded moves from folders: real files, whole and malformed."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from move_files import LEVEL, a_move, save

from robot import create_head_pose
from robot._arrays import flatten
from robot.motion.goto import GotoMove
from robot.motion.recorded_move import RecordedMove, RecordedMoves
from robot.utils.interpolation import InterpolationTechnique


def flat(value: object) -> list[float]:
    numbers: list[float] = []
    flatten(value, numbers)
    return numbers


def test_a_folder_has_moves_in_its_root_and_in_data(tmp_path: Path) -> None:
    save(tmp_path / "root.json", json.dumps(a_move()))
    save(tmp_path / "data" / "happy dance 1.json", json.dumps(a_move(0, 2)))
    save(tmp_path / "data" / "both.json", json.dumps(a_move(0, 3)))
    save(tmp_path / "both.json", json.dumps(a_move(0, 4)))
    save(tmp_path / "data" / "Upper.JSON", json.dumps(a_move(0, 5)))
    save(tmp_path / "data" / "a.b.json", json.dumps(a_move(0, 6)))
    for other in ("data/.hidden.json", "README.md", "data/more/deep.json", "no-suffix", ".json"):
        save(tmp_path / other, "{}")
    (tmp_path / "folder.json").mkdir()
    for folder in (tmp_path, str(tmp_path)):
        moves = RecordedMoves(folder)
        assert moves.list_moves() == ["Upper", "a.b", "both", "happy dance 1", "root"]
        lengths_s = [moves.get(name).duration for name in moves.list_moves()]
        assert lengths_s == [5, 6, 3, 2, 0.5]
    in_data = RecordedMoves(tmp_path / "data").list_moves()
    assert in_data == ["Upper", "a.b", "both", "happy dance 1"]


def test_a_sound_of_the_same_name_belongs_to_the_move(tmp_path: Path) -> None:
    for name in ("data/one", "data/two", "three", "four", "five"):
        save(tmp_path / f"{name}.json", json.dumps(a_move()))
    for name in ("data/one.ogg", "data/one.wav", "one.wav", "two.mp3", "three.WAV", "four.txt"):
        save(tmp_path / name, b"")
    moves = RecordedMoves(tmp_path)
    assert {name: moves.get(name).sound_path for name in moves.list_moves()} == {
        "one": tmp_path / "data" / "one.wav",
        "two": tmp_path / "two.mp3",
        "three": tmp_path / "three.WAV",
        "four": None,
        "five": None,
    }


def test_a_relative_folder_keeps_its_meaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path / "moves" / "nod.json", json.dumps(a_move()))
    monkeypatch.chdir(tmp_path)
    moves = RecordedMoves("moves")
    monkeypatch.chdir("/")
    assert moves.get("nod").description == "A test."


def test_the_set_is_read_at_its_first_use(tmp_path: Path) -> None:
    moves = RecordedMoves(tmp_path)
    save(tmp_path / "late.json", json.dumps(a_move()))
    assert moves.list_moves() == ["late"]
    assert moves.get("late") is moves.get("late")


@pytest.mark.parametrize("name", ["hapy1", "../happy1", "data/happy1", "happy1.json", "", 7, None])
def test_an_unknown_name_is_an_error_that_lists_similar_names(tmp_path: Path, name: Any) -> None:
    save(tmp_path / "data" / "happy1.json", json.dumps(a_move()))
    save(tmp_path.parent / "happy1.json", json.dumps(a_move()))
    with pytest.raises(ValueError, match=r"There is no move .* in the folder .*happy1") as caught:
        RecordedMoves(tmp_path).get(name)
    assert repr(name) in str(caught.value)


def test_a_set_without_moves_says_so(tmp_path: Path) -> None:
    assert RecordedMoves(tmp_path).list_moves() == []
    with pytest.raises(ValueError, match="It has none"):
        RecordedMoves(tmp_path).get("nod")


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../moves/x", "a", "a/b/c", "/a/b", "a/..", "../a", "a\\b/c", "a/b?c", "a /b"]
    + ["a/b\n", "a..b/c", "https://hub/a/b", "a/%2e%2e", "-a/b", "a/.b", "ä/b"],
)
def test_a_name_that_is_neither_a_folder_nor_an_id_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in (".", ".."):
        return  # folders
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="neither a folder"):
        RecordedMoves(name)


def changed(**changes: object) -> dict[str, object]:
    return {**a_move(0, 0.5, 1), **changes}


def with_target(at: int, **changes: object) -> dict[str, object]:
    move: Any = a_move(0, 0.5, 1)
    target = {**move["set_target_data"][at], **changes}
    move["set_target_data"][at] = {key: value for key, value in target.items() if value is not ...}
    return move  # type: ignore[no-any-return]


MIRRORED = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]]
FAULTS: dict[str, tuple[object, str]] = {
    "a list": ([], "not a JSON object"),
    "text": ('"time"', "not a JSON object"),
    "no JSON": (b"{'time': [0]}", r"not JSON"),
    "cut": (json.dumps(a_move()).encode()[:-20], r"not JSON"),
    "empty": (b"", r"not JSON"),
    "UTF-16": (json.dumps(a_move()).encode("utf-16"), "not UTF-8 text"),
    "deep": (b"[" * 200_000, "nested too deeply|not JSON"),
    "no times": ({"set_target_data": []}, "no list 'time'"),
    "no targets": ({"time": [0]}, "no list 'set_target_data'"),
    "times are text": (changed(time="0, 1"), "time is not a list"),
    "no time at all": (changed(time=[], set_target_data=[]), "time is empty"),
    "fewer times": (changed(time=[0, 1]), "time has 2 entries, and set_target_data 3"),
    "falling": (changed(time=[0, 2, 1]), r"time\[2\] falls from 2 to 1"),
    "time is null": (changed(time=[0, None, 1]), r"time\[1\] is not a finite number"),
    "time is NaN": (changed(time=[0, math.nan, 1]), r"time\[1\] is not a finite number"),
    "time is a list": (changed(time=[[0], [1], [2]]), r"time\[0\] is not a finite number"),
    "target is a list": (changed(set_target_data=[{}, [], {}]), r"set_target_data\[1\] is not an"),
    "nothing moves": (changed(set_target_data=[{}, {}, {}]), "moves nothing"),
    "no antennas": (with_target(1, antennas=...), r"set_target_data\[1\] has no antennas, but"),
    "head null": (with_target(2, head=None), r"set_target_data\[2\] has no head, but"),
    "late body_yaw": (
        changed(set_target_data=[{"antennas": [0, 0]}] * 2 + [{"antennas": [0, 0], "body_yaw": 0}]),
        r"set_target_data\[0\] has no body_yaw, but set_target_data\[2\] has one",
    ),
    "head 3x4": (with_target(1, head=LEVEL[:3]), r"set_target_data\[1\].head is not a 4x4 matrix"),
    "head ragged": (with_target(1, head=[[1], [1, 2]]), r"\[1\].head is not a 4x4 matrix"),
    "head NaN": (with_target(1, head=[[math.nan] * 4] * 4), r"\[1\].head is not a 4x4 matrix"),
    "head 0": (with_target(1, head=[[0] * 4] * 4), r"\[1\].head is not a 4x4 matrix: a rotation"),
    "head mirrored": (with_target(0, head=MIRRORED), r"\[0\].head is not a 4x4 matrix: a rotation"),
    "head far": (with_target(0, head=[*LEVEL[:2], [0, 0, 1, 25], LEVEL[3]]), r"\[0\].head is not"),
    "head text": (with_target(0, head="level"), r"\[0\].head is not a 4x4 matrix"),
    "antennas 3": (with_target(2, antennas=[0, 0, 0]), r"\[2\].antennas is not two angles"),
    "antennas inf": (with_target(2, antennas=[0, math.inf]), r"\[2\].antennas is not two angles"),
    "antennas huge": (with_target(2, antennas=[0, 10**400]), r"\[2\].antennas is not two angles"),
    "antennas degrees": (with_target(2, antennas=[0, 180]), r"\[2\].antennas is not two angles"),
    "body_yaw text": (with_target(0, body_yaw="left"), r"\[0\].body_yaw is not one angle"),
    "body_yaw pair": (with_target(0, body_yaw=[1, 2]), r"\[0\].body_yaw is not one angle"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_malformed_file_is_an_error_that_names_it_and_the_fault(
    fault: str, tmp_path: Path
) -> None:
    content, sentence = FAULTS[fault]
    text = content if isinstance(content, bytes) else json.dumps(content)
    file = save(tmp_path / "data" / "odd.json", text)
    save(tmp_path / "good.json", json.dumps(a_move()))
    moves = RecordedMoves(tmp_path)
    assert moves.list_moves() == ["good", "odd"]
    for _ in range(2):
        with pytest.raises(ValueError, match=sentence) as caught:
            moves.get("odd")
        assert repr(str(file)) in str(caught.value)
    assert moves.get("good").duration == 0.5
    file.write_text(json.dumps(a_move(0, 7)))
    assert moves.get("odd").duration == 7


def test_a_byte_order_mark_and_unknown_keys_pass(tmp_path: Path) -> None:
    move: Any = a_move(0, 1, fps=50, description=7)
    move["set_target_data"][0]["check_collision"] = False
    save(tmp_path / "bom.json", b"\xef\xbb\xbf" + json.dumps(move).encode())
    got = RecordedMoves(tmp_path).get("bom")
    assert (got.duration, got.description, got.sound_path) == (1, "", None)


def test_times_count_from_the_first_one() -> None:
    move = RecordedMove(a_move(1_700_000_000.0, 1_700_000_000.5, 1_700_000_001.0))
    assert move.duration == 1
    assert flat(move.evaluate(0.5)[1]) == [-0.5, 0.5]


def test_one_target_is_a_move_without_duration() -> None:
    move = RecordedMove(a_move(3))
    assert move.duration == 0
    for t in (-1, 0, 5):
        head, antennas, yaw = move.evaluate(t)
        assert (flat(head), flat(antennas), yaw) == (flat(LEVEL), [0, 0], 0)


def test_equal_times_are_a_jump() -> None:
    move = RecordedMove(a_move(0, 1, 1, 2))
    assert flat(move.evaluate(1)[1]) == pytest.approx([-2 / 3, 2 / 3])
    assert flat(move.evaluate(0.999999)[1]) == pytest.approx([-1 / 3, 1 / 3], abs=1e-5)


def test_it_is_evaluated_between_its_targets_on_the_shortest_way() -> None:
    poses = [create_head_pose(yaw=10), create_head_pose(yaw=50, z=20, mm=True)]
    targets = [{"head": flat(pose)} for pose in poses]
    move = RecordedMove({"time": [0, 2], "set_target_data": targets})
    for share in (-1, 0, 0.25, 0.5, 1, 2):
        got, antennas, yaw = move.evaluate(2 * share)
        within = min(1, max(0, share))
        expected = create_head_pose(yaw=10 + 40 * within, z=20 * within, mm=True)
        assert flat(got) == pytest.approx(flat(expected), abs=1e-9)
        assert antennas is None and yaw is None
    with pytest.raises(ValueError, match="nan"):
        move.evaluate(math.nan)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ((0, 0, 170), (0, 0, -170)),
        ((180, 0, 0), (0, 1, 0)),
        ((0, 179, 0), (0, -179, 0)),
        ((90, 90, 0), (0, 0, 180)),
        ((0, 0, 0), (0, 0, 0)),
    ],
)
def test_every_evaluated_head_is_a_rotation(
    start: tuple[float, float, float], end: tuple[float, float, float]
) -> None:
    poses = [create_head_pose(0, 0, 0, *turn) for turn in (start, end)]
    targets = [{"head": flat(pose)} for pose in poses]
    move = RecordedMove({"time": [0, 1], "set_target_data": targets})
    for at in range(11):
        pose = flat(move.evaluate(at / 10)[0])
        rows = [pose[0:3], pose[4:7], pose[8:11]]
        for first in rows:
            for second in rows:
                product = sum(a * b for a, b in zip(first, second))
                assert product == pytest.approx(1 if first is second else 0, abs=1e-9)


def test_a_rounded_rotation_is_made_exact() -> None:
    rounded = [[round(value, 2) for value in row] for row in create_head_pose(0, 0, 0, 11, 22, 33)]
    move = RecordedMove({"time": [0], "set_target_data": [{"head": rounded}]})
    [message] = move.samples.messages("1")
    head = flat(message["heads"])
    assert sum(value**2 for value in head[:3]) == pytest.approx(1, abs=1e-5)
    assert head[12:] == [0, 0, 0, 1]


@pytest.mark.torture
def test_ten_minutes_at_100_hz_are_read_in_a_few_seconds(tmp_path: Path) -> None:
    target = {"head": LEVEL, "antennas": [0.1, -0.1], "body_yaw": 0.0}
    move = {"time": [at / 100 for at in range(60_000)], "set_target_data": [target] * 60_000}
    save(tmp_path / "long.json", json.dumps(move))
    long = RecordedMoves(tmp_path).get("long")
    assert long.duration == pytest.approx(599.99)
    assert sum(1 for _ in long.samples.messages("1")) == 300


def test_the_own_set_is_in_every_checkout() -> None:
    moves = RecordedMoves()
    names = moves.list_moves()
    assert len(names) == 15
    for name in names:
        move = moves.get(name)
        assert move.description
        assert 1 <= move.duration <= 20


def test_a_file_that_cannot_be_read_is_an_error_of_the_system(tmp_path: Path) -> None:
    file = save(tmp_path / "gone.json", json.dumps(a_move()))
    moves = RecordedMoves(tmp_path)
    moves.list_moves()
    os.remove(file)
    with pytest.raises(FileNotFoundError):
        moves.get("gone")


@pytest.mark.parametrize("method", ["minjerk", "linear", "ease_in_out", "cartoon"])
def test_a_goto_move_begins_at_its_start_and_ends_at_its_target(method: str) -> None:
    start, end = create_head_pose(), create_head_pose(z=10, yaw=20, mm=True)
    move = GotoMove(start, end, [0, 0], [1, 2], 0, 0.5, 2, InterpolationTechnique(method))
    assert move.duration == 2
    for t, pose, antennas, yaw in (
        (0, start, [0, 0], 0.0),
        (2, end, [1, 2], 0.5),
        (9, end, [1, 2], 0.5),
    ):
        got = move.evaluate(t)
        assert flat(got[0]) == pytest.approx(flat(pose))
        assert flat(got[1]) == pytest.approx(antennas)
        assert got[2] == pytest.approx(yaw)
    assert move.evaluate(1)[2] == pytest.approx(0.25)


def test_a_goto_move_keeps_the_parts_without_a_target() -> None:
    move = GotoMove(create_head_pose(z=5, mm=True), None, None, None, 0.25, 0.5, 1.0, "linear")
    head, antennas, yaw = move.evaluate(0.5)
    assert flat(head) == pytest.approx(flat(create_head_pose(z=5, mm=True)))
    assert (antennas, yaw) == (None, 0.375)
    with pytest.raises(ValueError, match="start_antennas is missing"):
        GotoMove(None, None, None, [0, 0], 0, None, 1.0)
    with pytest.raises(ValueError, match="no rotation"):
        GotoMove([[0] * 4] * 4, None, None, None, None, None, 1.0)
    with pytest.raises(ValueError, match="method must be one of"):
        GotoMove(None, None, [0, 0], None, 0, None, 1.0, "fast")
