"""Tools: what a model gets of them, and that it cannot break anything with them."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any, Literal, cast

import pytest

from app_template.moving.fusion import Fusion
from app_template.speaking.speaker import Speaker
from app_template.tools import actions
from app_template.tools.body import Body
from app_template.tools.tool import tool
from app_template.tools.toolbox import Toolbox
from robot.media.media_manager import MediaManager


@tool
def greet(body: Body, name: str, how: Literal["loud", "soft"] = "soft", times: int = 1) -> str:
    """Greets somebody,
    by name.

    Args:
        name: of the person.
        times: how often.
    """
    return f"Hello {name}, {how}, {times}"


def test_the_schema_comes_from_the_signature_and_the_docstring() -> None:
    assert greet.schema == {
        "type": "function",
        "function": {
            "name": "greet",
            "description": "Greets somebody, by name.",
            "parameters": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "of the person."},
                    "how": {"type": "string", "enum": ["loud", "soft"], "default": "soft"},
                    "times": {"type": "integer", "description": "how often.", "default": 1},
                },
                "required": ["name"],
                "additionalProperties": False,
            },
        },
    }


def test_an_argument_without_a_type_is_refused_when_the_app_starts() -> None:
    def bad(body: Body, what: list[str]) -> str:
        return str(what)

    with pytest.raises(TypeError, match="The argument 'what' of the tool 'bad' needs a type"):
        tool(bad)


@pytest.fixture
def toolbox() -> Toolbox:
    module = ModuleType("some_tools")
    vars(module).update(greet=greet, fails=tool(fails), other=3)
    return Toolbox(module, cast("Body", None))


def fails(body: Body) -> str:
    """Has a mistake in it."""
    return cast("Any", body).nothing


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("greet", '{"name": "Ada"}', "Hello Ada, soft, 1"),
        ("greet", '{"name": "Ada", "how": "loud", "times": 2}', "Hello Ada, loud, 2"),
        ("gret", "{}", "There is no tool 'gret'. There are: greet, fails."),
        ("greet", '{"name": ', 'The arguments of greet are not JSON: {"name": '),
        ("greet", "[]", "greet: the arguments must be an object."),
        ("greet", "", "greet: the argument 'name' is missing."),
        ("greet", '{"name": "A", "age": 3}', "greet: there is no argument 'age'."),
        ("greet", '{"name": 3}', "greet: 'name' must be of the type string, not 3."),
        ("greet", '{"name": "A", "times": true}', "'times' must be of the type integer, not true"),
        ("greet", '{"name": "A", "how": "x"}', "greet: 'how' must be one of loud, soft, not \"x\""),
        ("fails", "{}", "fails failed: 'NoneType' object has no attribute 'nothing'"),
    ],
)
def test_each_call_has_a_result(toolbox: Toolbox, name: str, arguments: str, text: str) -> None:
    result = toolbox.call(name, arguments)
    assert text in result.text
    assert result.ok == result.text.startswith("Hello")


def test_every_tool_of_the_app_works(media: MediaManager) -> None:
    speaker = Speaker(media)
    box = Toolbox(actions, Body(Fusion(), media, speaker))
    for schema in box.schemas:
        function = schema["function"]
        required = function["parameters"]["required"]
        properties = function["parameters"]["properties"]
        arguments = {name: properties[name]["enum"][0] for name in required}
        result = box.call(function["name"], json.dumps(arguments))
        assert result.ok, result.text
        assert function["description"]
