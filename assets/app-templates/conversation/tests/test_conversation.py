"""Turns, and interruptions, with a real sound card that is virtual."""

from __future__ import annotations

import json
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from server_for_tests import END, ModelServer, Request, calls, refuses, says, sends_json, streams

from app_template.board import Board, Entry
from app_template.conversation import Conversation, Transcribe, Voice
from app_template.moving.fusion import Fusion
from app_template.sound import RATE_HZ, wav_of
from app_template.speaking.endpoint_voice import endpoint_voice
from app_template.speaking.own_voice import own_voice
from app_template.speaking.sentences import sentences
from app_template.speaking.speaker import Speaker
from app_template.thinking.model_partner import ModelPartner
from app_template.thinking.partner import Partner
from app_template.thinking.scripted_partner import ScriptedPartner
from app_template.tools import actions
from app_template.tools.body import Body
from app_template.tools.toolbox import Toolbox
from robot.endpoints import Endpoint
from robot.media.media_manager import MediaManager

VOICE = array("f", RATE_HZ // 2 * [0.1])


class Talk:
    """A conversation that runs."""

    def __init__(self, media: MediaManager) -> None:
        self.media = media
        self.board = Board()
        self.speaker = Speaker(media)
        self.fusion = Fusion()
        self.toolbox = Toolbox(actions, Body(self.fusion, media, self.speaker))

    @contextmanager
    def runs(
        self,
        partners: list[Partner] | None = None,
        voices: list[Voice] | None = None,
        transcribe: Transcribe | None = None,
    ) -> Iterator[Conversation]:
        conversation = Conversation(
            self.board,
            partners or [ScriptedPartner()],
            self.toolbox,
            self.speaker,
            [own_voice] if voices is None else voices,
            transcribe,
        )
        thread = threading.Thread(target=conversation.run)
        thread.start()
        try:
            yield conversation
        finally:
            conversation.close()
            thread.join(30)
        assert not thread.is_alive()

    def model(self, endpoint: Endpoint) -> list[Partner]:
        return [
            ModelPartner(endpoint, self.toolbox.schemas, self.board.notice),
            ScriptedPartner(),
        ]

    @property
    def entries(self) -> list[Entry]:
        news = self.board.news(None, 0, 0)["entries"]
        return [Entry(**each) for each in news]

    @property
    def said(self) -> list[tuple[str, str]]:
        return [(each.who, each.text) for each in self.entries]


@pytest.fixture
def talk(media: MediaManager) -> Talk:
    return Talk(media)


def until(is_true: Callable[[], object]) -> None:
    deadline_s = time.monotonic() + 30
    while not is_true():
        assert time.monotonic() < deadline_s, "it did not come true"
        time.sleep(0.005)


def test_a_typed_message_is_answered_aloud_and_moves_the_robot(talk: Talk) -> None:
    states: list[str] = []
    with talk.runs() as conversation:
        assert conversation.state == "listening"
        assert conversation.type("Say yes.")
        until(lambda: conversation.state == "speaking")
        until(lambda: talk.speaker.loudness() > 0.05)
        states.append(conversation.state)
        until(lambda: conversation.state == "listening")
    assert states == ["speaking"]
    assert talk.said == [("you", "Say yes."), ("tool", "The robot nods."), ("script", "Yes, yes.")]
    assert talk.speaker.loudness() == 0
    assert len(talk.media.played()) > 0.3 * RATE_HZ


@pytest.mark.parametrize("how", ["speech_begins", "type", "interrupt"])
def test_the_person_interrupts_and_the_robot_is_silent_at_once(talk: Talk, how: str) -> None:
    with talk.runs() as conversation:
        conversation.type("Who are you, and what can you do?")
        until(lambda: talk.speaker.loudness() > 0.05)
        if how == "type":
            conversation.type("stop")
        else:
            getattr(conversation, how)()
        assert talk.speaker.loudness() == 0
        until(lambda: conversation.state == "listening")
        first = next(each for each in talk.entries if each.who == "script")
        assert first.is_cut_off
        whole = sum(len(part) for part in own_voice(first.text, threading.Event()))
        assert how == "type" or len(talk.media.played()) < whole
        assert talk.board.hears == (how == "speech_begins")
    assert talk.said[-1][1] == ("I have stopped." if how == "type" else first.text)


def test_an_interruption_cancels_the_model(
    talk: Talk, model: ModelServer, endpoint: Endpoint
) -> None:
    def endless(request: Request) -> None:
        request.begin(200, "text/event-stream")
        while True:
            request.send(f"data: {json.dumps(says('And so on. '))}\n\n")

    model.answers = [endless]
    with talk.runs(talk.model(endpoint)) as conversation:
        conversation.type("Tell me a story.")
        until(lambda: conversation.state == "speaking")
        conversation.speech_begins()
        assert model.client_gone.wait(30)
        until(lambda: conversation.state == "listening")
        assert [(each.who, each.is_cut_off) for each in talk.entries] == [
            ("you", False),
            ("model", True),
        ]


@pytest.mark.parametrize("when", ["thinking", "speaking", "listening"])
def test_the_conversation_ends_whatever_it_does(
    talk: Talk, model: ModelServer, endpoint: Endpoint, when: str
) -> None:
    answered = threading.Event()

    def never_answers(request: Request) -> None:
        answered.wait(60)

    story = streams(says("A long, long story. " * 20), END)
    model.answers = [story if when == "speaking" else never_answers]
    with talk.runs(talk.model(endpoint)) as conversation:
        if when != "listening":
            conversation.type("Tell me a story.")
        until(lambda: conversation.state == when)
    # It has ended here, although the model has not answered, and nobody hears the story.
    answered.set()


def test_a_model_that_fails_is_told_and_the_script_answers(
    talk: Talk, model: ModelServer, endpoint: Endpoint
) -> None:
    model.answers = [refuses(503, "Paused.")]
    with talk.runs(talk.model(endpoint), voices=[]) as conversation:
        conversation.type("Hello")
        until(lambda: conversation.state == "listening" and len(talk.entries) == 4)
    assert [who for who, _ in talk.said] == ["you", "notice", "tool", "script"]
    assert "cannot be used now: Paused." in talk.said[1][1]


def test_a_tool_that_does_not_exist_is_told_to_the_model_and_the_person(
    talk: Talk, model: ModelServer, endpoint: Endpoint
) -> None:
    model.answers = [streams(calls(0, "a", "fly", "{}"), END), streams(says("I cannot."), END)]
    with talk.runs(talk.model(endpoint), voices=[]) as conversation:
        conversation.type("Fly!")
        until(lambda: len(talk.entries) == 3)
    result = model.bodies[1]["messages"][-1]["content"]
    assert result.startswith("There is no tool 'fly'.")
    notice = f"A tool was called in vain. {result}"
    assert talk.said == [("you", "Fly!"), ("notice", notice), ("model", "I cannot.")]


def test_speech_is_understood_by_a_model(talk: Talk) -> None:
    with talk.runs(transcribe=lambda samples: "nod please") as conversation:
        conversation.speech_begins()
        assert talk.board.hears
        conversation.speech_ends(VOICE)
        until(lambda: conversation.state == "listening" and len(talk.entries) == 3)
    assert talk.said[0] == ("you", "nod please")
    assert not talk.board.hears


def test_without_a_model_speech_is_noticed_and_the_reason_is_told_once(talk: Talk) -> None:
    with talk.runs() as conversation:
        for _ in range(3):
            conversation.speech_ends(VOICE)
        until(lambda: len(talk.entries) == 1)
        until(lambda: conversation.state == "listening")
        conversation.speech_ends(VOICE)
        conversation.type("stop")
        until(lambda: len(talk.entries) == 4)
    (notice, *_) = talk.said
    assert notice[0] == "notice"
    assert "I hear that you speak, but not what you say" in notice[1]


def test_a_voice_with_words_is_played(
    talk: Talk, model: ModelServer, endpoint: Endpoint
) -> None:
    def speaks(request: Request) -> None:
        request.begin(200, "audio/wav")
        request.wfile.write(wav_of(array("f", RATE_HZ // 4 * [0.5])))

    def voice(text: str, interrupted: threading.Event) -> Iterator[array[float]]:
        return endpoint_voice(endpoint, text, interrupted)

    model.answers = [speaks, sends_json({"no": "sound"})]
    with talk.runs(voices=[voice, own_voice]) as conversation:
        conversation.type("stop")
        until(lambda: conversation.state == "listening" and len(talk.entries) == 3)
        samples = [frame[0] for frame in talk.media.played()]
        assert 0.2 * RATE_HZ < len(samples) <= 0.25 * RATE_HZ
        assert max(samples) == pytest.approx(0.5, abs=1e-3)
        conversation.type("stop")
        until(lambda: len(talk.entries) == 7)
    assert model.bodies[0]["input"] == "I have stopped."
    notices = [text for who, text in talk.said if who == "notice"]
    assert notices == [
        'The robot speaks with its own voice from now on. The endpoint lab/chat (need "chat") '
        "sent an answer that is not a WAV sound."
    ]


def test_sentences_are_spoken_as_soon_as_they_are_complete() -> None:
    pieces = ["Hel", "lo! How", " are you?", " Fine", ": 3.14 is pi.\n", "Bye"]
    assert list(sentences(pieces)) == [
        "Hello! ", "How are you? ", "Fine: ", "3.14 is pi.\n", "Bye",
    ]
    assert "".join(sentences(["x" * 1000])) == "x" * 1000
    assert list(sentences([])) == []


def test_its_own_voice_follows_the_text() -> None:
    def sound_of(text: str) -> array[float]:
        return array("f", [s for part in own_voice(text, threading.Event()) for s in part])

    assert len(sound_of("Hello")) < len(sound_of("Hello, hello, hello."))
    assert max(sound_of("Hello!")) > max(sound_of("Hello.")) > 0.2
    assert sound_of("Hello?") != sound_of("Hello.")
    assert len(sound_of("你好 世界 123 krk")) > 0
    assert len(sound_of("")) == 0
    assert max(map(abs, sound_of("Wow! " * 500))) < 1
    assert len(sound_of("word " * 10_000)) < 60 * RATE_HZ
