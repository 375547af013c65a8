"""The part of the conversation that a model gets."""

from __future__ import annotations

from typing import Any

from app_template.persona import CHARACTER

_MOST_TURNS = 8
"""More would fill the context of a small model."""

Message = dict[str, Any]


class Memory:
    """The last turns: each begins with what the person said. Used by one thread."""

    def __init__(self) -> None:
        self._turns: list[list[Message]] = []

    def begin(self, text: str) -> None:
        """Begins a turn. After a turn without an answer, that turn goes on."""
        last = self._turns[-1] if self._turns else []
        if len(last) == 1:  # many models refuse two messages of the person in a row
            last[0] = {"role": "user", "content": f"{last[0]['content']}\n{text}"}
            return
        self._turns.append([{"role": "user", "content": text}])
        del self._turns[:-_MOST_TURNS]

    def add(self, message: Message) -> None:
        """Adds an answer, or a result of a tool, to the turn."""
        self._turns[-1].append(message)

    def forget_earlier(self) -> bool:
        """Forgets all turns but this one. Returns whether there were any."""
        earlier = len(self._turns) > 1
        del self._turns[:-1]
        return earlier

    @property
    def messages(self) -> list[Message]:
        """The conversation, with the character before it."""
        character = {"role": "system", "content": CHARACTER}
        return [character, *(message for turn in self._turns for message in turn)]
