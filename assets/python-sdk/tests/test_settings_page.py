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
            assert self.running.wait(5)

    Started.__module__ = "page_sample"
    yield Started
    for app in apps:
        app.stop()
        app.thread.join(5)  # type: ignore[attr-defined]


def add_static_files(folder: Path) -> None:
    (folder / "secret.txt").write_text("not for the page")
    static = folder / "static"
    static.mkdir()
    for name in ("index.html", "main.js", "style.css"):
        (static / name).write_text(f"this is {name}")


def get(port: int, path: str) -> tuple[int, str, str | None]:
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=3) as answer:
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
    app.thread.join(3)  # type: ignore[attr-defined]
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


def test_without_fastapi_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)

    class App(RobotApp):
        custom_app_url = "http://localhost:8042"

        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            raise AssertionError("it must not run")

    with pytest.raises(ImportError, match=r"needs FastAPI\. Depend on robot-sdk\[baseline\]"):
        _ = App().settings_app


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
