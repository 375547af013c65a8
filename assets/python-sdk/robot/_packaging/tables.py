"""Reads a table of `pyproject.toml` and checks its values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from robot._packaging.refused import BuildRefused


class Table:
    """Reads typed values by key, and knows which keys were not read.

    Every method raises `BuildRefused` if the value has another type.
    """

    def __init__(self, name: str, values: Any) -> None:
        self._name = name
        if not isinstance(values, dict):
            raise BuildRefused(f"[{name}] must be a table.")
        self._unread: dict[str, Any] = dict(values)

    def unread_keys(self) -> Iterable[str]:
        """The keys that were not read yet."""
        return tuple(self._unread)

    def take(self, key: str) -> Any:
        """The value, or None."""
        return self._unread.pop(key, None)

    def string(self, key: str) -> str:
        """A string; empty if the key is missing."""
        return self._checked_string(key, self._unread.pop(key, ""))

    def array(self, key: str) -> list[Any]:
        """An array; empty if the key is missing."""
        values = self._unread.pop(key, [])
        if not isinstance(values, list):
            raise BuildRefused(f'"{key}" in [{self._name}] must be an array.')
        return values

    def strings(self, key: str) -> list[str]:
        """An array of strings; empty if the key is missing."""
        return [self._checked_string(key, value) for value in self.array(key)]

    def string_table(self, key: str) -> dict[str, str]:
        """A table of strings; empty if the key is missing."""
        fields = Table(f"{self._name}.{key}", self._unread.pop(key, {}))
        return {name: fields.string(name) for name in fields.unread_keys()}

    def strings_table(self, key: str) -> dict[str, list[str]]:
        """A table of arrays of strings; empty if the key is missing."""
        fields = Table(f"{self._name}.{key}", self._unread.pop(key, {}))
        return {name: fields.strings(name) for name in fields.unread_keys()}

    def refuse_unread(self) -> None:
        """Refuses the first key that was not read."""
        for key in self._unread:
            raise BuildRefused(f'"{key}" in [{self._name}] is not supported.')

    def _checked_string(self, key: str, value: object) -> str:
        if not isinstance(value, str):
            raise BuildRefused(f'"{key}" in [{self._name}] must be text.')
        return value
