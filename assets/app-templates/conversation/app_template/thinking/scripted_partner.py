"""Answers by rules, without any model: for a first try, and when the model cannot answer."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from typing import NamedTuple

from app_template.persona import NAME
from app_template.thinking.partner import CallTool, PartnerKind


class _Rule(NamedTuple):
    words: str
    """A regular expression that the text contains."""
    answer: str
    tool: str = ""
    arguments: dict[str, object] = {}


_CAN = "I can nod, shake my head, look around, dance, show feelings and play sounds."
_RULES = (
    _Rule(r"\bstop\b|\benough\b", "I have stopped.", "stop"),
    _Rule(r"\bdanc", "Watch me!", "dance", {"number": 2}),
    _Rule(r"\bleft\b", "Looking to my left.", "look", {"direction": "left"}),
    _Rule(r"\bright\b", "Looking to my right.", "look", {"direction": "right"}),
    _Rule(r"\blook up\b|\bceiling\b", "Looking up.", "look", {"direction": "up"}),
    _Rule(r"\blook down\b|\bfloor\b", "Looking down.", "look", {"direction": "down"}),
    _Rule(r"\bsound\b|\bsing\b|\bmusic\b", "Listen!", "play_sound", {"name": "dance1"}),
    _Rule(r"\bsad\b|\bsorry\b", "Oh. That is sad.", "show_feeling", {"feeling": "sad"}),
    _Rule(r"\bhappy\b|\bthank", "You are welcome!", "show_feeling", {"feeling": "cheerful"}),
    _Rule(r"\bshake\b|\bno\b", "No, no, no.", "shake_head", {"times": 3}),
    _Rule(r"\bnod\b|\byes\b", "Yes, yes.", "nod", {"times": 2}),
    _Rule(r"\bwho\b|\bname\b", f"I am {NAME}. A script answers for me, not a model.", "nod"),
    _Rule(r"\bhelp\b|\bwhat can\b", f"{_CAN} I am only a script: ask me for one of these."),
    _Rule(r"\bbye\b", "Goodbye! See you soon.", "nod", {"times": 1}),
    _Rule(r"\b(hello|hi|hey)\b", f"Hello! {_CAN}", "nod"),
)
_NO_RULE = _Rule("", f"I am only a script, so I cannot answer that. {_CAN}", "shake_head")


class ScriptedPartner:
    """A small set of rules; the first that fits answers."""

    kind: PartnerKind = "script"
    name = "the scripted partner"

    def reply(
        self, text: str, call_tool: CallTool, interrupted: threading.Event
    ) -> Iterator[str]:
        """See `Partner`. Never waits and never fails."""
        fits = (rule for rule in _RULES if re.search(rule.words, text, re.IGNORECASE))
        rule = next(fits, _NO_RULE)
        if rule.tool:
            call_tool(rule.tool, json.dumps(rule.arguments))
        yield rule.answer
