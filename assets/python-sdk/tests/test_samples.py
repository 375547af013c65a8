"""The sample apps: what they do to the robot, and how they end."""

from __future__ import annotations

import math
import signal
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from peer import WELCOME, Peer
from programs import first_line, start_module

SAMPLES = Path(__file__).parents[2] / "sample-apps"
STEP_S = 0.005
MAX_SPEED = 4.0  # rad/s; the robot does 8


@pytest.fixture
def choreography(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SAMPLES / "dance"))
    return import_module("dance.choreography")


@pytest.fixture
def wave(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SAMPLES / "hello_wave"))
    return import_module("hello_wave.wave")


def speeds(values: list[float]) -> Iterator[float]:
    return (abs(after - before) / STEP_S for before, after in pairwise(values))


def test_the_dance_stays_within_limits_and_never_jumps(choreography: ModuleType) -> None:
    beats_per_step = STEP_S * choreography.BEATS_PER_MINUTE / 60
    steps = int(16 * choreography.BEATS_PER_BAR / beats_per_step)
    poses = [choreography.pose_at(step * beats_per_step) for step in range(steps)]
    for pose in poses:
        assert abs(pose.body_yaw_deg) <= 160
        assert abs(pose.head_yaw_deg - pose.body_yaw_deg) <= 65
        assert abs(pose.pitch_deg) <= 20
        assert abs(pose.roll_deg) <= 20
        assert abs(pose.z_mm) <= 10
        assert max(map(abs, pose.antennas)) <= math.pi
    for angle in ("body_yaw_deg", "head_yaw_deg", "pitch_deg", "roll_deg"):
        assert max(speeds([math.radians(getattr(pose, angle)) for pose in poses])) < MAX_SPEED
    for antenna in (0, 1):
        assert max(speeds([pose.antennas[antenna] for pose in poses])) < MAX_SPEED
    assert max(speeds([pose.z_mm / 1000 for pose in poses])) < 0.1  # m/s


def test_the_dance_has_four_figures_and_starts_where_they_meet(choreography: ModuleType) -> None:
    assert [choreography.figure_name(bar) for bar in range(5)] == [
        "nod",
        "sway",
        "twist",
        "flourish",
        "nod",
    ]
    assert {choreography.pose_at(4 * bar) for bar in range(8)} == {choreography.Pose()}


def test_the_wave_leaves_smoothly_from_anywhere(wave: ModuleType) -> None:
    for start in ([-0.1745, 0.1745], [-3.05, 3.05], [0.0, 0.0]):
        assert wave.antennas_at(0, start) == pytest.approx(start)
        path = [wave.antennas_at(step * STEP_S, start) for step in range(2000)]
        for antenna in (0, 1):
            angles = [at[antenna] for at in path]
            assert max(map(abs, angles)) <= math.pi
            assert max(speeds(angles)) < 6
            assert max(speeds(angles[400:])) < MAX_SPEED


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a child process")
@pytest.mark.parametrize("how", ["interrupt", "message"])
@pytest.mark.parametrize("name", ["hello_wave", "dance"])
def test_a_sample_plays_and_stops_at_once(peer: Peer, name: str, how: str) -> None:
    app = start_module(f"{name}.main", peer.url, SAMPLES / name)
    assert peer.next_message("hello")["clientName"] == name
    if name == "dance":
        ramp_in = peer.next_message("goto_target")
        assert ramp_in["durationS"] == 1.0
        peer.reply(type="done", id=ramp_in["id"], outcome="done")
    first = peer.next_message("set_target")
    if name == "hello_wave":
        resting = WELCOME["state"]["joints"]["antennas"]
        assert first == {"type": "set_target", "antennas": pytest.approx(resting, abs=0.01)}
    else:
        assert set(first) == {"type", "head", "antennas", "bodyYaw"}
    started_s = time.monotonic()
    for _ in range(20):
        peer.next_message("set_target")
    assert 0.2 < time.monotonic() - started_s < 2  # 20 ticks of 0.02 s
    asked_s = time.monotonic()
    if how == "interrupt":
        app.send_signal(signal.SIGINT)
    else:
        peer.reply(type="stop")
    said = [first_line(app) for _ in range(3)]
    stopped_s = time.monotonic() - asked_s
    _, errors = app.communicate(timeout=3)
    print(f"\n{name}: last word {stopped_s * 1000:.0f} ms after the {how}")
    assert stopped_s < 0.5  # 0.1 on a machine with nothing else to do
    assert (app.returncode, errors) == (0, "")
    assert {
        "hello_wave": ["Hello! Waving.", "Bye. I waved for 0 s.", ""],
        "dance": [
            "Getting into position. 104 beats a minute.",
            "Bar 1: nod.",
            "Thank you. Bars danced: 1.",
        ],
    }[name] == said


@pytest.mark.parametrize("name", ["hello_wave", "dance"])
def test_a_sample_has_what_an_app_has(name: str) -> None:
    folder = SAMPLES / name
    for path in ("index.html", "style.css", "pyproject.toml", "README.md", f"{name}/__init__.py"):
        assert (folder / path).is_file()
    front_matter = (folder / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    for line in ("sdk: static", "tags:", "  - robot_python_app", "title: ", "emoji: "):
        assert line in front_matter
