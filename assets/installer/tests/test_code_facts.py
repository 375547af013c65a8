"""The facts of `check_class --facts` about the ways in which authors write an app."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).parents[1] / "check_class"
HEAD = "from robot import RobotApp\n\n\n"


def facts_of(folder: Path, main: str, **others: str) -> dict[str, Any]:
    package = folder / "my_app"
    package.mkdir()
    for name, text in {"__init__": "", "main": HEAD + textwrap.dedent(main), **others}.items():
        (package / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    result = folder / "result.json"
    args = [sys.executable, "-I", "-S", "-B", PROGRAM, folder, "my_app.main", "App", result, "--facts"]
    ended = subprocess.run(args, capture_output=True, timeout=30, check=True)
    assert (ended.stdout, ended.stderr) == (b"", b"")
    facts: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))["facts"]
    return facts


@pytest.mark.parametrize(
    ("run", "is_async", "accepts"),
    [
        ("def run(self, robot, stop_event): ...", False, True),
        ("def run(self, robot, stop_event, /): ...", False, True),
        ("def run(self, robot, stop_event, more=1): ...", False, True),
        ("def run(self, *args): ...", False, True),
        ("def run(self, robot, stop_event, **more): ...", False, True),
        ("async def run(self, robot, stop_event): ...", True, True),
        ("def run(self, robot): ...", False, False),
        ("def run(self): ...", False, False),
        ("def run(self, robot, stop_event, more): ...", False, False),
        ("def run(self, robot, *, stop_event): ...", False, False),
        ("def run(robot, stop_event): ...", False, False),
    ],
)
def test_run_is_found_with_its_line_and_whether_it_can_be_called(
    tmp_path: Path, run: str, is_async: bool, accepts: bool
) -> None:
    facts = facts_of(tmp_path, f"class App(RobotApp):\n    x = 1\n\n    {run}\n")
    assert facts["run"] == {"file": "my_app/main.py", "line": 7, "isAsync": is_async, "accepts": accepts, "endless": None}


ENDLESS = """
class App(RobotApp):
    def run(self, robot, stop_event):
        phase = self.start()
        while True:
            robot.set_target(antennas=[phase, phase])
            if self.sound.is_set():
                for part in range(3):
                    if part == 2:
                        break
            time.sleep(0.02)

    def start(self):
        return 0.0


if __name__ == "__main__":
    app = App()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
"""


@pytest.mark.parametrize(
    "before_and_after",
    [("", ""), ("while True", "while 1"), ("time.sleep(0.02)", "stop_event.wait(0.02)"), ("stop_event", "stopping")],
)
def test_a_loop_that_nothing_ends_has_its_line(tmp_path: Path, before_and_after: tuple[str, str]) -> None:
    assert facts_of(tmp_path, ENDLESS.replace(*before_and_after))["run"]["endless"] == 8


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("while True", "while not stop_event.is_set()"),
        ("while True", "while self.goes_on"),
        ("time.sleep(0.02)", "if stop_event.wait(0.02): break"),
        ("time.sleep(0.02)", "if self.is_done: break"),
        ("time.sleep(0.02)", "if self.is_done: return"),
        ("time.sleep(0.02)", "if self.is_done: raise SystemExit"),
        ("time.sleep(0.02)", "self.pause(stop_event)"),
        ("time.sleep(0.02)", "sys.exit()"),
        ("time.sleep(0.02)", "robot.endpoints['chat'].chat('Hello')"),
        ("time.sleep(0.02)", "self.stop_event.wait(1)"),
        ("self.start()", "self.start(stop_event)"),
        ("self.start()", "threading.Thread(target=watch, args=(stop_event,)).start()"),
        ("self.start()", "partial(self.start, stop_event)"),
        ("def start(self)", "def stop(self)"),
        ("        return 0.0", "        signal.signal(signal.SIGTERM, end)"),
        ("        return 0.0", "        if self.stop_event.is_set(): raise Done"),
        ("def run(", "@stoppable\n    def run("),
        ("while True:", "for tick in range(10):"),
    ],
)
def test_a_loop_that_something_may_end_is_not_endless(tmp_path: Path, before: str, after: str) -> None:
    assert before in ENDLESS
    assert facts_of(tmp_path, ENDLESS.replace(before, after))["run"]["endless"] is None


def test_another_module_may_learn_of_the_stop(tmp_path: Path) -> None:
    assert facts_of(tmp_path, ENDLESS, quitting="from signal import signal\n")["run"]["endless"] is None


def test_the_apps_of_the_module_are_named(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, "class Helper: ...\n\n\nclass Nodder(RobotApp):\n    def run(self, robot, stop): ...\n")
    assert facts["apps"] == ["Nodder"]


def test_run_may_be_defined_by_a_base_of_another_module(tmp_path: Path) -> None:
    base = HEAD + "class Base(RobotApp):\n    def run(self, robot, stop_event): ...\n"
    facts = facts_of(tmp_path, "from .base import Base\nclass App(Base): ...\n", base=base)
    assert facts["run"]["file"] == "my_app/base.py"
    assert facts["class"] == {"file": "my_app/main.py", "line": 5}


@pytest.mark.parametrize(
    "main",
    [
        "class App(RobotApp):\n    run = print\n",
        "class App(RobotApp):\n    if 1:\n        def run(self, robot, stop_event): ...\n",
        "class App(RobotApp): ...\nApp.run = print\n",
        "class Mixin: ...\nclass App(Mixin, RobotApp): ...\n",
        "import other\nclass App(other.Base): ...\n",
    ],
)
def test_run_is_unknown_where_only_the_import_can_tell(tmp_path: Path, main: str) -> None:
    assert facts_of(tmp_path, main)["run"] is None


def test_run_is_missing(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, "class App(RobotApp):\n    def walk(self): ...\n")
    nowhere = {"file": "my_app/main.py", "line": None, "isAsync": False, "accepts": False, "endless": None}
    assert facts["run"] == nowhere


APP = "class App(RobotApp): ...\n"


@pytest.mark.parametrize(
    ("block", "wrapped_run", "stops"),
    [
        ("app = App()\n    try:\n        app.wrapped_run()\n    except KeyboardInterrupt:\n        app.stop()", True, True),
        ("app = App()\n    try:\n        app.wrapped_run()\n    finally:\n        app.stop()", True, True),
        ("App().wrapped_run()", True, False),
        ("app = App()\n    try:\n        app.wrapped_run()\n    except ValueError:\n        app.stop()", True, False),
        ("App().run(None, None)", False, False),
    ],
)
def test_the_main_block_is_read(tmp_path: Path, block: str, wrapped_run: bool, stops: bool) -> None:
    facts = facts_of(tmp_path, f'{APP}if __name__ == "__main__":\n    {block}\n')
    assert facts["main"] == {"file": "my_app/main.py", "line": 5, "wrappedRun": wrapped_run, "stops": stops}


def test_the_main_block_may_call_functions(tmp_path: Path) -> None:
    facts = facts_of(
        tmp_path,
        f"""{APP}
def start(app):
    try:
        app.wrapped_run()
    except (KeyboardInterrupt, SystemExit):
        app.stop()

def main():
    start(App())

if "__main__" == __name__:
    main()
""",
    )
    assert (facts["main"]["wrappedRun"], facts["main"]["stops"]) == (True, True)


def test_what_another_module_does_is_unknown(tmp_path: Path) -> None:
    block = 'if __name__ == "__main__":\n    start(App)\n'
    assert facts_of(tmp_path, f"from .cli import start\n{APP}{block}", cli="")["main"] is None


def test_without_a_block_there_is_no_line(tmp_path: Path) -> None:
    assert facts_of(tmp_path, APP)["main"]["line"] is None


def test_every_file_with_a_syntax_error_is_named(tmp_path: Path) -> None:
    late = "import os\nfrom __future__ import annotations\n"
    facts = facts_of(tmp_path, "def (:\n", late=late, moves="x = 1\nx = = 2\n", nulls="x = 1\0")
    assert [(error["file"], error["line"]) for error in facts["syntaxErrors"]] == [
        ("my_app/late.py", 2),
        ("my_app/main.py", 4),
        ("my_app/moves.py", 2),
        ("my_app/nulls.py", 1),
    ]
    assert facts["serves"] is None


@pytest.mark.parametrize(
    ("code", "serves"),
    [
        ("self.settings_app.get('/')", True),
        ("self.settings_app.get('/{path:path}')", True),
        ("add_routes(self.settings_app)", True),
        ("self.settings_app.put('/settings')", False),
        ("settings_app.get('/settings')", False),
        ("from fastapi import FastAPI", True),
        ("import http.server", True),
        ("page = 'fastapi'", False),
    ],
)
def test_code_that_serves_pages_is_recognized(tmp_path: Path, code: str, serves: bool) -> None:
    facts = facts_of(tmp_path, f"class App(RobotApp):\n    def run(self, robot, stop_event):\n        {code}\n")
    assert facts["serves"] is serves


def test_a_route_at_the_path_of_the_address_serves_the_page(tmp_path: Path) -> None:
    page = 'custom_app_url = "http://localhost:8042/ui/"'
    main = f"class App(RobotApp):\n    {page}\n\n    def run(self, robot, stop_event):\n        self.settings_app.get('/ui')\n"
    assert facts_of(tmp_path, main)["serves"] is True


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ('custom_app_url = "http://localhost:8042"', "http://localhost:8042"),
        ('custom_app_url: str = "http://localhost:8042"', "http://localhost:8042"),
        ("custom_app_url = None", None),
        ('custom_app_url = f"http://localhost:{1}"', None),
    ],
)
def test_the_address_of_the_page_has_its_line(tmp_path: Path, page: str, text: str | None) -> None:
    facts = facts_of(tmp_path, f"class App(RobotApp):\n    {page}\n")
    assert facts["page"] == {"file": "my_app/main.py", "line": 5, "text": text}
