"""An app's page may be used by itself, through links and by programs, not by other sites' pages."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_settings_page import free_port, needs_fastapi

from robot._page.guard import PageGuard
from robot._page.settings_page import create_settings_app, served

Headers = list[tuple[str, str]]

HOST = ("host", "localhost:8042")
OWN = ("origin", "http://localhost:8042")
CLOSED = [(b"x-frame-options", b"SAMEORIGIN"), (b"cross-origin-resource-policy", b"same-origin")]
UNKNOWN_NAME = "This page does not have that host name. Open http://localhost:8042."
FOREIGN = "Pages of other sites may not use this page."


def fetched(site: str, mode: str) -> Headers:
    return [HOST, ("sec-fetch-site", site), ("sec-fetch-mode", mode)]


def ask(
    headers: Headers,
    method: str = "GET",
    port: int = 8042,
    kind: str = "http",
    own_headers: list[tuple[bytes, bytes]] | None = None,
) -> list[dict[str, Any]]:
    """The answer to a request to an app that answers 200 with the headers `own_headers`."""
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if kind == "http":
            await send({"type": "http.response.start", "status": 200, "headers": own_headers or []})
        else:
            await send({"type": f"{kind} reached the app"})

    async def receive() -> Any:
        raise AssertionError("there is nothing to receive")

    async def send(message: Any) -> None:
        sent.append(message)

    scope: dict[str, Any] = {"type": kind}
    if kind != "lifespan":
        scope["headers"] = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    if kind == "http":
        scope["method"] = method
    asyncio.run(PageGuard(app, port)(scope, receive, send))
    return sent


def refusal(headers: Headers, method: str = "GET", port: int = 8042) -> str | None:
    start, *rest = ask(headers, method, port)
    if start["status"] == 200:
        return None
    assert start["status"] == 403
    sentence: str = rest[0]["body"].decode()
    return sentence


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Desk")


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("localhost:8042", 8042),
        ("LocalHost:8042", 8042),
        ("127.0.0.1:8042", 8042),
        ("192.168.1.20:8042", 8042),
        ("[::1]:8042", 8042),
        ("[fe80::1]:8042", 8042),
        ("desk:8042", 8042),
        ("DESK.local:8042", 8042),
        ("localhost:80", 80),
        ("localhost", 80),
        ("[::1]", 80),
    ],
)
def test_the_page_has_the_names_of_this_machine(host: str, port: int) -> None:
    assert refusal([("host", host)], port=port) is None


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8042",
        "localhost.evil.example:8042",
        "evil.local:8042",
        "desk.example:8042",
        "127.0.0.1.evil.example:8042",
        "[evil.example]:8042",
        "::1:8042",
        "2130706433:8042",
        "localhost",
        "localhost:80",
        "localhost:9000",
        "localhost:18042",
        "localhost:08042",
        "localhost:",
        "evil@localhost:8042",
        ":8042",
        "",
    ],
)
def test_any_other_name_or_port_is_refused(host: str) -> None:
    assert refusal([("host", host)]) == UNKNOWN_NAME


def test_at_port_80_another_port_is_refused_too() -> None:
    for host in ("localhost:9000", "[::1]:9000", "evil.example"):
        assert refusal([("host", host)], port=80) == UNKNOWN_NAME.replace("8042", "80")


def test_a_machine_without_a_name_accepts_no_empty_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "")
    assert refusal([("host", ":8042")]) == UNKNOWN_NAME


def test_there_must_be_exactly_one_host() -> None:
    assert refusal([]) == UNKNOWN_NAME
    assert refusal([HOST, HOST]) == UNKNOWN_NAME


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost:8042", "http://localhost:8042"),
        ("LOCALHOST:8042", "http://localhost:8042"),
        ("[::1]:8042", "http://[::1]:8042"),
    ],
)
def test_the_page_itself_may_do_everything(host: str, origin: str, method: str) -> None:
    headers = [("host", host), ("origin", origin), ("sec-fetch-site", "same-origin")]
    assert refusal(headers, method) is None


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://localhost:8000",
        "http://localhost",
        "https://localhost:8042",
        "http://127.0.0.1:8042",
        "http://localhost:8042.evil.example",
        "localhost:8042",
        "null",
        "",
    ],
)
def test_another_origin_is_refused(origin: str) -> None:
    assert refusal([HOST, ("origin", origin)], "GET") == FOREIGN
    assert refusal([HOST, ("origin", origin)], "POST") == FOREIGN
    # Neither an additional own origin nor the other headers of a foreign form make it valid.
    assert refusal([HOST, OWN, ("origin", origin)]) == FOREIGN
    form = [*fetched("cross-site", "navigate"), ("origin", origin)]
    assert refusal(form, "POST") == FOREIGN


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("site", ["cross-site", "same-site", "same-origin", "none"])
def test_a_link_from_any_site_is_accepted(site: str, method: str) -> None:
    assert refusal(fetched(site, "navigate"), method) is None


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_site_loads_or_sends_is_refused(site: str) -> None:
    for mode in ("no-cors", "cors", "same-origin", "websocket"):
        assert refusal(fetched(site, mode)) == FOREIGN
    assert refusal([HOST, ("sec-fetch-site", site)]) == FOREIGN
    assert refusal(fetched(site, "navigate"), "POST") == FOREIGN


def test_what_the_page_itself_loads_is_answered() -> None:
    for mode in ("no-cors", "cors", "same-origin"):
        assert refusal(fetched("same-origin", mode)) is None


def test_a_program_may_do_everything() -> None:
    for method in ("GET", "HEAD", "POST", "PUT", "DELETE"):
        assert refusal([HOST], method) is None
    assert refusal([HOST, ("sec-fetch-mode", "cors")]) is None  # The daemon's fetch() sends it.


def test_a_refusal_is_a_sentence_in_plain_text() -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"43"), *CLOSED]
    assert ask([HOST, ("origin", "null")]) == [
        {"type": "http.response.start", "status": 403, "headers": headers},
        {"type": "http.response.body", "body": FOREIGN.encode()},
    ]


def test_a_websocket_is_for_the_page_and_for_programs() -> None:
    reached = [{"type": "websocket reached the app"}]
    assert ask([HOST], kind="websocket") == reached
    assert ask([HOST, OWN], kind="websocket") == reached

    def closed(reason: str) -> list[dict[str, Any]]:
        return [{"type": "websocket.close", "code": 1008, "reason": reason}]

    foreign = ("origin", "https://evil.example")
    assert ask([HOST, foreign], kind="websocket") == closed(FOREIGN)
    assert ask(fetched("cross-site", "websocket"), kind="websocket") == closed(FOREIGN)
    assert ask(fetched("cross-site", "navigate"), kind="websocket") == closed(FOREIGN)
    assert ask([("host", "evil.example:8042")], kind="websocket") == closed(UNKNOWN_NAME)


def test_lifespan_events_are_passed_on() -> None:
    assert ask([], kind="lifespan") == [{"type": "lifespan reached the app"}]


def test_answers_cannot_be_framed_or_loaded_by_another_site() -> None:
    kept = (b"content-type", b"text/html")
    assert ask([HOST], own_headers=[kept]) == [
        {"type": "http.response.start", "status": 200, "headers": [kept, *CLOSED]}
    ]


@pytest.mark.parametrize("added", CLOSED)
def test_the_apps_own_headers_take_precedence(added: tuple[bytes, bytes]) -> None:
    own = (added[0].title(), b"its own")
    rest = [header for header in CLOSED if header != added]
    assert ask([HOST], own_headers=[own])[0]["headers"] == [own, *rest]


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a served page with an `index.html` and an answer to POSTs to `/set`."""
    (tmp_path / "index.html").write_text("the page")
    app = create_settings_app(str(tmp_path))
    app.post("/set")(lambda: "set")
    port = free_port()
    with served(app, f"http://0.0.0.0:{port}"):
        yield port


def say(port: int, request: str, *headers: str, body: str = "") -> tuple[str, str, str]:
    """The status line, headers and body of the answer to a raw request."""
    lines = [f"{request} HTTP/1.1", *headers, f"Content-Length: {len(body)}"]
    if not any("Upgrade" in header for header in headers):
        lines.append("Connection: close")
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall("\r\n".join([*lines, "", body]).encode())
        with connection.makefile(newline="") as answer:
            head, _, content = answer.read().partition("\r\n\r\n")
    status, _, rest = head.partition("\r\n")
    return status, rest, content


@needs_fastapi
def test_a_served_page_is_guarded(port: int) -> None:
    host = f"Host: localhost:{port}"
    status, headers, body = say(port, "GET /", host)
    assert (status, body) == ("HTTP/1.1 200 OK", "the page")
    assert "x-frame-options: SAMEORIGIN" in headers
    assert "cross-origin-resource-policy: same-origin" in headers
    status, _, body = say(port, "POST /set", host, f"Origin: http://localhost:{port}", body="{}")
    assert (status, body) == ("HTTP/1.1 200 OK", '"set"')

    status, headers, body = say(port, "GET /", f"Host: rebound.example:{port}")
    assert (status, body) == ("HTTP/1.1 403 Forbidden", UNKNOWN_NAME.replace("8042", str(port)))
    assert "content-type: text/plain" in headers
    assert say(port, "GET /", f"Host: localhost:{port + 1}")[0] == "HTTP/1.1 403 Forbidden"
    status, _, body = say(port, "POST /set", host, "Origin: https://evil.example", body="a=b")
    assert (status, body) == ("HTTP/1.1 403 Forbidden", FOREIGN)


@needs_fastapi
def test_a_websocket_of_another_site_is_not_opened(port: int) -> None:
    status, _, _ = say(
        port,
        "GET /live",
        f"Host: localhost:{port}",
        "Origin: https://evil.example",
        "Connection: Upgrade, close",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    assert status == "HTTP/1.1 403 Forbidden"
