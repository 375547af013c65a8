"""Follows names from a class to the value of its address attribute."""

import ast
from dataclasses import dataclass

from package_sources import ATTRIBUTE, PackageSources, Unknown, origin
from scopes import Module, Place, Scope, is_name

# Far above the needs of any app. The limit of steps also ends circular references.
MAX_STEPS = 150
MAX_TEXT = 2000


@dataclass
class Sdk:
    """A module of the SDK, or something in one."""

    name: str

    def is_robot_app(self) -> bool:
        return self.name.startswith("robot.") and self.name.endswith(".RobotApp")


@dataclass
class AppClass:
    """A class of the app's package."""

    node: ast.ClassDef
    place: Place


Value = str | int | None | Module | Sdk | AppClass


class AddressReader:
    """Follows names through the sources of one package."""

    def __init__(self, sources: PackageSources) -> None:
        self._sources = sources
        self._steps = 0

    def address(self, module_name: str, class_name: str) -> str | None:
        """The value of a class's attribute.

        Raises:
            Unknown, ChangedLater: if it cannot be determined.
        """
        found = self._member(self._sources.module(module_name), class_name)
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
        """Reads the modules of all readable bases: their methods might change the attribute."""
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
        """The text of an expression in `str()` or an f-string."""
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
        """The statement that binds `name` at `place`, with its own place; None if there is none."""
        module, scope = place.module, place.class_scope
        at = None if scope is None else scope.last_before(place.at_in_class, name)
        if scope is not None and at is not None:
            return scope.body[at], Place(module, place.at, scope, at)
        if name in module.global_names:
            raise Unknown
        at = module.scope.last_before(place.at, name)
        return None if at is None else (module.scope.body[at], Place(module, at))

    def _bound_by(self, statement: ast.stmt, place: Place, name: str) -> Value:
        """The value that `statement` binds to `name`; unknown for branches, loops and unpacking."""
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
                return self._sources.module(f"{owner.name}.{name}")
        raise Unknown

    def _imported(self, module_name: str) -> Value:
        if module_name.partition(".")[0] == "robot":
            return Sdk(module_name)
        return self._sources.module(module_name)

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Unknown


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
