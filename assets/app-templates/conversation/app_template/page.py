"""The routes that the page in `static/` calls."""

from __future__ import annotations

from typing import Any

from app_template.board import Board
from app_template.conversation import Conversation
from app_template.moving.wobble import Wobble

MAX_TEXT = 2000
MAX_WOBBLE = 2.0
_NEWS_WITHIN_S = 5.0


def add_routes(
    settings_app: Any, conversation: Conversation, board: Board, wobble: Wobble
) -> None:
    """Adds the routes that `static/main.js` calls. An answer with `error` is a refusal."""

    @settings_app.post("/news")
    def news(seen: dict[str, Any]) -> dict[str, Any]:
        """Waits until there is something that the page has not seen."""
        return board.news(seen.get("run"), seen.get("version"), _NEWS_WITHIN_S)

    @settings_app.post("/say")
    def say(wanted: dict[str, Any]) -> dict[str, Any]:
        """The person has typed something."""
        text = wanted.get("text")
        if not isinstance(text, str) or not 0 < len(text.strip()) <= MAX_TEXT:
            return {"error": f"Write a message of at most {MAX_TEXT} characters."}
        if not conversation.type(text.strip()):
            return {"error": "Too many messages wait already. Wait for an answer."}
        return {}

    @settings_app.post("/interrupt")
    def interrupt() -> dict[str, Any]:
        """The person begins to type while the robot speaks."""
        conversation.interrupt()
        return {}

    @settings_app.post("/wobble")
    def set_wobble(wanted: dict[str, Any]) -> dict[str, Any]:
        """How much the head moves with the voice."""
        volume = wanted.get("volume")
        if not isinstance(volume, (int, float)) or not 0 <= volume <= MAX_WOBBLE:
            return {"error": f"The wobble is a number from 0 to {MAX_WOBBLE:g}."}
        wobble.volume = float(volume)
        board.show(wobble=wobble.volume)
        return {}
