"""A mapping whose items can be read as attributes too."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Fields(dict[str, "Any"]):
    """Items by their names, as `fields["name"]`, `fields.get("name")` and `fields.name`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no {name!r}") from None

    def to_dict(self) -> dict[str, Any]:
        """A plain dictionary with the values of JSON."""
        plain: dict[str, Any] = json.loads(self.model_dump_json())
        return plain

    def model_dump(self, **options: object) -> dict[str, Any]:
        """Same as `to_dict`. `options` are accepted for apps that pass some, and ignored."""
        return self.to_dict()

    def model_dump_json(self, **options: object) -> str:
        """The items as JSON. `options` are accepted for apps that pass some, and ignored."""
        return json.dumps(self)
