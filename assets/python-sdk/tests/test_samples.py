"""The sample apps: their motions, and how they end."""

from __future__ import annotations

import json
import math
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from peer import WELCOME, Peer
from programs import environment, start_module
from test_settings_page import free_port, needs_fastapi

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


@pytest.fixture
def motion(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SAMPLES / "look_around"))
    return import_module("look_around.motion")


Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def look_around(
    peer: Peer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], AbstractContextManager[Ask]]:
    """Runs the app in `tmp_path` on a free port; yields a function that requests `/settings`."""
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(SAMPLES / "look_around"))

    @contextmanager
    def running() -> Iterator[Ask]:
        app = import_module("look_around.main").LookAround()
        port = free_port()
        app.custom_app_url = f"http://localhost:{port}"
        thread = threading.Thread(target=app.wrapped_run)
        thread.start()
        try:
            peer.next_message("goto_target")  # its page is served by then
            yield lambda *args: ask(f"http://127.0.0.1:{port}/settings", *args)
        finally:
            app.stop()
            thread.join(30)
        assert not thread.is_alive()

    return running


def ask(url: str, method: str = "GET", body: str | None = None) -> tuple[int, Any]:
    data = None if body is None else body.encode()
    request = Request(url, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


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


def test_the_wave_starts_smoothly_from_any_position(wave: ModuleType) -> None:
    for start in ([-0.1745, 0.1745], [-3.05, 3.05], [0.0, 0.0]):
        assert wave.antennas_at(0, start) == pytest.approx(start)
        path = [wave.antennas_at(step * STEP_S, start) for step in range(2000)]
        for antenna in (0, 1):
            angles = [at[antenna] for at in path]
            assert max(map(abs, angles)) <= math.pi
            assert max(speeds(angles)) < 6
            assert max(speeds(angles[400:])) < MAX_SPEED


@pytest.mark.torture
def test_looking_around_stays_within_limits_and_never_jumps_with_any_settings(
    motion: ModuleType,
) -> None:
    chance = random.Random(8042)
    moving = motion.Motion()
    poses = [motion.Pose()]
    for _ in range(300):
        # Sometimes at the extremes, for the largest changes.
        speed = chance.choice([2, 20, chance.uniform(2, 20)])
        amplitude = chance.choice([5, 40, chance.uniform(5, 40)])
        for _ in range(int(chance.uniform(0, 3) / STEP_S)):
            poses.append(moving.step(STEP_S, speed, amplitude))
    assert max(abs(pose.yaw_deg) for pose in poses) <= 40
    assert max(abs(pose.pitch_deg) for pose in poses) <= 6
    assert max(abs(angle) for pose in poses for angle in pose.antennas) <= 0.7
    paths = [
        [math.radians(pose.yaw_deg) for pose in poses],
        [math.radians(pose.pitch_deg) for pose in poses],
        [pose.antennas[0] for pose in poses],
        [pose.antennas[1] for pose in poses],
    ]
    for path in paths:
        assert max(speeds(path)) < MAX_SPEED
        velocities = [(after - before) / STEP_S for before, after in pairwise(path)]
        assert max(speeds(velocities)) < 20  # rad/s2: a jerk of one step would be hundreds


@pytest.mark.parametrize("step_s", [0.005, 0.02, 0.09])
def test_looking_around_keeps_the_set_pace(motion: ModuleType, step_s: float) -> None:
    moving = motion.Motion()
    assert moving.step(0, 10, 30) == motion.Pose()
    yaws = [moving.step(step_s, 10, 30).yaw_deg for _ in range(int(60 / step_s))]
    rounds = sum(before < 0 <= after for before, after in pairwise(yaws))
    assert rounds in (9, 10)
    assert (min(yaws), max(yaws)) == pytest.approx((-30, 30), abs=0.2)


def test_looking_around_resumes_after_a_pause(motion: ModuleType) -> None:
    moving = motion.Motion()
    before = [moving.step(0.02, 6, 30) for _ in range(500)][-1]
    after = moving.step(3600, 6, 30)
    assert abs(after.yaw_deg - before.yaw_deg) < 4
    assert moving.step(-1, 6, 30) == after


def test_looking_around_is_quick_to_import(tmp_path: Path) -> None:
    slow = "{'fastapi', 'uvicorn', 'pydantic', 'numpy'}"
    code = f"import sys, look_around.main; print(sorted({slow} & set(sys.modules)))"
    output = subprocess.check_output(
        [sys.executable, "-c", code],
        env=environment("", SAMPLES / "look_around"),
        cwd=tmp_path,
        text=True,
    )
    assert output == "[]\n"


@pytest.mark.torture
@needs_fastapi
def test_settings_are_kept_over_a_restart(
    look_around: Callable[[], AbstractContextManager[Ask]], tmp_path: Path
) -> None:
    with look_around() as settings:
        assert settings() == (200, {"speed": 6, "amplitude": 30})
        assert list(tmp_path.iterdir()) == []
        changed = (200, {"speed": 12.5, "amplitude": 40})
        assert settings("PUT", '{"speed": 12.5, "amplitude": 40}') == changed
        assert settings() == changed
    assert [path.name for path in tmp_path.iterdir()] == ["look_around_settings.json"]
    with look_around() as settings:
        assert settings() == changed


@needs_fastapi
def test_invalid_settings_change_nothing(
    look_around: Callable[[], AbstractContextManager[Ask]], tmp_path: Path
) -> None:
    refused = (
        422,
        {"detail": "Give a speed of 2 to 20 rounds a minute and an amplitude of 5 to 40 degrees."},
    )
    with look_around() as settings:
        for body in (
            '{"speed": 1.9, "amplitude": 30}',
            '{"speed": 21, "amplitude": 30}',
            '{"speed": 6, "amplitude": 4}',
            '{"speed": 6, "amplitude": 40.1}',
            '{"speed": NaN, "amplitude": 30}',
            '{"speed": 6, "amplitude": Infinity}',
            '{"speed": "6", "amplitude": 30}',
            '{"speed": true, "amplitude": 30}',
            '{"speed": 6}',
            "{}",
            "[]",
            '"\\ud800"',
            "speed=6",
            "",
        ):
            assert settings("PUT", body) == refused, body
        assert settings() == (200, {"speed": 6, "amplitude": 30})
        assert list(tmp_path.iterdir()) == []


@needs_fastapi
def test_settings_that_cannot_be_saved_are_not_applied(
    look_around: Callable[[], AbstractContextManager[Ask]], tmp_path: Path
) -> None:
    (tmp_path / "look_around_settings.tmp").mkdir()
    with look_around() as settings:
        status, output = settings("PUT", '{"speed": 12, "amplitude": 40}')
        assert status == 500
        assert output["detail"].startswith("The settings could not be saved: ")
        assert settings() == (200, {"speed": 6, "amplitude": 30})


@needs_fastapi
@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b"[]", b'{"speed": 6}', b'{"speed": 99, "amplitude": 30}']
)
def test_a_damaged_settings_file_gives_the_defaults(
    content: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.syspath_prepend(str(SAMPLES / "look_around"))
    module = import_module("look_around.settings")
    file = tmp_path / "look_around_settings.json"
    file.write_bytes(content)
    kept = module.SettingsFile(file)
    assert kept.current == module.DEFAULTS
    output = "look_around_settings.json cannot be used. Starting with the defaults.\n"
    assert capsys.readouterr().out == output
    wanted = module.Settings(speed=3, amplitude=8)
    kept.change(wanted)
    assert module.SettingsFile(file).current == wanted


@pytest.mark.torture
@needs_fastapi
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a child process")
@pytest.mark.parametrize("how", ["interrupt", "message"])
def test_looking_around_stops_at_once_while_its_page_is_open(
    peer: Peer, how: str, tmp_path: Path
) -> None:
    port = free_port()
    # On a free port: 8042 may be in use.
    (tmp_path / "elsewhere.py").write_text(
        "from look_around.main import LookAround\n"
        f"LookAround.custom_app_url = 'http://localhost:{port}'\n"
        "LookAround().wrapped_run()\n"
    )
    started_s = time.monotonic()
    app = start_module("elsewhere", peer.url, SAMPLES / "look_around", tmp_path)
    ramp_in = peer.next_message("goto_target")
    start_took_s = time.monotonic() - started_s
    assert (ramp_in["durationS"], ramp_in["bodyYaw"]) == (1.0, 0.0)
    began_s = time.monotonic()
    peer.done(ramp_in)
    first = peer.next_message("set_target")
    assert set(first) == {"type", "head", "antennas"}
    with urlopen(f"http://127.0.0.1:{port}/", timeout=30) as page:
        assert b"<title>Look around" in page.read()
    for _ in range(40):
        peer.next_message("set_target")
    assert time.monotonic() - began_s > 0.4  # 40 ticks of 0.02 s: it sends no faster
    asked_s = time.monotonic()
    if how == "interrupt":
        app.send_signal(signal.SIGINT)
    else:
        peer.reply(type="stop")
    output, errors = app.communicate(timeout=30)
    stopped_s = time.monotonic() - asked_s
    print(f"\nlook_around: ended {stopped_s * 1000:.0f} ms after the {how}")
    assert stopped_s < 1.5 + start_took_s  # on a busy machine both take longer
    assert (app.returncode, errors) == (0, "")
    assert output.splitlines() == [
        f"Facing forward. Settings: http://localhost:{port}",
        "6 rounds a minute, 30° to each side.",
        "Seen enough.",
    ]


@pytest.mark.torture
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a child process")
@pytest.mark.parametrize("how", ["interrupt", "message"])
@pytest.mark.parametrize("name", ["hello_wave", "dance"])
def test_a_sample_plays_and_stops_at_once(peer: Peer, name: str, how: str) -> None:
    app = start_module(f"{name}.main", peer.url, SAMPLES / name)
    assert peer.next_message("hello")["clientName"] == name
    began_s = time.monotonic()
    if name == "dance":
        ramp_in = peer.next_message("goto_target")
        assert ramp_in["durationS"] == 1.0
        began_s = time.monotonic()
        peer.done(ramp_in)
    first = peer.next_message("set_target")
    if name == "hello_wave":
        resting = WELCOME["state"]["joints"]["antennas"]
        assert first == {"type": "set_target", "antennas": pytest.approx(resting, abs=0.01)}
    else:
        assert set(first) == {"type", "head", "antennas", "bodyYaw"}
    for _ in range(40):
        peer.next_message("set_target")
    assert time.monotonic() - began_s > 0.4  # 40 ticks of 0.02 s: it sends no faster
    asked_s = time.monotonic()
    if how == "interrupt":
        app.send_signal(signal.SIGINT)
    else:
        peer.reply(type="stop")
    text, errors = app.communicate(timeout=30)
    ended_s = time.monotonic()
    print(f"\n{name}: ended {(ended_s - asked_s) * 1000:.0f} ms after the {how}")
    assert (app.returncode, errors) == (0, "")
    greeting, *middle, farewell = text.splitlines()
    count = int(re.findall(r"\d+", farewell)[0])
    if name == "hello_wave":
        assert [greeting, farewell] == ["Hello! Waving.", f"Bye. I waved for {count} s."]
        assert count <= ended_s - began_s + 0.5
    else:
        assert greeting == "Getting into position. 104 beats a minute."
        assert middle[0] == "Bar 1: nod."
        assert farewell == f"Thank you. Bars danced: {count}."
        assert len(middle) == count <= 1 + (ended_s - began_s) / (4 * 60 / 104)


@pytest.mark.parametrize("name", ["hello_wave", "dance", "look_around", "chat_reply"])
def test_a_sample_has_the_layout_of_an_app(name: str) -> None:
    folder = SAMPLES / name
    files = ("index.html", "style.css", "icon.svg", "pyproject.toml", "README.md")
    for path in (*files, f"{name}/__init__.py"):
        assert (folder / path).is_file()
    front_matter = (folder / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    for line in ("sdk: static", "tags:", "  - robot_python_app", "title: ", "emoji: "):
        assert line in front_matter


def test_the_landing_pages_with_the_robot_have_one_style() -> None:
    """Each folder is published alone, so each has a copy; only the movements in it differ."""
    templates = SAMPLES.parent / "app-templates"
    default, conversation, hello_wave, chat_reply, look_around = (
        (folder / "style.css").read_text(encoding="utf-8")
        for folder in (
            templates / "default",
            templates / "conversation",
            *(SAMPLES / name for name in ("hello_wave", "chat_reply", "look_around")),
        )
    )
    assert hello_wave == default
    assert chat_reply == conversation
    rest = (default, conversation, look_around)
    assert len({style.partition(".antenna {")[0] for style in rest}) == 1


@pytest.mark.parametrize("name", ["look_around", "chat_reply"])
def test_the_page_of_a_sample_loads_nothing_from_other_sites(name: str) -> None:
    pages = SAMPLES / name / name / "static"
    assert {path.name for path in pages.iterdir()} == {"index.html", "style.css", "main.js"}
    for path in pages.iterdir():
        addresses = re.findall(r"https?:[^'\"]*|@import.*", path.read_text(encoding="utf-8"))
        assert set(addresses) <= {"http://www.w3.org/2000/svg"}
