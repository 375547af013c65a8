"""Logs refused, changed and dropped targets."""

from __future__ import annotations

from collections.abc import Iterable

from robot._wire.messages import Clamp, Dropped, Refusal

_MAX_WARNINGS = 100


class TargetLog:
    """Logs each warning once, because targets are sent fifty times a second."""

    def __init__(self) -> None:
        self._logged: set[str] = set()

    def on_refusal(self, refusal: Refusal) -> None:
        """Logs a refused target, once for each code, whatever its message."""
        self._once(refusal.code, "The daemon refused a target: %s", refusal.message)

    def on_clamps(self, clamps: Iterable[Clamp]) -> None:
        """Logs the changes to a target."""
        for clamp in clamps:
            self._once(clamp.why, "The daemon changed a target: %s", clamp.why)

    def on_drops(self, drops: Iterable[Dropped]) -> None:
        """Logs the parts of a target that a motion owns."""
        for dropped in drops:
            self._once(dropped.why, "The daemon dropped a target: %s", dropped.why)

    def _once(self, key: str, text: str, detail: str) -> None:
        if key in self._logged or len(self._logged) >= _MAX_WARNINGS:
            return
        self._logged.add(key)
        import logging

        logging.getLogger("robot").warning(text, detail)
