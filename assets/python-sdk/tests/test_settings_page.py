"""The page of an app, over HTTP."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from peer import Peer
from programs import start_app

from robot import Robot, RobotApp

needs_fastapi = pytest.mark.skipif(
    find_spec("fastapi") is None or find_spec("uvicorn") is None,
    reason="FastAPI and uvicorn are not installed here: the settings page was NOT tested",
)

SOURCE = """
import threading
from robot import RobotApp

class App(RobotApp):
    def __init__(self):
        super().__init__()
        self.running = threading.Event()

    def run(self, robot, stop_event):
        self.settings_app.get("/late")(lambda: {"added": "in run"})
        self.settings_app.get("/style.css")(lambda: "mine")
        self.running.set()
        stop_event.wait(20)
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@pytest.fixture
def new_app(
    peer: Peer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[type[RobotApp]]:
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    (tmp_path / "main.py").write_text(SOURCE)
    spec = spec_from_file_location("page_sample", tmp_path / "main.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "page_sample", module)
    spec.loader.exec_module(module)
    apps: list[RobotApp] = []

    class Started(module.App):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.thread = threading.Thread(target=self.wrapped_run)
            apps.append(self)

        def start(self) -> None:
            self.thread.start()
            assert self.running.wait(30)

    Started.__module__ = "page_sample"
    yield Started
    for app in apps:
        app.stop()
        app.thread.join(30)  # type: ignore[attr-defined]


def add_static_files(folder: Path) -> None:
    (folder / "secret.txt").write_text("not for the page")
    static = folder / "static"
    static.mkdir()
    for name in ("index.html", "main.js", "style.css"):
        (static / name).write_text(f"this is {name}")


def get(port: int, path: str) -> tuple[int, str, str | None]:
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
            return answer.status, answer.read().decode(), answer.headers["Cache-Control"]
    except HTTPError as error:
        with error:
            return error.code, "", error.headers["Cache-Control"]


@needs_fastapi
def test_files_are_served_when_no_route_matches(new_app: type[RobotApp], tmp_path: Path) -> None:
    add_static_files(tmp_path)
    port = free_port()
    app = new_app()
    app.custom_app_url = f"http://0.0.0.0:{port}/"
    app.start()  # type: ignore[attr-defined]
    assert get(port, "/") == (200, "this is index.html", "no-store")
    assert get(port, "/static/main.js") == (200, "this is main.js", "no-store")
    assert get(port, "/main.js") == (200, "this is main.js", "no-store")
    assert get(port, "/static/style.css") == (200, "this is style.css", "no-store")
    assert get(port, "/style.css") == (200, '"mine"', None)
    assert get(port, "/late") == (200, '{"added":"in run"}', None)
    assert get(port, "/nothing")[0] == 404
    for path in ("/../secret.txt", "/static/../../secret.txt", "/static/%2e%2e/%2e%2e/secret.txt"):
        assert get(port, path)[0] == 404
    app.stop()
    app.thread.join(30)  # type: ignore[attr-defined]
    assert not app.thread.is_alive()  # type: ignore[attr-defined]
    with pytest.raises(OSError, match="refused"):
        get(port, "/")


@needs_fastapi
def test_a_package_without_static_files_still_has_its_routes(new_app: type[RobotApp]) -> None:
    port = free_port()
    app = new_app()
    app.custom_app_url = f"http://localhost:{port}"
    app.start()  # type: ignore[attr-defined]
    assert get(port, "/late")[0] == 200
    assert get(port, "/")[0] == 404


@needs_fastapi
def test_a_port_in_use_is_reported_in_one_sentence_and_the_app_runs(
    new_app: type[RobotApp], capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        app = new_app()
        app.custom_app_url = f"http://0.0.0.0:{port}"
        app.start()  # type: ignore[attr-defined]
    assert capfd.readouterr().err == (
        f"The settings page is not available: port {port} cannot be used "
        "(address already in use). The app runs on without it.\n"
    )


@needs_fastapi
def test_an_address_without_a_port_raises_an_error(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)

    class App(RobotApp):
        custom_app_url = "http://localhost"

        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            raise AssertionError("it must not run")

    with pytest.raises(ValueError, match="has no port"):
        App().wrapped_run()


def test_an_app_can_serve_its_page_itself(new_app: type[RobotApp]) -> None:
    class Own(new_app):  # type: ignore[misc, valid-type]
        custom_app_url = f"http://localhost:{free_port()}"
        dont_start_webserver = True

        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            self.running.set()
            stop_event.wait(20)

    app = Own()
    app.start()
    assert app._settings_app is None
    with pytest.raises(OSError, match="refused"):
        urlopen(app.custom_app_url, timeout=2)


IN_INIT = """
    def __init__(self):
        super().__init__()
        self.settings_app = own_page()
"""
BEFORE_INIT = """
    def __init__(self):
        self.settings_app = own_page()
        super().__init__()
"""
PROPERTY = """
    page = own_page()

    @property
    def settings_app(self):
        return self.page
"""
SETTINGS_APPS = {
    "a class attribute": "    settings_app = own_page()",
    "an annotated class attribute": "    settings_app: 'FastAPI | None' = own_page()",
    "an instance attribute": IN_INIT,
    "an instance attribute, before the base class": BEFORE_INIT,
    "an instance attribute over a class attribute": f"    settings_app = None\n{IN_INIT}",
    "a property": PROPERTY,
}
OWN_PAGE = """
import threading
from fastapi import FastAPI
from robot import RobotApp

def own_page():
    page = FastAPI()
    page.get("/")(lambda: "own")
    return page

class App(RobotApp):
    custom_app_url = "http://localhost:{port}"
{settings_app}

    def run(self, robot, stop_event):
        with urlopen("http://127.0.0.1:{port}/") as answer:
            print(answer.status, answer.read().decode())
"""


def run_page(peer: Peer, folder: Path, settings_app: str) -> str:
    source = OWN_PAGE.replace("{port}", str(free_port())).replace("{settings_app}", settings_app)
    app = start_app(folder, "\nfrom urllib.request import urlopen\n" + source, peer.url)
    output, errors = app.communicate(timeout=30)
    assert errors == ""
    return output


@pytest.mark.torture
@needs_fastapi
@pytest.mark.parametrize("settings_app", SETTINGS_APPS.values(), ids=SETTINGS_APPS)
def test_an_app_can_set_a_settings_app_of_its_own(
    peer: Peer, tmp_path: Path, settings_app: str
) -> None:
    assert run_page(peer, tmp_path, settings_app) == '200 "own"\n'


@pytest.mark.torture
@needs_fastapi
@pytest.mark.parametrize(
    "settings_app",
    [
        "    settings_app = None",
        "    settings_app: 'FastAPI'",
        "    def __init__(self):\n        super().__init__()\n        self.settings_app = None",
    ],
)
def test_a_settings_app_that_is_none_is_the_usual_one(
    peer: Peer, tmp_path: Path, settings_app: str
) -> None:
    static = tmp_path / "sample" / "static"
    static.mkdir(parents=True)
    (static / "index.html").write_text("usual")
    assert run_page(peer, tmp_path, settings_app) == "200 usual\n"


OPEN_REQUESTS = {
    "an endless stream": """
        @self.settings_app.get("/open")
        async def stream():
            async def pieces():
                while True:
                    yield b"piece"
                    await asyncio.sleep(0.05)
            return StreamingResponse(pieces())
""",
    "a stream from a thread": """
        @self.settings_app.get("/open")
        def stream():
            def pieces():
                while True:
                    yield b"piece"
                    time.sleep(0.05)
            return StreamingResponse(pieces())
""",
    "a slow answer": """
        @self.settings_app.get("/open")
        def slow():
            asked.set()
            time.sleep(20)
""",
}

OPEN_PAGE = """
import asyncio, threading, time
from http.client import HTTPException
from urllib.request import urlopen
from fastapi.responses import StreamingResponse
from robot import RobotApp

asked = threading.Event()

def ask():
    try:
        with urlopen("http://127.0.0.1:{port}/open") as answer:
            while answer.read(1):
                asked.set()
    except (OSError, HTTPException):
        pass

class App(RobotApp):
    custom_app_url = "http://127.0.0.1:{port}"

    def run(self, robot, stop_event):
{route}
        threading.Thread(target=ask, daemon=True).start()
        print(asked.wait(10))
"""


@pytest.mark.torture
@needs_fastapi
@pytest.mark.parametrize("route", OPEN_REQUESTS.values(), ids=OPEN_REQUESTS)
def test_the_end_of_an_app_with_an_open_request_leaves_no_traceback(
    peer: Peer, tmp_path: Path, route: str
) -> None:
    source = OPEN_PAGE.replace("{port}", str(free_port())).replace("{route}", route)
    app = start_app(tmp_path, source, peer.url)
    output, errors = app.communicate(timeout=30)
    assert (output, errors) == ("True\n", "")


@pytest.mark.torture
@needs_fastapi
def test_an_error_of_a_route_is_still_shown_while_the_app_ends(peer: Peer, tmp_path: Path) -> None:
    route = """
        @self.settings_app.get("/open")
        def slow():
            asked.set()
            time.sleep(0.5)
            raise ValueError("no such speed")
"""
    source = OPEN_PAGE.replace("{port}", str(free_port())).replace("{route}", route)
    _, errors = start_app(tmp_path, source, peer.url).communicate(timeout=30)
    assert "ValueError: no such speed" in errors
