"""`robot.endpoints`, against a real HTTP server."""

from __future__ import annotations

import copy
import json
import pickle
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import in_background
from model_server import DONE, Handler, ModelServer, piece, reply
from peer import Peer
from programs import start_app

from robot import AppStopping, EndpointError, Robot, RobotError
from robot._endpoint.requests import outgoing_request
from robot.endpoints import Endpoint, EndpointMissing, Endpoints

KEY = "rd_run_secret"
CHAT = 'The endpoint lab/chat (need "chat")'


@pytest.fixture
def server() -> Iterator[ModelServer]:
    started = ModelServer()
    yield started
    started.close()


@pytest.fixture
def stop_event() -> threading.Event:
    return threading.Event()


@pytest.fixture
def chat(server: ModelServer, stop_event: threading.Event) -> Endpoint:
    return endpoint_at(server.url, stop_event)


def endpoint_at(url: str, stop_event: threading.Event | None = None) -> Endpoint:
    environment = {
        "ROBOT_ENDPOINT_CHAT_URL": url,
        "ROBOT_ENDPOINT_CHAT_MODEL": "tiny/model",
        "ROBOT_ENDPOINT_CHAT_KEY": KEY,
        "ROBOT_ENDPOINT_CHAT_NAME": "lab/chat",
    }
    return Endpoints(environment, stop_event or threading.Event())["chat"]


def streaming(*chunks: str, ends: bool = True) -> Callable[[Handler], None]:
    def answer(handler: Handler) -> None:
        handler.begin_events()
        for chunk in chunks:
            handler.send_chunk(chunk)
        if ends:
            handler.end_chunks()

    return answer


def refusing(status: int, message: str, code: str = "") -> Callable[[Handler], None]:
    body = {"error": {"message": message, "type": "x", "param": None, "code": code}}
    return lambda handler: handler.send_json(body, status)


def test_the_robot_has_the_endpoints_of_the_environment(
    robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        ("CHAT_URL", "http://127.0.0.1:8000/lab/chat/v1/"),
        ("CHAT_MODEL", "tiny/model"),
        ("CHAT_KEY", KEY),
        ("CHAT_NAME", "lab/chat"),
        ("CHAT_URL_URL", "http://localhost:11434/v1"),
        ("EMPTY_URL", ""),
        ("_URL", "http://localhost:1/v1"),
    ):
        monkeypatch.setenv(f"ROBOT_ENDPOINT_{name}", value)
    assert list(robot.endpoints) == ["chat", "chat_url"]
    assert ("chat" in robot.endpoints, "ear" in robot.endpoints) == (True, False)
    chat = robot.endpoints["chat"]
    assert (chat.need, chat.name, chat.model, chat.key, chat.url) == (
        "chat",
        "lab/chat",
        "tiny/model",
        KEY,
        "http://127.0.0.1:8000/lab/chat/v1",
    )
    by_hand = robot.endpoints["chat_url"]
    assert (by_hand.name, by_hand.model, by_hand.key) == ("chat_url", "", "")
    assert robot.endpoints.get("ear") is None
    assert KEY not in f"{chat!r} {robot.endpoints!r} {vars(robot.endpoints['chat_url'])}"


def test_a_missing_endpoint_is_a_key_error_with_what_there_is_and_what_to_do() -> None:
    some = Endpoints({"ROBOT_ENDPOINT_EAR_URL": "http://x/v1"}, threading.Event())
    with pytest.raises(KeyError) as raised:
        some["chat"]
    text = (
        'This app has no endpoint for "chat". It has one for "ear". Choose one on the app\'s page '
        "in Robot Desktop, which asks for the models that [tool.robot.needs] of pyproject.toml "
        "declares."
    )
    assert raised.value.args[0] == text
    assert str(pickle.loads(pickle.dumps(raised.value))) == text
    # The daemon shows this line; a plain KeyError would put quotes and backslashes into it.
    last_line = traceback.format_exception_only(raised.value)[-1]
    assert last_line == f"robot.endpoints.EndpointMissing: {text}\n"
    with pytest.raises(RobotError, match='for "Chat". It has one for "ear"'):
        some["Chat"]
    with pytest.raises(EndpointMissing, match='for "EAR". Choose one'):
        Endpoints({}, threading.Event())["EAR"]
    assert [] not in some  # type: ignore[comparison-overlap]


def test_a_text_is_answered(chat: Endpoint, server: ModelServer) -> None:
    assert chat.chat("Who are you?", temperature=0, max_tokens=20) == "Hello."
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("POST", "/lab/chat/v1/chat/completions")
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.json == {
        "model": "tiny/model",
        "messages": [{"role": "user", "content": "Who are you?"}],
        "stream": False,
        "temperature": 0,
        "max_tokens": 20,
    }


def test_a_conversation_is_sent_as_it_is(chat: Endpoint, server: ModelServer) -> None:
    messages = [{"role": "system", "content": "Be brief. 🙂"}, {"role": "user", "content": "Hi"}]
    server.answer = lambda handler: handler.send_json(reply(None))
    assert chat.chat(messages) == ""
    assert server.asked[0].json == {"model": "tiny/model", "messages": messages, "stream": False}


def test_pieces_arrive_while_the_model_writes(chat: Endpoint, server: ModelServer) -> None:
    goes_on = threading.Event()

    def answer(handler: Handler) -> None:
        handler.begin_events()
        first = piece("Hé") + ": comment\n\n" + piece(None)
        for byte in first.encode():  # in any pieces of the network
            handler.send_chunk(bytes([byte]))
        assert goes_on.wait(30)
        handler.send_chunk(
            piece("llo") + piece("", finish_reason="stop") + 'data: {"choices": []}\n\n'
        )
        handler.send_chunk(DONE)
        handler.end_chunks()

    server.answer = answer
    pieces = chat.chat("Hi", stream=True)
    assert server.asked == []
    assert next(pieces) == "Hé"
    goes_on.set()
    assert list(pieces) == ["llo"]
    assert server.asked[0].json["stream"] is True


def test_a_server_that_does_not_stream_is_one_piece(chat: Endpoint) -> None:
    assert list(chat.chat("Hi", stream=True)) == ["Hello."]


def test_a_stream_that_ends_with_a_reason_needs_no_mark(
    chat: Endpoint, server: ModelServer
) -> None:
    server.answer = streaming(piece("a"), piece(None, finish_reason="length"))
    assert list(chat.chat("Hi", stream=True)) == ["a"]


def test_closing_the_stream_ends_the_request(
    chat: Endpoint, server: ModelServer, eventually: Any
) -> None:
    def answer(handler: Handler) -> None:
        handler.begin_events()
        while True:
            handler.send_chunk(piece("more"))
            time.sleep(0.005)

    server.answer = answer
    pieces = chat.chat("Hi", stream=True)
    assert next(pieces) == "more"
    pieces.close()  # type: ignore[attr-defined]
    assert server.clients_gone.wait(30)


def test_texts_become_vectors(chat: Endpoint, server: ModelServer) -> None:
    rows = [{"index": 1, "embedding": [3, 4]}, {"index": 0, "embedding": [1, 2.5]}]
    server.answer = lambda handler: handler.send_json({"data": rows})
    assert [list(row) for row in chat.embed(["a", "b"])] == [[1, 2.5], [3, 4]]
    assert server.asked[0].path == "/lab/chat/v1/embeddings"
    assert server.asked[0].json == {"model": "tiny/model", "input": ["a", "b"]}
    server.answer = lambda handler: handler.send_json({"data": rows[1:]})
    assert list(chat.embed("a")) == [1, 2.5]
    assert list(chat.embed([])) == []
    with pytest.raises(EndpointError, match="without the embeddings of these texts"):
        chat.embed(["a", "b"])


def test_any_request_can_be_sent(chat: Endpoint, server: ModelServer) -> None:
    server.answer = lambda handler: handler.send_json({"ok": True})
    assert chat.request("rerank?top=1", {"query": "q"}) == {"ok": True}
    assert chat.request("/health") == {"ok": True}
    assert chat.request("/", b"RIFF", content_type="audio/wav", method="put") == {"ok": True}
    assert [(each.method, each.path, each.body) for each in server.asked] == [
        ("POST", "/lab/chat/v1/rerank?top=1", b'{"query": "q"}'),
        ("GET", "/lab/chat/health", b""),
        ("PUT", "/lab/chat/", b"RIFF"),
    ]
    assert server.asked[2].headers["content-type"] == "audio/wav"

    def sound(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "audio/wav")
        handler.end_headers()
        handler.wfile.write(b"\xff\x00")

    server.answer = sound
    assert chat.request("audio/speech", {"input": "hi"}) == b"\xff\x00"


def test_a_request_cannot_leave_its_endpoint(chat: Endpoint, server: ModelServer) -> None:
    for path in ("//other.example/", "../other/v1", "/../../other", "a b", "x\r\nHost: y", "é"):
        with pytest.raises(ValueError, match="is not a path below"):
            chat.request(path)
    assert server.asked == []


@pytest.mark.parametrize(
    ("answer", "sentence", "status"),
    [
        (
            refusing(503, '"chat" is paused. Resume it to use it.', "endpoint_unavailable"),
            'cannot be used now: "chat" is paused. Resume it to use it.',
            503,
        ),
        (
            refusing(401, "The token is not valid."),
            (
                "refused the request (401): The token is not valid. "
                "The key of an app is valid until its run ends: start the app again."
            ),
            401,
        ),
        (
            refusing(403, "Not yours."),
            (
                "refused the request (403): Not yours. "
                "The key of an app is valid until its run ends: start the app again."
            ),
            403,
        ),
        (
            refusing(404, "No such endpoint.", "endpoint_not_found"),
            "does not exist any more. Choose another one on the app's page in Robot Desktop.",
            404,
        ),
        (
            refusing(
                500,
                "input (1200 tokens) is too large to process. increase the physical batch size "
                "(current batch size: 512)",
            ),
            (
                "failed (500): The text has 1200 tokens, and the endpoint takes at most 512 tokens "
                "at once. Shorten it, or send it in parts."
            ),
            500,
        ),
        (
            refusing(501, "This server does not support embeddings. Start it with `--embeddings`"),
            "failed (501): It does not serve embeddings. Use an endpoint whose task it is.",
            501,
        ),
        (refusing(404, "No such page."), "refused the request (404): No such page.", 404),
        (refusing(400, f"Bad\x1b[31m\nkey {KEY}"), "refused the request (400): Bad[31m key …", 400),
        (refusing(429, ""), "has too many requests.", 429),
        (
            refusing(502, "The model server crashed."),
            "failed (502): The model server crashed.",
            502,
        ),
        (lambda handler: handler.send_json("x", 500), "failed (500).", 500),
        (
            lambda handler: handler.send_json({}, 302, Location="/"),
            "refused the request (302).",
            302,
        ),
        (
            lambda handler: handler.send_json([]),
            "sent an answer that is not a chat completion.",
            None,
        ),
        (
            lambda handler: handler.send_json({"error": {"message": "No room."}}),
            "broke off its answer: No room.",
            None,
        ),
        (lambda handler: handler.wfile.write(b"no HTTP\r\n\r\n"), "broke off its answer.", None),
        (lambda handler: None, "broke off its answer.", None),
    ],
)
def test_a_failure_is_a_sentence_that_names_the_endpoint(
    chat: Endpoint,
    server: ModelServer,
    answer: Callable[[Handler], None],
    sentence: str,
    status: int | None,
) -> None:
    server.answer = answer
    for ask in (lambda: chat.chat("Hi"), lambda: list(chat.chat("Hi", stream=True))):
        with pytest.raises(EndpointError) as raised:
            ask()
        error = raised.value
        assert str(error) == f"{CHAT} {sentence}"
        assert (error.need, error.name, error.status) == ("chat", "lab/chat", status)
        assert isinstance(error, RobotError)
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            assert (str(again), again.need, again.status) == (str(error), "chat", status)


@pytest.mark.parametrize(
    ("chunks", "sentence"),
    [
        ([], "broke off its answer."),
        ([piece("a")], "broke off its answer."),
        ([piece("a"), "data: {\n\n"], "sent an answer that is not a chat completion."),
        ([piece("a"), 'data: {"choices": 3}\n\n'], "sent an answer that is not a chat completion."),
        (
            [piece("a"), 'data: {"error": {"message": "The context is full."}}\n\n'],
            "broke off its answer: The context is full.",
        ),
        (
            [piece("a"), 'error: {"code": 400, "message": "Full."}\n\n'],
            "broke off its answer: Full.",
        ),
        (["data: " + 5 * 2**20 * "x"], "sent a line that is too long."),
    ],
)
def test_a_stream_that_breaks_off_raises_after_its_pieces(
    chat: Endpoint, server: ModelServer, chunks: list[str], sentence: str
) -> None:
    server.answer = streaming(*chunks)
    got: list[str] = []
    with pytest.raises(EndpointError) as raised:
        got.extend(chat.chat("Hi", stream=True))
    assert str(raised.value) == f"{CHAT} {sentence}"


def test_a_killed_server_breaks_off_the_stream(chat: Endpoint, server: ModelServer) -> None:
    server.answer = streaming(piece("a"), ends=False)
    pieces = chat.chat("Hi", stream=True)
    assert next(pieces) == "a"
    with pytest.raises(EndpointError, match=r"broke off its answer\.$"):
        next(pieces)


def test_a_short_body_is_noticed(chat: Endpoint, server: ModelServer) -> None:
    def answer(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(b"abc")

    server.answer = answer
    with pytest.raises(EndpointError, match=r"broke off its answer\.$"):
        chat.request("x")


def test_an_endless_body_is_noticed(
    chat: Endpoint, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("robot._endpoint.exchange.MAX_ANSWER_BYTES", 2**20)
    server.answer = streaming(*(20 * [2**16 * "x"]))
    with pytest.raises(EndpointError, match=r"sent more than 1 MB\.$"):
        chat.request("x")


def test_an_unreachable_server_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(EndpointError) as raised:
        endpoint_at(f"http://127.0.0.1:{port}/v1").chat("Hi")
    assert str(raised.value) == (
        f"{CHAT} cannot be reached at http://127.0.0.1:{port}/v1/chat/completions: "
        "Connection refused."
    )


@pytest.mark.parametrize(
    "url", ["ftp://x/v1", "http://:80/v1", "http://x:99999/v1", "v1", "http://[/v1"]
)
def test_an_address_that_is_none_is_named(url: str) -> None:
    with pytest.raises(EndpointError, match="has an address that is not an http address"):
        endpoint_at(url).chat("Hi")


@pytest.mark.parametrize("url", ["http://localhost..example/v1", "http://nowhere.invalid/v1"])
def test_a_host_that_is_none_is_named(url: str) -> None:
    with pytest.raises(EndpointError, match="cannot be reached at http://"):
        endpoint_at(url).chat("Hi", timeout=20)


def test_a_server_without_tls_is_named(server: ModelServer) -> None:
    with pytest.raises(EndpointError, match="cannot be reached at https://"):
        endpoint_at(server.url.replace("http", "https")).chat("Hi", timeout=20)


def silent(handler: Handler) -> None:
    time.sleep(2)


def dripping(handler: Handler) -> None:
    handler.begin_events()
    for _ in range(40):
        handler.send_chunk(": still here\n\n")
        time.sleep(0.05)


@pytest.mark.parametrize("answer", [silent, dripping])
@pytest.mark.parametrize("stream", [False, True])
def test_a_slow_answer_is_given_up(
    chat: Endpoint, server: ModelServer, answer: Callable[[Handler], None], stream: bool
) -> None:
    server.answer = answer
    began_s = time.monotonic()
    with pytest.raises(EndpointError, match=r"did not answer within 0\.3 s\.$"):
        "".join(chat.chat("Hi", stream=stream, timeout=0.3))  # type: ignore[call-overload]
    assert 0.3 <= time.monotonic() - began_s < 1.5


def test_a_server_that_reads_nothing_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        endpoint = endpoint_at(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        with pytest.raises(EndpointError, match="did not answer within"):
            endpoint.request("x", bytes(2**26), timeout=0.5)


def test_the_timeout_of_a_stream_is_for_each_piece(chat: Endpoint, server: ModelServer) -> None:
    def answer(handler: Handler) -> None:
        handler.begin_events()
        for _ in range(6):
            time.sleep(0.1)
            handler.send_chunk(piece("a"))
        handler.send_chunk(DONE)
        handler.end_chunks()

    server.answer = answer
    got = []
    for each in chat.chat("Hi", stream=True, timeout=0.4):
        got.append(each)
        if len(got) == 3:
            time.sleep(0.5)  # the reader's own time does not count
    assert got == 6 * ["a"]


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
def test_every_timeout_is_finite(chat: Endpoint, timeout: float) -> None:
    for ask in (
        lambda: chat.chat("Hi", timeout=timeout),
        lambda: chat.chat("Hi", stream=True, timeout=timeout),
        lambda: chat.embed("Hi", timeout=timeout),
        lambda: chat.request("x", timeout=timeout),
    ):
        with pytest.raises(ValueError, match="timeout must be"):
            ask()
    with pytest.raises(ValueError, match="messages is empty"):
        chat.chat([])


@pytest.mark.parametrize("answer", [silent, dripping])
@pytest.mark.parametrize("stream", [False, True])
def test_a_stop_ends_a_call_that_waits(
    chat: Endpoint,
    server: ModelServer,
    stop_event: threading.Event,
    answer: Callable[[Handler], None],
    stream: bool,
    eventually: Any,
) -> None:
    stopped_s: list[float] = []

    def stop_once_asked() -> None:
        eventually(lambda: server.asked)
        time.sleep(0.1)  # so that a part of the answer is on its way
        stopped_s.append(time.monotonic())
        stop_event.set()

    server.answer = answer
    in_background(stop_once_asked)
    with pytest.raises(AppStopping, match="waited for the endpoint lab/chat"):
        "".join(chat.chat("Hi", stream=stream))  # type: ignore[call-overload]
    assert time.monotonic() - stopped_s[0] < 0.7
    with pytest.raises(AppStopping):
        chat.embed("Hi")
    assert len(server.asked) == 1


def test_an_app_that_waits_for_a_reply_stops_without_a_traceback(
    peer: Peer, server: ModelServer, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, eventually: Any
) -> None:
    monkeypatch.setenv("ROBOT_ENDPOINT_CHAT_URL", server.url)
    server.answer = lambda _: time.sleep(20)
    app = start_app(
        tmp_path,
        """
        class App(RobotApp):
            def run(self, robot, stop_event):
                print(robot.endpoints["chat"].chat("Hi"), flush=True)
        """,
        peer.url,
    )
    eventually(lambda: server.asked)
    peer.reply(type="stop")
    out, err = app.communicate(timeout=30)
    assert (app.returncode, out, err) == (0, "", "")


def test_an_app_that_does_not_catch_the_error_ends_with_its_sentence(
    peer: Peer, server: ModelServer, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_ENDPOINT_CHAT_URL", server.url)
    monkeypatch.setenv("ROBOT_ENDPOINT_CHAT_NAME", "lab/chat")
    server.answer = refusing(503, '"chat" has failed.')
    source = """
    class App(RobotApp):
        def run(self, robot, stop_event):
            robot.endpoints["chat"].chat("Hi")
    """
    app = start_app(tmp_path, source, peer.url)
    _, err = app.communicate(timeout=30)
    assert app.returncode == 1
    # The rules that diagnose crashes read this line.
    sentence = f'robot.endpoints.EndpointError: {CHAT} cannot be used now: "chat" has failed.'
    assert err.splitlines()[-1] == sentence


def test_the_body_is_json_that_every_server_reads(chat: Endpoint) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        chat.chat("Hi", temperature=float("nan"))
    assert json.loads(outgoing_request(chat.url, chat.key, "x", {"a": "é"}).body or b"") == {"a": "é"}
