"""Answers with a chat model, which calls tools."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from app_template.persona import MAX_ANSWER_TOKENS, TEMPERATURE
from app_template.thinking.chat_stream import Malformed, ToolCall, parsed
from app_template.thinking.memory import Memory
from app_template.thinking.partner import CallTool, PartnerFailed, PartnerKind
from robot import EndpointError
from robot.endpoints import Endpoint

_MOST_ROUNDS = 4
"""The model is asked again after its tools were called; one that only calls tools is ended."""
_REFUSED = (400, 413, 422, 500, 501)
"""Servers answer with one of these when a model takes no tools, or no more text."""


class ModelPartner:
    """An endpoint with OpenAI's interface. Used by one thread."""

    kind: PartnerKind = "model"

    def __init__(
        self, endpoint: Endpoint, tools: list[dict[str, Any]], notice: Callable[[str], None]
    ) -> None:
        """Asks nothing.

        Args:
            endpoint: the model.
            tools: their schemas.
            notice: tells people what the model cannot do.
        """
        self._endpoint = endpoint
        self._tools = tools
        self._notice = notice
        self._memory = Memory()

    @property
    def name(self) -> str:
        """The model and its endpoint."""
        return f"{self._endpoint.model or 'a model'} ({self._endpoint.name})"

    def reply(
        self, text: str, call_tool: CallTool, interrupted: threading.Event
    ) -> Iterator[str]:
        """See `Partner`."""
        self._memory.begin(text)
        try:
            for number in range(_MOST_ROUNDS):
                said, calls = yield from self._round(interrupted)
                if number == 0 and not said.strip() and not calls:
                    raise PartnerFailed("The model wrote nothing.")
                self._remember(said, calls)
                for call in calls:  # all of them: each needs a result
                    result = call_tool(call.name, call.arguments)
                    answer = {"role": "tool", "tool_call_id": call.id, "content": result.text}
                    self._memory.add(answer)
                if not calls or interrupted.is_set():
                    return
        except EndpointError as error:
            raise PartnerFailed(str(error)) from None
        except Malformed as error:
            raise PartnerFailed(f"The model {error}") from None

    def _round(
        self, interrupted: threading.Event
    ) -> Generator[str, None, tuple[str, list[ToolCall]]]:
        """Asks once. Returns the text, and the calls of tools."""
        said = ""
        calls: list[ToolCall] = []
        try:
            for part in self._asked(interrupted):
                if isinstance(part, ToolCall):
                    calls.append(part)
                else:
                    said += part
                    yield part
            if calls and said and not said[-1].isspace():
                yield "\n"  # what was said so far is spoken before the tools are called
        except BaseException:  # the person has interrupted, or the answer broke off
            self._remember(said)
            raise
        return said, calls

    def _remember(self, said: str, calls: Sequence[ToolCall] = ()) -> None:
        """Keeps an answer for the next question."""
        if not said and not calls:
            return
        message: dict[str, Any] = {"role": "assistant", "content": said}
        if calls:
            message["tool_calls"] = [call.message for call in calls]
        self._memory.add(message)

    def _asked(self, interrupted: threading.Event) -> Iterator[str | ToolCall]:
        """The parts of an answer. A model that refuses is asked for less before it fails."""
        endpoint = self._endpoint.until(interrupted)
        refusal: EndpointError | None = None
        for tools in self._offers():
            begun = False
            try:
                for part in parsed(endpoint.stream("chat/completions", self._body(tools))):
                    begun = True
                    yield part
            except EndpointError as error:
                if begun or error.status not in _REFUSED:
                    raise
                refusal = error
                continue
            if refusal and not tools and self._tools:
                self._tools = []
                self._notice(f"The model takes no tools, so it talks without them. {refusal}")
            return
        if refusal is not None:
            raise refusal

    def _offers(self) -> Iterator[list[dict[str, Any]]]:
        """The tools to offer: first all with the whole conversation, then less and less."""
        yield self._tools
        if self._memory.forget_earlier():
            yield self._tools
        if self._tools:
            yield []

    def _body(self, tools: list[dict[str, Any]]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "messages": self._memory.messages,
            "stream": True,
            "max_tokens": MAX_ANSWER_TOKENS,
            "temperature": TEMPERATURE,
        }
        if self._endpoint.model:
            body["model"] = self._endpoint.model
        if tools:
            body["tools"] = tools
        return body
