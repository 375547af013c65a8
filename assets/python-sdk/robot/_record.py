"""`Record`, the base of small tuples with named fields."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:
    from collections import namedtuple

    class _Fields(type):
        def __new__(mcs, name, bases, members):
            if not bases:
                return super().__new__(mcs, name, bases, members)
            fields = members.get("__annotations__", {})
            defaults = [members.pop(field) for field in fields if field in members]
            fields_only = namedtuple(name, fields, defaults=defaults)
            return type(name, (fields_only,), {**members, "__slots__": ()})

    class Record(metaclass=_Fields):
        """Like `typing.NamedTuple`, whose module takes milliseconds to import."""


__all__ = ["Record"]
