"""Cuts a text that is still being written into sentences, so that the robot can begin to speak."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_END = re.compile(r"(?<=[.!?…:;])\s+|\n+|(?<=[。！？])")
_LONGEST = 240
"""Characters; a longer text is cut at a space."""


def sentences(pieces: Iterable[str]) -> Iterator[str]:
    """The sentences of a text that comes in pieces, each as soon as it is complete.

    Together they are the whole text; each has the space after it, without which it is not complete.
    """
    text = ""
    for piece in pieces:
        text += piece
        while cut := _cut(text):
            sentence, text = text[:cut], text[cut:]
            yield sentence
    if text:
        yield text


def _cut(text: str) -> int:
    """Where the first sentence ends; 0: it is not complete."""
    if end := _END.search(text):
        return end.end()
    return (text.rfind(" ", 1, _LONGEST) + 1 or _LONGEST) if len(text) > _LONGEST else 0
