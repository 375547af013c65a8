"""Follows names from a class to its base classes."""

import ast
import builtins
import sys
from dataclasses import dataclass

from package_sources import PackageSources, Unknown, origin
from scopes import Module, Place, is_name

# Far above the needs of any app. The limit of steps also ends circular references.
MAX_STEPS = 150
# Classes of the SDK that are no apps; others may be.
OTHER_SDK_CLASSES = ("robot.Robot", "robot.robot.Robot")


@dataclass
class Sdk:
    """A module of the SDK, or something in one."""

    name: str

    def is_robot_app(self) -> bool:
        return self.name.startswith("robot.") and self.name.endswith(".RobotApp")


@dataclass
class Standard:
    """A module of the standard library, or something in one or in `builtins`."""

    name: str


@dataclass
class AppClass:
    """A class of the app's package."""

    node: ast.ClassDef
    place: Place


@dataclass
class NoClass:
    """A value that is no class: a function, a number, a text."""


Value = Module | Sdk | Standard | AppClass | NoClass


class ClassReader:
    """Follows names through the sources of one package."""

    def __init__(self, sources: PackageSources) -> None:
        self._sources = sources
        self._steps = 0

    def problem_with(self, module_name: str, class_name: str) -> str | None:
        """Why the class cannot be an app, in the words of the import check; None if it is one.

        Raises:
            Unknown: if only the import can tell.
        """
        self._sources.require_plain_code()
        module = self._sources.module(module_name)
        if not self._may_have(module, class_name):
            return f"{module_name} has no class {class_name}, which the entry point names"
        if self._is_app(self._member(module, class_name)):
            return None
        return f"{class_name} in {module_name} is not a subclass of robot.RobotApp"

    def class_of(self, module_name: str, class_name: str) -> AppClass:
        """The class that a module binds to a name.

        Raises:
            Unknown: if only the import can tell.
        """
        found = self._member(self._sources.module(module_name), class_name)
        if isinstance(found, AppClass):
            return found
        raise Unknown

    def value_of(self, expression: ast.expr, place: Place) -> Value:
        """The value of an expression at a place.

        Raises:
            Unknown: if only the import can tell.
        """
        return self._evaluate(expression, place)

    def page_of(self, module_name: str, class_name: str) -> str | None:
        """The text of the class's `custom_app_url`; None without one.

        Raises:
            Unknown: if the class is not found.
        """
        found = self._member(self._sources.module(module_name), class_name)
        value = page_value(found) if isinstance(found, AppClass) else None
        return value and text_of(value)

    def _may_have(self, module: Module, name: str) -> bool:
        end = Place(module, len(module.scope.body))
        if any(self._find(bound, end) for bound in (name, "__getattr__")):
            return True
        return module.is_package and self._sources.has_module(f"{module.name}.{name}")

    def _is_app(self, found: Value) -> bool:
        """Whether a value is `RobotApp` or a subclass of it."""
        self._step()
        match found:
            case Sdk() if found.is_robot_app():
                return True
            case Sdk(name=name) if name in OTHER_SDK_CLASSES:
                return False
            case Standard() | NoClass():
                return False
            case AppClass(node=node, place=place) if not node.decorator_list and not node.keywords:
                # A base that is no class may put others in its place.
                bases = [self._evaluate(base, place) for base in node.bases]
                if any(isinstance(base, NoClass) for base in bases):
                    raise Unknown
                return any([self._is_app(base) for base in bases])
        raise Unknown

    def _evaluate(self, expression: ast.expr, place: Place) -> Value:
        self._step()
        match expression:
            case ast.Constant(value=value) if value is not None:
                return NoClass()
            case ast.JoinedStr() | ast.List() | ast.Dict() | ast.Set() | ast.Tuple() | ast.Lambda():
                return NoClass()
            case ast.Name(id=name):
                return self._name(name, place)
            case ast.Attribute(value=owner, attr=name):
                return self._member(self._evaluate(owner, place), name)
        raise Unknown

    def _name(self, name: str, place: Place) -> Value:
        found = self._find(name, place)
        if found is not None:
            return self._bound_by(*found, name)
        if isinstance(getattr(builtins, name, None), type):
            return Standard(f"builtins.{name}")
        raise Unknown

    def _find(self, name: str, place: Place) -> tuple[ast.stmt, Place] | None:
        """The statement that binds `name` at `place`, with its own place; None if there is none."""
        module = place.module
        # Functions may set it when they are called.
        if name in module.global_names or name in self._sources.set_attributes:
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
            case ast.ClassDef():
                return AppClass(statement, place)
            case ast.FunctionDef(decorator_list=[]) | ast.AsyncFunctionDef(decorator_list=[]):
                return NoClass()
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
        match owner:
            case Sdk(name=module):
                return Sdk(f"{module}.{name}")
            case Standard(name=module) if name not in self._sources.set_attributes:
                return Standard(f"{module}.{name}")
            case Module():
                found = self._find(name, Place(owner, len(owner.scope.body)))
                if found is not None:
                    return self._bound_by(*found, name)
                if owner.is_package:
                    return self._sources.module(f"{owner.name}.{name}")
        raise Unknown

    def _imported(self, module_name: str) -> Value:
        top = module_name.partition(".")[0]
        if self._sources.is_at_top(top):
            return self._sources.module(module_name)
        if top == "robot":
            return Sdk(module_name)
        # Code that adds its own folder to sys.path may import its module of that name instead.
        if top in sys.stdlib_module_names and top not in self._sources.inner_names:
            return Standard(module_name)
        raise Unknown

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Unknown


def page_value(found: AppClass) -> ast.expr | None:
    """The value that the body of a class assigns to `custom_app_url` last; None without one."""
    page = None
    for statement in found.node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="custom_app_url")], value=value) | ast.AnnAssign(
                target=ast.Name(id="custom_app_url"), value=ast.expr() as value
            ):
                page = value
    return page


def text_of(value: ast.expr) -> str | None:
    """The text that an expression is; None if it is anything else."""
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
