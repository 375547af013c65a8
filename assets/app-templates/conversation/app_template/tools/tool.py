"""Turns a function into a tool: its schema is made from its signature and its docstring."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, Concatenate, Literal, NamedTuple, get_args, get_origin, get_type_hints

from app_template.tools.body import Body

_JSON_TYPES: dict[object, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
}


class Tool(NamedTuple):
    """A function that a model may call."""

    name: str
    function: Callable[..., str]
    """Takes the body, then the arguments by name."""
    description: str
    parameters: dict[str, Any]
    """The arguments as a JSON schema."""

    @property
    def schema(self) -> dict[str, Any]:
        """The tool as OpenAI's interface describes it."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
        }
        return {"type": "function", "function": function}


def tool(function: Callable[Concatenate[Body, ...], str]) -> Tool:
    """Decorates a tool. Its arguments may be of type str, int, float, bool or a Literal of texts.

    Raises:
        TypeError: if an argument has another type, or none.
    """
    text = inspect.getdoc(function) or ""
    description, _, arguments = text.partition("\n\nArgs:\n")
    hints = get_type_hints(function)
    parameters = list(inspect.signature(function).parameters.values())[1:]  # without the body
    properties: dict[str, Any] = {}
    for parameter in parameters:
        properties[parameter.name] = _schema_of(function, parameter.name, hints)
        if said := re.search(rf"^\s*{parameter.name}: (.*)$", arguments, re.MULTILINE):
            properties[parameter.name]["description"] = said[1]
        if parameter.default is not parameter.empty:
            properties[parameter.name]["default"] = parameter.default
    schema = {
        "type": "object",
        "properties": properties,
        "required": [each.name for each in parameters if each.default is each.empty],
        "additionalProperties": False,
    }
    return Tool(function.__name__, function, " ".join(description.split()), schema)


def _schema_of(
    function: Callable[..., object], name: str, hints: dict[str, Any]
) -> dict[str, Any]:
    hint = hints.get(name)
    if get_origin(hint) is Literal:
        return {"type": "string", "enum": list(get_args(hint))}
    if hint not in _JSON_TYPES:
        raise TypeError(
            f"The argument {name!r} of the tool {function.__name__!r} needs a type: str, int, "
            "float, bool or a Literal of texts."
        )
    return {"type": _JSON_TYPES[hint]}
