"""What the daemon has to say about targets, for the log of the program."""

from __future__ import annotations

from collections.abc import Iterable

from robot._wire.messages import Clamp, Refusal

_MAX_REMARKS = 100


class Remarks:
    """Logs each remark once: targets come fifty times a second."""

    def __init__(self) -> None:
        self._made: set[str] = set()

    def on_refusal(self, refusal: Refusal) -> None:
        """A target was refused. Once for each reason, however it is worded."""
        self._once(refusal.code, "The daemon refused a target: %s", refusal.message)

    def on_clamps(self, clamps: Iterable[Clamp]) -> None:
        """A target was taken otherwise than asked for."""
        for clamp in clamps:
            self._once(clamp.why, "The daemon took a target otherwise: %s", clamp.why)

    def _once(self, key: str, text: str, detail: str) -> None:
        if key in self._made or len(self._made) >= _MAX_REMARKS:
            return
        self._made.add(key)
        import logging

        logging.getLogger("robot").warning(text, detail)
