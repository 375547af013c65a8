"""Reads the address of an app's settings page, `custom_app_url`, from its sources. Nothing of the app is run.

Usage: read_settings_url.py FOLDER MODULE CLASS RESULT_FILE. FOLDER is what the package is imported from, or has that
as src/. Exits with 0 and writes {"known": true, "url": "http://localhost:8042"}, {"known": true, "url": null} for an
app without a page, or {"known": false, "url": null} where only running the app could tell.
"""

import ast
import json
import os
import sys
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

ATTRIBUTE = "custom_app_url"
# What no app comes near. Steps also end what leads in a circle.
MAX_FILE_BYTES = 1024 * 1024
MAX_FILES = 20
MAX_STEPS = 150
MAX_TEXT = 2000


class Unknown(Exception):
    """Only running the app could tell."""


class ChangedLater(Exception):
    """The attribute is also set by a statement outside a class body, so what the class says may not hold."""


class Scope:
    """The statements of a module or a class body, and which of them bind a name."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self.body = body
        self._places: dict[str, list[int]] = {}
        for place, statement in enumerate(body):
            for name in bound_names(statement):
                self._places.setdefault(name, []).append(place)

    def last_before(self, end: int, name: str) -> int | None:
        """The last statement before `end` that binds `name`, or may do so."""
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
    """What functions may bind, whenever they are called."""


@dataclass
class Sdk:
    """A module of the SDK, or something in one."""

    name: str

    def is_robot_app(self) -> bool:
        return self.name.startswith("robot.") and self.name.endswith(".RobotApp")


@dataclass
class Place:
    """Where a statement is, in a module or in a class body there: its names mean what was bound before it."""

    module: Module
    at: int
    class_scope: Scope | None = None
    at_in_class: int = 0


@dataclass
class AppClass:
    """A class of the app's package."""

    node: ast.ClassDef
    place: Place


Value = str | int | None | Module | Sdk | AppClass


class Reader:
    """Follows names through the sources of one package."""

    def __init__(self, root: str, package: str) -> None:
        self._root = os.path.realpath(root)
        self._package = package
        self._modules: dict[str, Module] = {}
        self._steps = 0

    def address(self, module_name: str, class_name: str) -> str | None:
        """The attribute of a class.

        Raises:
            Unknown, ChangedLater: if it cannot be told.
        """
        found = self._member(self._module(module_name), class_name)
        if not isinstance(found, AppClass):
            raise Unknown
        address = self._address_of(found)
        self._follow_bases(found)
        return address

    def _address_of(self, of: AppClass) -> str | None:
        self._step()
        if of.node.decorator_list or of.node.keywords:
            raise Unknown
        scope = Scope(of.node.body)
        at = scope.last_before(len(scope.body), ATTRIBUTE)
        if at is not None:
            place = Place(of.place.module, of.place.at, scope, at)
            address = self._bound_by(scope.body[at], place, ATTRIBUTE)
            if address is None or isinstance(address, str):
                return address
            raise Unknown
        if len(of.node.bases) != 1:
            raise Unknown
        base = self._evaluate(of.node.bases[0], of.place)
        if isinstance(base, AppClass):
            return self._address_of(base)
        if isinstance(base, Sdk) and base.is_robot_app():
            return None
        raise Unknown

    def _follow_bases(self, of: AppClass) -> None:
        """Reads the modules of all bases that can be followed: their methods might change the attribute."""
        for expression in of.node.bases:
            try:
                base = self._evaluate(expression, of.place)
            except Unknown:
                continue
            if isinstance(base, AppClass):
                self._follow_bases(base)

    def _evaluate(self, expression: ast.expr, place: Place) -> Value:
        self._step()
        match expression:
            case ast.Constant(value=str() | int() | None as value) if not isinstance(value, bool):
                return bounded(value)
            case ast.Name(id=name):
                return self._name(name, place)
            case ast.Attribute(value=owner, attr=name):
                return self._member(self._evaluate(owner, place), name)
            case ast.JoinedStr(values=parts):
                return bounded("".join(self._text(part, place) for part in parts))
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return bounded(added(self._evaluate(left, place), self._evaluate(right, place)))
            case ast.Call(func=ast.Name(id="str"), args=[argument], keywords=[]) if self._find("str", place) is None:
                return self._text(argument, place)
        raise Unknown

    def _text(self, expression: ast.expr, place: Place) -> str:
        """What `str()` makes of it, or an f-string."""
        if isinstance(expression, ast.FormattedValue):
            if expression.format_spec is not None or expression.conversion not in (-1, ord("s")):
                raise Unknown
            expression = expression.value
        value = self._evaluate(expression, place)
        if isinstance(value, (str, int)):
            return str(value)
        raise Unknown

    def _name(self, name: str, place: Place) -> Value:
        found = self._find(name, place)
        if found is None:
            raise Unknown
        return self._bound_by(*found, name)

    def _find(self, name: str, place: Place) -> tuple[ast.stmt, Place] | None:
        """The statement that gives `name` its meaning at `place`, and where that is; None if nothing does."""
        module, scope = place.module, place.class_scope
        at = None if scope is None else scope.last_before(place.at_in_class, name)
        if scope is not None and at is not None:
            return scope.body[at], Place(module, place.at, scope, at)
        if name in module.global_names:
            raise Unknown
        at = module.scope.last_before(place.at, name)
        return None if at is None else (module.scope.body[at], Place(module, at))

    def _bound_by(self, statement: ast.stmt, place: Place, name: str) -> Value:
        """What `statement` binds `name` to; unknown for all that is not plain: branches, loops, unpacking."""
        self._step()
        match statement:
            case ast.Assign(targets=targets, value=value) if any(is_name(target, name) for target in targets):
                return self._evaluate(value, place)
            case ast.AnnAssign(target=target, value=ast.expr() as value) if is_name(target, name):
                return self._evaluate(value, place)
            case ast.ClassDef() if place.class_scope is None:
                return AppClass(statement, place)
            case ast.Import(names=aliases):
                for alias in reversed(aliases):
                    if (alias.asname or alias.name.partition(".")[0]) == name:
                        return self._imported(alias.name if alias.asname else name)
            case ast.ImportFrom(names=aliases):
                for alias in reversed(aliases):
                    if (alias.asname or alias.name) == name:
                        return self._member(self._imported(origin(statement, place.module)), alias.name)
        raise Unknown

    def _member(self, owner: Value, name: str) -> Value:
        self._step()
        if isinstance(owner, Sdk):
            return Sdk(f"{owner.name}.{name}")
        if isinstance(owner, Module):
            found = self._find(name, Place(owner, len(owner.scope.body)))
            if found is not None:
                return self._bound_by(*found, name)
            if owner.is_package:
                return self._module(f"{owner.name}.{name}")
        raise Unknown

    def _imported(self, module_name: str) -> Value:
        if module_name.partition(".")[0] == "robot":
            return Sdk(module_name)
        return self._module(module_name)

    def _module(self, name: str) -> Module:
        if name not in self._modules:
            if len(self._modules) >= MAX_FILES:
                raise Unknown
            self._modules[name] = self._read(name)
        return self._modules[name]

    def _read(self, name: str) -> Module:
        parts = name.split(".")
        if parts[0] != self._package or not all(part.isidentifier() for part in parts):
            raise Unknown
        path = os.path.join(self._root, *parts)
        inits = os.path.join(path, "__init__.py")
        is_package = os.path.isfile(inits)
        tree = self._parse(inits if is_package else f"{path}.py")
        if any(changes_attribute(node) for node in ast.walk(tree)):
            raise ChangedLater
        global_names = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
        return Module(name, is_package, Scope(tree.body), global_names)

    def _parse(self, path: str) -> ast.Module:
        # The package's own folder, or its one file; links may not lead out of it.
        top = os.path.join(self._root, self._package)
        inside = os.path.realpath(path)
        if inside != f"{top}.py" and os.path.commonpath([inside, top]) != top:
            raise Unknown
        if not os.path.isfile(inside):
            raise Unknown
        with open(inside, "rb") as file:
            source = file.read(MAX_FILE_BYTES + 1)
        if len(source) > MAX_FILE_BYTES:
            raise Unknown
        # As bytes: Python itself sees to the byte order mark and the declared encoding.
        return ast.parse(source)

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Unknown


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
                continue  # what is inside is another scope
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


def changes_attribute(node: ast.AST) -> bool:
    """Whether it sets the attribute of something, or names it as `setattr` would have to."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return name == ATTRIBUTE
        case ast.Constant(value=str(text)):
            return text == ATTRIBUTE
    return False


def origin(statement: ast.ImportFrom, module: Module) -> str:
    """The absolute name of the module that `from … import` names."""
    if statement.level == 0:
        return statement.module or ""
    # From a package itself, the first dot is that package.
    up = statement.level - 1 if module.is_package else statement.level
    parts = module.name.split(".")
    if up >= len(parts):
        raise Unknown
    return ".".join([*parts[: len(parts) - up], *filter(None, [statement.module])])


def added(left: Value, right: Value) -> str | int:
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    raise Unknown


def bounded(value: str | int | None) -> str | int | None:
    if isinstance(value, str) and len(value) > MAX_TEXT:
        raise Unknown
    return value


def is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def read(folder: str, module: str, class_name: str) -> dict[str, object]:
    """What is written into the result file."""
    package, *rest = module.split(".")
    for root in (folder, os.path.join(folder, "src")):
        path = os.path.join(root, package, *rest)
        if os.path.isfile(f"{path}.py") or os.path.isfile(os.path.join(path, "__init__.py")):
            try:
                return {"known": True, "url": Reader(root, package).address(module, class_name)}
            except Exception:  # Sources can be odd in more ways than are worth naming: all mean "unknown".
                break
    return {"known": False, "url": None}


def write(result_file: str, result: dict[str, object]) -> None:
    with open(result_file, "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # about the app's sources, for its author
    folder, module, class_name, result_file = sys.argv[1:]
    # Already there if what is nested too deeply ends the interpreter, as Python 3.10's parser does.
    write(result_file, {"known": False, "url": None})
    write(result_file, read(folder, module, class_name))
