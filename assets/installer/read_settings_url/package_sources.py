"""The sources of an app's package: its files, read and parsed as its modules."""

import ast
import os

from scopes import Module, Scope

ATTRIBUTE = "custom_app_url"
# What no app comes near.
MAX_FILE_BYTES = 1024 * 1024
MAX_FILES = 20


class Unknown(Exception):
    """Only running the app could tell."""


class ChangedLater(Exception):
    """The attribute is also set by a statement outside a class body, so what the class says may not hold."""


class PackageSources:
    """The modules of one package, each read when it is first asked for."""

    def __init__(self, root: str, package: str) -> None:
        self._root = os.path.realpath(root)
        self._package = package
        self._modules: dict[str, Module] = {}

    def module(self, name: str) -> Module:
        """The module of that name.

        Raises:
            Unknown, ChangedLater: if it is not one of the package, or nothing can be said about it.
        """
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
