"""The messages of the user, and the replies of the model."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping

from chat_reply.motion import ANSWERING, THINKING, WAITING, Mood
from robot import EndpointError
from robot.endpoints import Endpoint

NEED = "chat"
MAX_TEXT = 2000
MAX_TOKENS = 160
MAX_REMEMBERED = 12
"""Messages; more would fill the context of a small model."""
SHORTEST_ANSWER_S = 2.0
"""The robot nods at least as long: some replies take a few milliseconds."""
_CHARACTER = "You are a small, friendly desktop robot. Reply in one or two short sentences."


class Busy(Exception):
    """The robot is answering somebody else."""


class Conversation:
    """Asks the model, one question at a time. Safe to use from several threads."""

    def __init__(self, endpoints: Mapping[str, Endpoint]) -> None:
        """Takes the endpoints of the robot."""
        self._endpoints = endpoints
        self._turn = threading.Lock()
        self._said: list[dict[str, str]] = []
        self._mood = WAITING
        self._answers_until_s = 0.0

    @property
    def mood(self) -> Mood:
        """The way the robot moves now."""
        if self._mood is WAITING and time.monotonic() < self._answers_until_s:
            return ANSWERING
        return self._mood

    def forget(self) -> None:
        """Begins a new conversation."""
        self._said = []

    def ask(self, text: str) -> Iterator[str]:
        """The pieces of the reply to `text`, when they arrive.

        Raises:
            Busy: if the robot is answering already.
            EndpointError: if the model cannot reply; the text says why.
            EndpointMissing: if no model is assigned; the text says what to do.
            AppStopping: if the app is asked to stop.
        """
        if not self._turn.acquire(blocking=False):
            raise Busy
        said = self._said
        try:
            self._mood = THINKING
            question = {"role": "user", "content": text}
            reply = ""
            for piece in self._pieces([*said, question]):
                if not reply:
                    self._mood = ANSWERING
                    self._answers_until_s = time.monotonic() + SHORTEST_ANSWER_S
                reply += piece
                yield piece
            if self._said is said:  # nobody began a new conversation meanwhile
                answer = {"role": "assistant", "content": reply}
                self._said = [*said, question, answer][-MAX_REMEMBERED:]
        finally:
            self._mood = WAITING
            self._turn.release()

    def _pieces(self, messages: list[dict[str, str]]) -> Iterator[str]:
        model = self._endpoints[NEED]
        character = {"role": "system", "content": _CHARACTER}
        try:
            yield from model.chat([character, *messages], stream=True, max_tokens=MAX_TOKENS)
        except EndpointError as error:
            # Servers refuse a conversation that no longer fits their model before the first piece.
            if error.status not in (400, 413) or len(messages) == 1:
                raise
            self._said.clear()
            yield from model.chat([character, messages[-1]], stream=True, max_tokens=MAX_TOKENS)
