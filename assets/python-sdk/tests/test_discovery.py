"""The robots that a program finds."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import in_background

from robot._wire import address
from robot.utils import discovery
from robot.utils.discovery import DiscoveredRobot, find_robots

Serve = Callable[[object], int]
DAEMON = {"name": "robot-daemon", "version": "1.2.3"}


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves a status on a port; None never answers."""
    servers = []

    def start(status: object) -> int:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if status is None:
                    time.sleep(2)
                    return
                assert self.path == "/api/daemon/status"
                body = json.dumps(status).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        server.block_on_close = False
        servers.append(server)
        in_background(server.serve_forever)
        return server.server_port

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    """Sets the ports of `ROBOT_DAEMON_URL` and of the default address; 0 for no variable."""

    def choose(own: int, default: int) -> None:
        monkeypatch.setenv("ROBOT_DAEMON_URL", f"http://127.0.0.1:{own}" if own else "")
        for module in (address, discovery):
            monkeypatch.setattr(module, "DEFAULT_DAEMON_URL", f"http://127.0.0.1:{default}")

    return choose


def test_a_daemon_is_found_by_its_address(serve: Serve, places: Callable[[int, int], None]) -> None:
    port = serve(DAEMON)
    places(port, 9)
    found = DiscoveredRobot("robot", "127.0.0.1", port, ["127.0.0.1"], {"version": "1.2.3"})
    assert find_robots() == find_robots(0.5) == find_robots(timeout=2.0) == [found]
    places(0, port)
    assert find_robots() == [found]
    places(port, port)
    assert find_robots() == [found]


def test_daemons_at_both_addresses_are_found(
    serve: Serve, places: Callable[[int, int], None]
) -> None:
    ports = [serve(DAEMON), serve({"name": "robot-daemon"})]
    places(*ports)
    robots = find_robots()
    assert [robot.port for robot in robots] == ports
    assert robots[1].properties == {"version": ""}


def test_no_daemon_gives_an_empty_list(places: Callable[[int, int], None]) -> None:
    places(0, 9)
    assert find_robots(timeout=0.5) == []


@pytest.mark.parametrize("answer", [{"name": "another"}, [], "robot-daemon", None])
def test_other_servers_are_no_robots(
    serve: Serve, places: Callable[[int, int], None], answer: object
) -> None:
    places(serve(answer), 9)
    started_s = time.monotonic()
    assert find_robots(timeout=0.3) == []
    assert time.monotonic() - started_s < 1.8


def test_the_token_goes_only_to_the_daemon_that_it_is_for(
    serve: Serve, places: Callable[[int, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, object]] = []
    monkeypatch.setenv("ROBOT_DAEMON_TOKEN", "rd_user")
    own, default = serve(DAEMON), serve(DAEMON)
    places(own, default)
    real = HTTPConnection.request

    def request(connection: HTTPConnection, method: str, url: str, headers: dict[str, str]) -> None:
        seen.append((connection.port, headers.get("Authorization")))
        real(connection, method, url, headers=headers)

    monkeypatch.setattr(HTTPConnection, "request", request)
    assert [robot.port for robot in find_robots()] == [own, default]
    assert seen == [(own, "Bearer rd_user"), (default, None)]
