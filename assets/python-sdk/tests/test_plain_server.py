"""The server of a page without FastAPI, with requests and with clients that misbehave."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from conftest import in_background

from robot._page import plain_server
from robot._page.plain_app import PlainApp
from robot._page.plain_server import PlainServer

MAX_BODY_BYTES = 1024 * 1024
TEXT = "text/plain; charset=utf-8"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PlainServer]:
    """A page with a file and a route, which answers requests."""
    static = tmp_path / "static"
    static.mkdir()
    (static / "main.js").write_text("go()")
    app = PlainApp(str(static))
    app.post("/length")(length)
    listener = socket.create_server(("127.0.0.1", 0))
    serving = PlainServer(app, listener, listener.getsockname()[1])
    threading.Thread(target=serving.serve_forever, args=(0.01,), daemon=True).start()
    yield serving
    serving.shutdown()
    serving.server_close()


def length(wanted: dict[str, str]) -> int:
    return len(wanted["text"])


def say(server: PlainServer, request: str, *headers: str, body: bytes = b"") -> tuple[str, str]:
    """The head and the body of the answer to a raw request of this machine."""
    port = server.server_address[1]
    lines = [f"{request} HTTP/1.1", f"Host: localhost:{port}", *headers, "", ""]
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall("\r\n".join(lines).encode() + body)
        with connection.makefile("rb") as answer:
            head, _, content = answer.read().decode().partition("\r\n\r\n")
    return head, content


def status(answer: tuple[str, str]) -> int:
    return int(answer[0].split(" ")[1])


def fields(answer: tuple[str, str]) -> dict[str, str]:
    lines = [line.partition(": ") for line in answer[0].split("\r\n")[1:]]
    return {name.lower(): value for name, _, value in lines if name.lower() != "date"}


CLOSED = {"x-frame-options": "SAMEORIGIN", "cross-origin-resource-policy": "same-origin"}


def test_a_file_and_the_answer_of_a_route_have_their_headers(
    server: PlainServer, capfd: pytest.CaptureFixture[str]
) -> None:
    file = say(server, "GET /main.js")
    assert (status(file), file[1]) == (200, "go()")
    assert fields(file) == {
        "server": "robot-sdk",
        "content-type": "text/javascript; charset=utf-8",
        "content-length": "4",
        "cache-control": "no-store",
        **CLOSED,
    }
    head = say(server, "HEAD /main.js")
    assert (status(head), head[1], fields(head)) == (200, "", fields(file))
    route = say(server, "POST /length", "Content-Length: 13", body=b'{"text":"ab"}')
    assert (status(route), route[1]) == (200, "2")
    assert fields(route) == {
        "server": "robot-sdk",
        "content-type": "application/json",
        "content-length": "1",
        **CLOSED,
    }
    assert capfd.readouterr() == ("", "")  # no log of requests


def test_the_path_of_a_request_is_decoded_and_has_no_query(server: PlainServer) -> None:
    assert [status(say(server, f"GET {path}")) for path in ("/m%61in.js", "/main.js?a=/b?c")] == [
        200,
        200,
    ]
    assert status(say(server, "GET /main.js%3Fa")) == 404


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "GET"])
def test_every_method_is_answered_by_the_page(server: PlainServer, method: str) -> None:
    answer = say(server, f"{method} /length")
    assert (status(answer), answer[1]) == (405, '{"detail":"Wrong method"}')


@pytest.mark.parametrize(
    "header",
    ["Content-Length: -1", "Content-Length: ten", "Content-Length: 1_0", "Content-Length: 0x10"]
    + ["Content-Length: 0000000001", f"Content-Length: {MAX_BODY_BYTES + 1}"]
    + ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
)
def test_a_body_that_is_too_large_or_has_no_length_is_refused(
    server: PlainServer, header: str
) -> None:
    answer = say(server, "POST /length", header)
    assert (status(answer), fields(answer)["content-type"]) == (413, TEXT)
    assert answer[1] == "The body is too large, or has no length."


def test_a_body_of_a_megabyte_is_accepted(server: PlainServer) -> None:
    size = MAX_BODY_BYTES - len('{"text":""}')
    body = b'{"text":"' + b"a" * size + b'"}'
    answer = say(server, "POST /length", f"Content-Length: {MAX_BODY_BYTES}", body=body)
    assert (status(answer), answer[1]) == (200, str(size))


def test_another_site_is_refused_in_plain_text_before_its_body_is_read(server: PlainServer) -> None:
    answer = say(server, "POST /length", "Origin: https://evil.test", "Content-Length: 9")
    assert (status(answer), fields(answer)["content-type"]) == (403, TEXT)
    assert answer[1] == "Pages of other sites may not use this page."


def test_a_client_that_reads_to_the_end_need_not_wait(
    server: PlainServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_server, "_UNREAD_S", 30)
    started_s = time.monotonic()
    assert say(server, "GET /main.js")[1] == "go()"
    assert time.monotonic() - started_s < 5


def ended(server: PlainServer, limits: dict[str, float], send: bytes) -> tuple[float, bytes, bool]:
    """Ends a connection whose client sends `send` again and again.

    Returns:
        The seconds that it took, what the client read, and whether it could go on sending.
    """
    ours, theirs = socket.socketpair()
    goes_on = True

    def go_on() -> None:
        nonlocal goes_on
        try:
            while send:
                theirs.sendall(send)
        except OSError:
            goes_on = False

    sending = in_background(go_on)
    with pytest.MonkeyPatch.context() as patch, closing(theirs):
        for name, value in limits.items():
            patch.setattr(plain_server, name, value)
        started_s = time.monotonic()
        server.shutdown_request(ours)
        took_s = time.monotonic() - started_s
        sending.join(10)
        assert ours.fileno() == -1
        try:
            read = theirs.recv(10)
        except OSError:
            read = b""
    return took_s, read, goes_on


def test_a_refused_client_that_is_silent_is_left_after_a_while(server: PlainServer) -> None:
    took_s, read, _ = ended(server, {"_UNREAD_S": 0.05}, b"")
    assert read == b""
    assert 0.04 <= took_s < 1


def test_a_refused_client_that_never_stops_sending_is_left(server: PlainServer) -> None:
    by_time_s, _, goes_on = ended(server, {"_UNREAD_S": 0.05, "_MAX_UNREAD_BYTES": 2**60}, b"a" * 9)
    assert (0.04 <= by_time_s < 1, goes_on) == (True, False)
    by_size_s, _, goes_on = ended(server, {"_UNREAD_S": 30, "_MAX_UNREAD_BYTES": 10**5}, b"a" * 999)
    assert (by_size_s < 5, goes_on) == (True, False)


def test_a_client_that_has_gone_is_no_error(server: PlainServer) -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    server.shutdown_request(ours)
    assert ours.fileno() == -1
    server.shutdown_request(ours)  # is closed already


@pytest.mark.parametrize(
    ("error", "is_told"),
    [(ConnectionResetError("gone"), False), (TimeoutError("slow"), False), (KeyError("x"), True)],
)
def test_only_errors_that_are_not_of_the_connection_are_printed(
    server: PlainServer, capsys: pytest.CaptureFixture[str], error: Exception, is_told: bool
) -> None:
    try:
        raise error
    except Exception:
        server.handle_error(None, None)
    printed = capsys.readouterr().err
    assert ("Traceback" in printed, "KeyError: 'x'" in printed) == (is_told, is_told)
