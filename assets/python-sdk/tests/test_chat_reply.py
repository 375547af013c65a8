"""The sample app `chat_reply`, with a model server and a browser's requests."""

from __future__ import annotations

import http.client
import json
import math
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from model_server import DONE, Handler, ModelServer, piece
from peer import Peer
from programs import environment
from test_settings_page import free_port

SAMPLE = Path(__file__).parents[2] / "sample-apps" / "chat_reply"
STEP_S = 0.005
MAX_SPEED = 4.0  # rad/s; the robot does 8


class Page:
    """The page of a running app, by HTTP."""

    def __init__(self, port: int) -> None:
        self.port = port

    def send(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)
        return connection.getresponse()

    def ask(self, body: object, **headers: str) -> http.client.HTTPResponse:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.send("POST", "/ask", data, **{"Content_Type": "application/json", **headers})

    def reply(self, text: str) -> list[Any]:
        return [json.loads(line) for line in self.ask({"text": text})]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    started = ModelServer()
    started.answer = streams("Nice ", "day.")
    yield started
    started.close()


@pytest.fixture
def page(
    peer: Peer, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Page]:
    """The page of the app, which runs in a thread."""
    for name, value in (
        ("ROBOT_DAEMON_URL", peer.url),
        ("ROBOT_ENDPOINT_CHAT_URL", server.url),
        ("ROBOT_ENDPOINT_CHAT_MODEL", "tiny"),
        ("ROBOT_ENDPOINT_CHAT_NAME", "lab/chat"),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.syspath_prepend(str(SAMPLE))
    app = import_module("chat_reply.main").ChatReply()
    port = free_port()
    app.custom_app_url = f"http://localhost:{port}"
    thread = threading.Thread(target=app.wrapped_run)
    thread.start()
    try:
        peer.done(peer.next_message("goto_target"))  # its page is served by then
        yield Page(port)
    finally:
        began_s = time.monotonic()
        app.stop()
        thread.join(30)
    assert not thread.is_alive()
    assert time.monotonic() - began_s < 2


def streams(*pieces: str) -> Any:
    def answer(handler: Handler) -> None:
        handler.begin_events()
        for each in pieces:
            handler.send_chunk(piece(each))
        handler.send_chunk(DONE)
        handler.end_chunks()

    return answer


def refuses(status: int, message: str) -> Any:
    return lambda handler: handler.send_json({"error": {"message": message}}, status)


def test_a_reply_streams_and_the_conversation_is_remembered(
    page: Page, server: ModelServer
) -> None:
    assert page.reply("Hello ☀") == [{"piece": "Nice "}, {"piece": "day."}, {"end": True}]
    server.answer = streams("Yes.")
    assert page.reply("Is it?") == [{"piece": "Yes."}, {"end": True}]
    first, second = (asked.json for asked in server.asked)
    assert (first["model"], first["stream"], first["max_tokens"]) == ("tiny", True, 160)
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert second["messages"][1:] == [
        {"role": "user", "content": "Hello ☀"},
        {"role": "assistant", "content": "Nice day."},
        {"role": "user", "content": "Is it?"},
    ]
    assert page.send("POST", "/forget", b"{}", Content_Type="application/json").status == 200
    page.reply("Again")
    assert len(server.asked[2].json["messages"]) == 2


def test_at_most_twelve_messages_are_remembered(page: Page, server: ModelServer) -> None:
    for _ in range(9):
        page.reply("Hi")
    assert len(server.asked[-1].json["messages"]) == 1 + 12 + 1


def test_the_pieces_arrive_one_by_one(page: Page, server: ModelServer) -> None:
    goes_on = threading.Event()

    def answer(handler: Handler) -> None:
        handler.begin_events()
        handler.send_chunk(piece("One"))
        assert goes_on.wait(30)
        handler.send_chunk(piece(" two") + DONE)
        handler.end_chunks()

    server.answer = answer
    response = page.ask({"text": "Count"})
    assert json.loads(response.readline()) == {"piece": "One"}
    busy = page.ask({"text": "Me too"})
    assert (busy.status, json.load(busy)) == (
        409,
        {"error": "The robot is answering already. Wait for its reply."},
    )
    goes_on.set()
    assert [json.loads(line) for line in response] == [{"piece": " two"}, {"end": True}]


@pytest.mark.torture
def test_the_robot_looks_up_while_it_waits_and_nods_while_it_answers(
    page: Page, server: ModelServer, peer: Peer
) -> None:
    goes_on = threading.Event()

    def answer(handler: Handler) -> None:
        handler.begin_events()
        assert goes_on.wait(30)
        handler.send_chunk(piece("Yes.") + DONE)
        handler.end_chunks()

    server.answer = answer
    asking = threading.Thread(target=page.reply, args=("Hi",))
    asking.start()
    wait_for_pitch(peer, lambda pitch_deg: pitch_deg < -6)
    goes_on.set()
    asking.join()
    wait_for_pitch(peer, lambda pitch_deg: pitch_deg > 9)
    wait_for_pitch(peer, lambda pitch_deg: pitch_deg < 0)
    wait_for_pitch(peer, lambda pitch_deg: abs(pitch_deg) < 0.5)


def wait_for_pitch(peer: Peer, is_it: Any) -> None:
    until_s = time.monotonic() + 20
    while time.monotonic() < until_s:
        head = peer.next_message("set_target")["head"]
        if is_it(math.degrees(math.asin(-head[8]))):
            return
    raise AssertionError("the head does not go there")


def test_a_failing_model_is_shown_and_the_app_goes_on(
    page: Page, server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.answer = refuses(503, '"chat" is paused. Resume it to use it.')
    response = page.ask({"text": "Hi"})
    sentence = (
        'The endpoint lab/chat (need "chat") cannot be used now: "chat" is paused. '
        "Resume it to use it."
    )
    assert (response.status, json.load(response)) == (502, {"error": sentence})
    assert f"No reply: {sentence}\n" in capsys.readouterr().out

    def breaks_off(handler: Handler) -> None:
        handler.begin_events()
        handler.send_chunk(piece("Well"))

    server.answer = breaks_off
    assert page.reply("Hi") == [
        {"piece": "Well"},
        {"error": 'The endpoint lab/chat (need "chat") broke off its answer.'},
    ]
    server.answer = streams("Better.")
    assert page.reply("Hi") == [{"piece": "Better."}, {"end": True}]
    assert len(server.asked[-1].json["messages"]) == 2


def test_a_conversation_that_no_longer_fits_goes_on_without_its_beginning(
    page: Page, server: ModelServer
) -> None:
    page.reply("Hello")

    def answer(handler: Handler) -> None:
        if len(server.asked[-1].json["messages"]) > 2:
            refuses(400, "the request exceeds the available context size")(handler)
        else:
            streams("Fits.")(handler)

    server.answer = answer
    assert page.reply("And now?") == [{"piece": "Fits."}, {"end": True}]
    server.answer = streams("Sure.")
    page.reply("And then?")
    assert [message["content"] for message in server.asked[-1].json["messages"][1:]] == [
        "And now?",
        "Fits.",
        "And then?",
    ]
    server.answer = answer
    assert page.reply("And now?") == [{"piece": "Fits."}, {"end": True}]
    server.answer = refuses(400, "No.")
    response = page.ask({"text": "Hi"})
    assert json.load(response)["error"].endswith("refused the request (400): No.")


def test_a_stop_ends_a_reply_that_the_model_is_late_with(
    page: Page, server: ModelServer, peer: Peer
) -> None:
    server.answer = lambda handler: time.sleep(20)
    replies: list[Any] = []

    def ask() -> None:
        response = page.ask({"text": "Hi"})
        replies.append((response.status, json.load(response)))

    asking = threading.Thread(target=ask)
    asking.start()
    wait_for_pitch(peer, lambda pitch_deg: pitch_deg < -6)
    peer.reply(type="stop")
    asking.join(10)
    sentence = "The app was asked to stop while it waited for the endpoint lab/chat."
    assert replies == [(502, {"error": sentence})]


def test_a_closed_page_ends_the_request_to_the_model(page: Page, server: ModelServer) -> None:
    def endless(handler: Handler) -> None:
        handler.begin_events()
        while True:
            handler.send_chunk(piece("more "))
            time.sleep(0.01)

    server.answer = endless
    response = page.ask({"text": "Hi"})
    response.readline()
    response.close()
    assert server.clients_gone.wait(30)
    server.answer = streams("Here.")
    until_s = time.monotonic() + 20
    while (answer := page.ask({"text": "Hi"})).status == 409:
        assert time.monotonic() < until_s
    assert json.loads(answer.readline()) == {"piece": "Here."}


@pytest.mark.torture
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"\xff", {}, {"text": 3}, {"text": " "}, {"text": 2001 * "a"}, 20000 * b"1"],
)
def test_a_message_that_is_none_is_refused(page: Page, server: ModelServer, body: Any) -> None:
    response = page.ask(body)
    assert (response.status, json.load(response)) == (
        400,
        {"error": "Write a message of at most 2000 characters."},
    )
    assert server.asked == []


@pytest.mark.torture
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:8043"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "navigate"},
        {"Content_Type": "text/plain"},
    ],
)
def test_other_sites_cannot_use_the_page(
    page: Page, server: ModelServer, headers: dict[str, str]
) -> None:
    response = page.ask({"text": "Hi"}, **headers)
    assert response.status == 403
    assert server.asked == []


def test_the_page_has_its_files_and_nothing_else(page: Page) -> None:
    index = page.send("GET", "/?x=1", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")
    assert index.status == 200
    assert b"<h1>Chat reply</h1>" in index.read()
    assert (index.headers["Cache-Control"], index.headers["X-Frame-Options"]) == (
        "no-store",
        "SAMEORIGIN",
    )
    head = page.send("HEAD", "/")
    assert (head.status, head.read()) == (200, b"")
    for path in ("/main.js", "/style.css", "/state"):
        assert page.send("GET", path).status == 200
    for path in ("/page.py", "/../main.py", "/static/index.html", "/%2e%2e/main.py"):
        assert page.send("GET", path).status == 404
    assert page.send("GET", "/", Host="evil.example").status == 403


def test_it_runs_without_a_model_and_without_its_page(
    peer: Peer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    monkeypatch.syspath_prepend(str(SAMPLE))
    with socket.create_server(("127.0.0.1", 0)) as other:
        app = import_module("chat_reply.main").ChatReply()
        port = other.getsockname()[1]
        app.custom_app_url = f"http://localhost:{port}"
        thread = threading.Thread(target=app.wrapped_run)
        thread.start()
        peer.done(peer.next_message("goto_target"))
        peer.next_message("set_target")
        app.stop()
        thread.join(30)
    out, err = capfd.readouterr()
    assert out.startswith("Chatting with no model yet. ")
    assert err == (
        f"The page is not available: port {port} cannot be used (address already in use).\n"
    )


def test_a_missing_model_is_a_sentence_on_the_page(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROBOT_ENDPOINT_CHAT_URL")
    response = page.ask({"text": "Hi"})
    assert response.status == 502
    assert json.load(response)["error"].startswith('This app has no endpoint for "chat". ')


def test_the_motion_stays_within_limits_and_never_jumps_in_any_mood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(SAMPLE))
    motion = import_module("chat_reply.motion")
    chance = random.Random(8043)
    moving = motion.Motion()
    poses = [motion.Pose()]
    for _ in range(200):
        mood = chance.choice([motion.WAITING, motion.THINKING, motion.ANSWERING])
        for _ in range(int(chance.uniform(0, 3) / STEP_S)):
            poses.append(moving.step(STEP_S, mood))
    assert max(abs(pose.yaw_deg) for pose in poses) <= 30
    assert max(abs(pose.pitch_deg) for pose in poses) <= 16
    assert max(abs(angle) for pose in poses for angle in pose.antennas) <= 1
    for path in (
        [math.radians(pose.yaw_deg) for pose in poses],
        [math.radians(pose.pitch_deg) for pose in poses],
        [pose.antennas[0] for pose in poses],
    ):
        velocities = [(after - before) / STEP_S for before, after in pairwise(path)]
        assert max(map(abs, velocities)) < MAX_SPEED
        changes = (abs(after - before) / STEP_S for before, after in pairwise(velocities))
        assert max(changes) < 50  # rad/s2: a jerk of one step would be hundreds


def test_it_imports_the_standard_library_only(tmp_path: Path) -> None:
    code = (
        "import sys, chat_reply.main, chat_reply.page, chat_reply.conversation\n"
        "own = {'robot', 'chat_reply'}\n"
        "names = {name.partition('.')[0] for name in sys.modules} - own\n"
        "print(sorted(name for name in names if name not in sys.stdlib_module_names))"
    )
    output = subprocess.check_output(
        [sys.executable, "-B", "-I", "-S", "-c", f"import sys; sys.path[:0] = {paths()!r}\n{code}"],
        env=environment("", SAMPLE),
        cwd=tmp_path,
        text=True,
    )
    assert output in ("[]\n", "['__main__']\n")


def paths() -> list[str]:
    return [str(SAMPLE), str(Path(__file__).parents[1])]
