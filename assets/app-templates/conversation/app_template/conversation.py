"""The turns of the conversation: listening, thinking, speaking; and the person may interrupt."""

from __future__ import annotations

import queue
import threading
from array import array
from collections.abc import Callable, Iterable, Iterator

from app_template.board import Board, State
from app_template.speaking.sentences import sentences
from app_template.speaking.speaker import Speaker
from app_template.thinking.partner import Partner, PartnerFailed
from app_template.tools.toolbox import Result, Toolbox
from robot import AppStopping, AudioUnavailable, EndpointCancelled, EndpointError

Voice = Callable[[str, threading.Event], "Iterable[array[float]]"]
"""From text to sound: 16,000 samples a second, between -1 and 1. Ends when the event is set."""

Transcribe = Callable[["array[float]"], str]
"""From sound to text."""

_MOST_WAITING = 20
_NO_WORDS = (
    "I hear that you speak, but not what you say: choose a speech recognition model on my page "
    "in Robot Desktop, or type."
)


class Conversation:
    """Answers what is typed and spoken, one turn at a time. It has a thread of its own: `run`."""

    def __init__(
        self,
        board: Board,
        partners: list[Partner],
        toolbox: Toolbox,
        speaker: Speaker,
        voices: list[Voice],
        transcribe: Transcribe | None,
    ) -> None:
        """Takes the models that there are.

        Args:
            board: shows what happens.
            partners: the first one answers; if it cannot, the next one.
            toolbox: what partners may do.
            speaker: plays the voice.
            voices: the first one speaks; if it cannot, the next one from then on.
            transcribe: understands speech; None: nobody does.
        """
        self._board = board
        self._partners = partners
        self._toolbox = toolbox
        self._speaker = speaker
        self._voices = list(voices)
        self._transcribe = transcribe
        self._inbox: queue.Queue[str | array[float] | None] = queue.Queue(_MOST_WAITING)
        self._inbox_lock = threading.Lock()
        self._interrupted = threading.Event()
        self._in_turn = False
        self._closed = False
        self._told_of_no_words = False
        board.show(partner={"kind": partners[0].kind, "name": partners[0].name})

    @property
    def state(self) -> State:
        """The robot's activity at this moment."""
        if self._speaker.left_s > 0:
            return "speaking"
        return "thinking" if self._in_turn else "listening"

    def type(self, text: str) -> bool:
        """The person has typed something. Returns False if too much waits already."""
        return self._put(text)

    def speech_begins(self) -> None:
        """The person begins to speak."""
        self.interrupt()
        self._board.show(hears=True)

    def speech_ends(self, samples: array[float]) -> None:
        """The person has spoken."""
        self._board.show(hears=False)
        self._put(samples)

    def interrupt(self) -> None:
        """Barge-in: the robot falls silent at once, and the model stops writing."""
        self._interrupted.set()
        self._speaker.stop()

    def close(self) -> None:
        """Ends `run` within some milliseconds, whatever it does."""
        with self._inbox_lock:
            self._closed = True
            self.interrupt()
            self._drained()  # makes room for the end
            self._inbox.put_nowait(None)

    def _put(self, said: str | array[float]) -> bool:
        with self._inbox_lock:
            self.interrupt()
            if self._closed or self._inbox.full():
                return False
            if isinstance(said, str):
                self._board.add("you", said)
            self._inbox.put_nowait(said)
            return True

    def _drained(self) -> list[str | array[float] | None]:
        return [self._inbox.get_nowait() for _ in range(self._inbox.qsize())]

    def run(self) -> None:
        """Takes turns until `close`."""
        while True:
            first = self._inbox.get()
            with self._inbox_lock:  # so that no interruption is lost
                if self._closed:
                    return
                self._interrupted.clear()
                inputs = [first, *self._drained()]
            self._in_turn = True
            try:
                self._turn(inputs)
            except EndpointCancelled:
                pass  # the person has interrupted
            except AppStopping:
                return
            finally:
                self._in_turn = False

    def _turn(self, inputs: list[str | array[float] | None]) -> None:
        heard = (each if isinstance(each, str) else self._words(each) for each in inputs if each)
        text = "\n".join(words for words in heard if words)
        if text:
            any(self._answers(partner, text) for partner in self._partners)

    def _answers(self, partner: Partner, text: str) -> bool:
        """Lets a partner answer. Returns False if another one is to answer instead."""
        pieces = partner.reply(text, self._call_tool, self._interrupted)
        entry, said = None, ""
        try:
            for sentence in sentences(self._until_interrupted(pieces)):
                said += sentence
                entry = entry or self._board.add(partner.kind, said)
                self._board.change(entry, said)
                self._say(sentence)
            self._speaker.wait_until_said(self._interrupted)
        except PartnerFailed as error:
            self._board.notice(str(error))
            return entry is not None or self._interrupted.is_set()
        finally:
            if entry is not None and self._interrupted.is_set():
                self._board.change(entry, said, is_cut_off=True)
        return True

    def _until_interrupted(self, pieces: Iterator[str]) -> Iterator[str]:
        try:
            for piece in pieces:
                if self._interrupted.is_set():
                    return
                yield piece
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()  # ends the request to the model

    def _say(self, sentence: str) -> None:
        while self._voices:
            try:
                for samples in self._voices[0](sentence, self._interrupted):
                    self._speaker.say(samples, self._interrupted)
                return
            except EndpointError as error:
                self._voices.pop(0)
                self._board.notice(f"The robot speaks with its own voice from now on. {error}")
            except AudioUnavailable as error:
                self._voices.clear()
                self._board.notice(f"The robot cannot be heard. {error}")

    def _words(self, samples: array[float]) -> str:
        if self._transcribe is None:
            return self._only_noticed()
        try:
            words = self._transcribe(samples)
        except EndpointError as error:
            self._board.notice(f"What you said could not be understood. {error}")
            return ""
        if words:
            self._board.add("you", words)
        return words

    def _only_noticed(self) -> str:
        """The robot reacts to a voice, and says once why it does not understand it."""
        self._toolbox.call("nod", '{"times": 1}')
        if not self._told_of_no_words:
            self._told_of_no_words = True
            self._board.notice(_NO_WORDS)
        return ""

    def _call_tool(self, name: str, arguments: str) -> Result:
        result = self._toolbox.call(name, arguments)
        if result.ok:
            self._board.add("tool", result.text)
        else:
            self._board.notice(f"A tool was called in vain. {result.text}")
        return result
