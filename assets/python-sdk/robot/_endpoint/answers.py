"""The bodies of OpenAI-compatible answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from robot._endpoint.exchange import Answer
from robot._endpoint.failure import Failure, one_line

_DONE = "[DONE]"
_NO_CHAT = "sent an answer that is not a chat completion."
_NO_EMBEDDINGS = "sent an answer without the embeddings of these texts."


def reply_in(body: Any) -> str:
    """The text of a chat completion; empty if the model wrote none.

    Raises:
        Failure: if it is no chat completion.
    """
    _raise_error_in(body)
    try:
        content = body["choices"][0]["message"].get("content")
    except (LookupError, TypeError, AttributeError):
        raise Failure(_NO_CHAT) from None
    return content if isinstance(content, str) else ""


def pieces_of(answer: Answer) -> Iterator[str]:
    """The pieces of a reply, when they arrive.

    Raises:
        Failure: if the answer is no chat completion, reports an error, or breaks off.
    """
    if answer.content_type != "text/event-stream":  # a server that does not stream
        if reply := reply_in(answer.json()):
            yield reply
        return
    finished = False
    for data in _data_of(answer):
        if data == _DONE:
            return
        piece, ended = _piece_in(data)
        finished = finished or ended
        if piece:
            answer.go_on()
            yield piece
            answer.go_on()
    if not finished:
        raise Failure("broke off its answer.")


def events_of(answer: Answer) -> Iterator[Any]:
    """The decoded events of a streamed answer, when they arrive.

    Raises:
        Failure: if one is not JSON or reports an error, or the answer breaks off.
    """
    if answer.content_type != "text/event-stream":  # a server that does not stream
        event = answer.json()
        _raise_error_in(event)
        yield event
        return
    for data in _data_of(answer):
        if data == _DONE:
            return
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            raise Failure("sent an event that is not JSON.") from None
        _raise_error_in(event)
        answer.go_on()
        yield event
        answer.go_on()


def embeddings_in(body: Any, count: int) -> list[list[float]]:
    """The vectors of `count` texts, in their order.

    Raises:
        Failure: if there is not one for each text.
    """
    _raise_error_in(body)
    try:
        rows = sorted(body["data"], key=lambda row: row["index"])
        vectors = [[float(number) for number in row["embedding"]] for row in rows]
        indexes = [row["index"] for row in rows]
    except (LookupError, TypeError, ValueError):
        raise Failure(_NO_EMBEDDINGS) from None
    if indexes != list(range(count)):
        raise Failure(_NO_EMBEDDINGS)
    return vectors


def _data_of(answer: Answer) -> Iterator[str]:
    """The data of server-sent events, up to `_DONE` if the server sends it.

    Raises:
        Failure: if the server reports an error.
    """
    for line in answer.lines():
        field, _, value = line.partition(":")
        data = value.strip()
        if field == "error":  # of llama.cpp
            raise Failure(f"broke off its answer: {_message_of(data)}")
        if field == "data" and data:
            yield data


def _piece_in(data: str) -> tuple[str, bool]:
    """The text of an event, and whether the reply ends with it."""
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        raise Failure(_NO_CHAT) from None
    _raise_error_in(event)
    try:
        choices = event["choices"]
        if not choices:  # an event about the use of tokens
            return "", False
        choice = choices[0]
        content = (choice.get("delta") or {}).get("content")
        return content if isinstance(content, str) else "", bool(choice.get("finish_reason"))
    except (LookupError, TypeError, AttributeError):
        raise Failure(_NO_CHAT) from None


def _raise_error_in(body: Any) -> None:
    if isinstance(body, dict) and body.get("error"):
        raise Failure(f"broke off its answer: {_message_of(body)}")


def _message_of(error: Any) -> str:
    try:
        found = json.loads(error) if isinstance(error, str) else error
        while isinstance(found, dict):
            found = found.get("error") or found.get("message") or "It gave no reason."
    except (ValueError, RecursionError):
        found = error
    return one_line(found)
