"""Calls tools for a partner, which may make mistakes: nothing that it asks for ends the app."""

from __future__ import annotations

import json
import traceback
from types import ModuleType
from typing import Any, NamedTuple

from app_template.tools.body import Body
from app_template.tools.tool import Tool
from robot import AppStopping


class Result(NamedTuple):
    """The result of a call."""

    text: str
    """A sentence for the partner."""
    ok: bool


class Toolbox:
    """The tools of a module, for one body."""

    def __init__(self, module: ModuleType, body: Body) -> None:
        self._tools = {
            each.name: each for each in vars(module).values() if isinstance(each, Tool)
        }
        self._body = body

    @property
    def schemas(self) -> list[dict[str, Any]]:
        """All tools as OpenAI's interface describes them."""
        return [each.schema for each in self._tools.values()]

    def call(self, name: str, arguments: str) -> Result:
        """Calls a tool with arguments in JSON. A failure is a result too.

        Raises:
            AppStopping: if the app is asked to stop.
        """
        tool = self._tools.get(name)
        if tool is None:
            return Result(f"There is no tool {name!r}. There are: {', '.join(self._tools)}.", False)
        try:
            given = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            return Result(f"The arguments of {name} are not JSON: {arguments[:200]}", False)
        problem = _problem(tool, given)
        if problem:
            return Result(f"{name}: {problem}", False)
        try:
            return Result(tool.function(self._body, **given), True)
        except AppStopping:
            raise
        except Exception as error:  # whatever a tool does wrong, the conversation goes on
            traceback.print_exc()
            return Result(f"{name} failed: {error}", False)


def _problem(tool: Tool, given: Any) -> str:
    """Why the arguments do not fit; empty if they do."""
    properties = tool.parameters["properties"]
    if not isinstance(given, dict):
        return "the arguments must be an object."
    if unknown := sorted(set(given) - set(properties)):
        return f"there is no argument {unknown[0]!r}."
    if missing := [name for name in tool.parameters["required"] if name not in given]:
        return f"the argument {missing[0]!r} is missing."
    for name, value in given.items():
        if not _fits(properties[name], value):
            return f"{name!r} must be {_wanted(properties[name])}, not {json.dumps(value)[:80]}."
    return ""


def _fits(schema: dict[str, Any], value: Any) -> bool:
    if "enum" in schema:
        return value in schema["enum"]
    if isinstance(value, bool) or schema["type"] == "boolean":
        return isinstance(value, bool) and schema["type"] == "boolean"
    kinds = {"string": str, "integer": int, "number": (int, float)}
    return isinstance(value, kinds[schema["type"]])


def _wanted(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    return f"of the type {schema['type']}"
