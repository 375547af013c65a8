"""Scopes and bindings: finds the statement that binds a name at a place."""

import ast
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass


class Scope:
    """The statements of a module, with the names that they bind."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self.body = body
        self._places: dict[str, list[int]] = {}
        for place, statement in enumerate(body):
            for name in bound_names(statement):
                self._places.setdefault(name, []).append(place)

    def last_before(self, end: int, name: str) -> int | None:
        """The index of the last statement before `end` that binds `name` or may bind it."""
        found = []
        for places in (self._places.get(name, []), self._places.get("*", [])):
            found += places[: bisect_left(places, end)][-1:]
        return max(found, default=None)


@dataclass(eq=False)
class Module:
    """A module of the app's package."""

    name: str
    is_package: bool
    scope: Scope
    global_names: set[str]
    """The names that functions may bind when they are called."""


@dataclass
class Place:
    """The place of a statement in a module: earlier statements bind its names."""

    module: Module
    at: int


def bound_names(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement may bind in its own scope; `*` for any."""
    if isinstance(statement, ast.AnnAssign) and statement.value is None:
        return
    left: list[ast.AST] = [statement]
    while left:
        node = left.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                inner = set(node.body)  # another scope, unlike decorators and bases
                left.extend(child for child in ast.iter_child_nodes(node) if child not in inner)
                continue
            case ast.Lambda():
                continue
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.alias(name=name, asname=asname):
                yield asname or name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
        left.extend(ast.iter_child_nodes(node))


def is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
