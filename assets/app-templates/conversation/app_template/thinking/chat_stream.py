"""Reads the stream of a chat completion: pieces of text, and the calls of tools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class ToolCall(NamedTuple):
    """A tool that the model calls. Nothing in it is checked."""

    id: str
    name: str
    arguments: str
    """JSON, if the model made no mistake."""

    @property
    def message(self) -> dict[str, Any]:
        """The call as the model reads it later: many servers refuse one with mistakes."""
        arguments = self.arguments if _is_object(self.arguments) else "{}"
        function = {"name": self.name or "unknown", "arguments": arguments}
        return {"id": self.id, "type": "function", "function": function}


class Malformed(Exception):
    """The stream is no chat completion. The text is the rest of a sentence about the model."""


def parsed(events: Iterable[Any]) -> Iterator[str | ToolCall]:
    """The pieces of text as they come, then the calls of tools.

    Args:
        events: the decoded events of a stream, or a whole answer that was not streamed.

    Raises:
        Malformed: if an event is none of a chat completion, or the stream ends early.
    """
    calls: dict[int, ToolCall] = {}
    finished = False
    for event in events:
        choice = _choice_in(event)
        if choice is None:  # an event about the use of tokens
            continue
        finished = finished or bool(choice.get("finish_reason")) or "message" in choice
        delta = choice.get("delta") or choice.get("message") or {}
        if not isinstance(delta, dict):
            raise Malformed("sent an answer that is not a chat completion.")
        if isinstance(content := delta.get("content"), str) and content:
            yield content
        for part in _parts_in(delta):
            index = part.get("index")
            key = index if isinstance(index, int) else len(calls)
            calls[key] = _grown(calls.get(key, ToolCall(f"call_{key}", "", "")), part)
    if not finished:
        raise Malformed("broke off its answer.")
    yield from calls.values()


def _choice_in(event: Any) -> dict[str, Any] | None:
    try:
        choices = event["choices"]
        choice = choices[0] if choices else None
    except (LookupError, TypeError):
        choice = event
    if choice is None or (isinstance(choice, dict) and choice is not event):
        return choice
    raise Malformed("sent an answer that is not a chat completion.")


def _parts_in(delta: dict[str, Any]) -> list[dict[str, Any]]:
    parts = delta.get("tool_calls")
    return [each for each in parts if isinstance(each, dict)] if isinstance(parts, list) else []


def _grown(call: ToolCall, part: dict[str, Any]) -> ToolCall:
    """The call with one more part: its id and name come once, its arguments in pieces."""
    function = part.get("function")
    function = function if isinstance(function, dict) else {}
    return ToolCall(
        id=_text(part.get("id")) or call.id,
        name=call.name or _text(function.get("name")),
        arguments=call.arguments + _text(function.get("arguments")),
    )


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
