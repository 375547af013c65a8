"""The page of an app without FastAPI, over HTTP."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from peer import Peer
from programs import start_app
from test_settings_page import add_static_files, free_port, needs_fastapi

from robot import Robot, RobotApp
from robot._page.plain_app import PlainApp
from robot._page.settings_page import create_settings_app, served


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)


def ask(
    port: int, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, str, str, dict[str, str]]:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    sent = {"Host": f"localhost:{port}", "Content-Type": "application/json"}
    sent.update({name.replace("_", "-"): value for name, value in headers.items()})
    try:
        connection.request(method, path, body, sent)
        reply = connection.getresponse()
        kind = (reply.headers["Content-Type"] or "").replace('"', "")
        return reply.status, kind, reply.read().decode(), dict(reply.headers)
    finally:
        connection.close()


@contextmanager
def page(static: Path) -> Iterator[int]:
    """A page with some routes on a free port."""
    app = create_settings_app(str(static))
    speeds = {"speed": 1.0}

    @app.get("/speed")
    def speed() -> dict[str, float]:
        return speeds

    @app.put("/speed")
    def change(wanted: dict[str, float]) -> dict[str, float]:
        speeds.update(wanted)
        return speeds

    @app.post("/sound")
    def sound() -> None:
        pass

    @app.delete("/speed")
    def forget() -> list[Any]:
        return ["ü", 1, None]

    @app.get("/style.css")
    def style() -> str:
        return "mine"

    port = free_port()
    with served(app, f"http://localhost:{port}"):
        yield port


REQUESTS = [
    ("GET", "/speed", None),
    ("GET", "/speed?time=1", None),
    ("PUT", "/speed", b'{"speed": 2.5}'),
    ("GET", "/speed", None),
    ("POST", "/sound", None),
    ("DELETE", "/speed", None),
    ("GET", "/style.css", None),
    ("GET", "/static/style.css", None),
    ("GET", "/", None),
    ("HEAD", "/main.js", None),
    ("GET", "/main.js", None),
    ("GET", "/static/main.js", None),
]
REFUSED = [
    ("GET", "/nothing", None),
    ("GET", "/../secret.txt", None),
    ("GET", "/static/%2e%2e/%2e%2e/secret.txt", None),
    ("GET", "/outside.txt", None),
    ("PATCH", "/speed", b"{}"),
    ("PUT", "/speed", b"[1]"),
    ("PUT", "/speed", b"no JSON"),
    ("PUT", "/speed", None),
]


def replies(folder: Path) -> list[tuple[int, str, str]]:
    with page(folder / "static") as port:
        answered = [ask(port, *request)[:3] for request in REQUESTS]
        refused = [(ask(port, *request)[0], "", "") for request in REFUSED]
    return answered + refused


def links_outside(folder: Path) -> None:
    add_static_files(folder)
    (folder / "static" / "outside.txt").symlink_to(folder / "secret.txt")


@needs_fastapi
def test_it_answers_like_fastapi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    links_outside(tmp_path)
    with_fastapi = replies(tmp_path)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert replies(tmp_path) == with_fastapi


@pytest.mark.usefixtures("plain")
def test_routes_come_before_files_and_nothing_outside_is_served(tmp_path: Path) -> None:
    links_outside(tmp_path)
    script = "text/javascript; charset=utf-8"
    assert replies(tmp_path) == [
        (200, "application/json", '{"speed":1.0}'),
        (200, "application/json", '{"speed":1.0}'),
        (200, "application/json", '{"speed":2.5}'),
        (200, "application/json", '{"speed":2.5}'),
        (200, "application/json", "null"),
        (200, "application/json", '["ü",1,null]'),
        (200, "application/json", '"mine"'),
        (200, "text/css; charset=utf-8", "this is style.css"),
        (200, "text/html; charset=utf-8", "this is index.html"),
        (200, script, ""),
        (200, script, "this is main.js"),
        (200, script, "this is main.js"),
        *[(status, "", "") for status in (404, 404, 404, 404, 405, 422, 422, 422)],
    ]


@pytest.mark.usefixtures("plain")
def test_other_sites_are_refused_and_answers_are_closed_to_frames(tmp_path: Path) -> None:
    add_static_files(tmp_path)
    with page(tmp_path / "static") as port:
        own = ask(port, "GET", "/")
        foreign = ask(port, "PUT", "/speed", b"{}", Origin="https://evil.example")
        renamed = ask(port, "GET", "/", Host="evil.example")
        large = ask(port, "PUT", "/speed", b'"' + b"a" * 1024 * 1024 + b'"')
        lengthless = ask(port, "PUT", "/speed", Transfer_Encoding="chunked")
    assert [each[0] for each in (own, foreign, renamed, large, lengthless)] == [
        200,
        403,
        403,
        413,
        413,
    ]
    assert own[3]["x-frame-options"] == "SAMEORIGIN"
    assert own[3]["Cache-Control"] == "no-store"


@pytest.mark.usefixtures("plain")
def test_a_client_that_is_refused_while_it_sends_reads_why(tmp_path: Path) -> None:
    add_static_files(tmp_path)
    body = b"a" * 8 * 1024 * 1024
    with page(tmp_path / "static") as port:
        assert ask(port, "PUT", "/speed", body)[0] == 413
        assert ask(port, "PUT", "/speed", body, Origin="https://evil.example")[0] == 403


def build_routes(app: PlainApp) -> Iterator[Any]:
    def with_number(speed: float) -> None: ...
    def with_two(a: dict[str, int], b: dict[str, int]) -> None: ...
    async def later() -> None: ...

    yield lambda: app.get("/x")(with_number)
    yield lambda: app.put("/x")(with_two)
    yield lambda: app.get("/x")(later)
    yield lambda: app.get("/x/{name}")
    yield lambda: app.get("/x", response_class=None)


def test_what_only_fastapi_has_says_so(tmp_path: Path) -> None:
    app = PlainApp(str(tmp_path))
    needed = r"needs FastAPI for .+\. Depend on robot-sdk\[baseline\]"
    for add in build_routes(app):
        with pytest.raises(ImportError, match=needed):
            add()
    with pytest.raises(AttributeError, match=needed):
        app.mount  # noqa: B018


@pytest.mark.usefixtures("plain")
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


BROKEN_ROUTE = """
import sys
sys.modules["fastapi"] = None
import threading
from urllib.error import HTTPError
from urllib.request import urlopen
from robot import RobotApp

class App(RobotApp):
    custom_app_url = "http://localhost:{port}"

    def run(self, robot, stop_event):
        @self.settings_app.get("/broken")
        def broken():
            raise ValueError("no such speed")

        @self.settings_app.get("/slow")
        def slow():
            asked.set()
            threading.Event().wait(20)

        asked = threading.Event()
        try:
            urlopen("http://127.0.0.1:{port}/broken")
        except HTTPError as error:
            print(error.code)
        threading.Thread(
            target=lambda: urlopen("http://127.0.0.1:{port}/slow"), daemon=True
        ).start()
        print(asked.wait(20))
"""


def test_an_error_of_a_route_is_shown_and_a_slow_one_does_not_keep_the_app(
    peer: Peer, tmp_path: Path
) -> None:
    app = start_app(tmp_path, BROKEN_ROUTE.replace("{port}", str(free_port())), peer.url)
    output, errors = app.communicate(timeout=15)
    assert output == "500\nTrue\n"
    assert errors.endswith("ValueError: no such speed\n")
    assert errors.count("Traceback") == 1
