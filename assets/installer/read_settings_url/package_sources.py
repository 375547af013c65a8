"""Reads and parses the modules of an app's package."""

import ast
import os

from scopes import Module, Scope

ATTRIBUTE = "custom_app_url"
# Far above the needs of any app.
MAX_FILE_BYTES = 1024 * 1024
MAX_FILES = 20


class Unknown(Exception):
    """The value is only known at run time."""


class ChangedLater(Exception):
    """A statement outside a class body also sets the attribute, so the value in the class may not hold."""


class PackageSources:
    """The modules of one package, each read at its first use."""

    def __init__(self, root: str, package: str) -> None:
        self._root = os.path.realpath(root)
        self._package = package
        self._modules: dict[str, Module] = {}

    def module(self, name: str) -> Module:
        """Returns a module by its name.

        Raises:
            Unknown, ChangedLater: if it is not part of the package or cannot be analysed.
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
        # The package is a folder or one file; links must not lead out of it.
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
        # Bytes: Python handles the byte order mark and the declared encoding.
        return ast.parse(source)


def changes_attribute(node: ast.AST) -> bool:
    """Whether a node sets the attribute on any object, or contains its name, as for `setattr`."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return name == ATTRIBUTE
        case ast.Constant(value=str(text)):
            return text == ATTRIBUTE
    return False


def origin(statement: ast.ImportFrom, module: Module) -> str:
    """The absolute module name of a `from … import`."""
    if statement.level == 0:
        return statement.module or ""
    # In a package's __init__.py, the first dot is the package itself.
    up = statement.level - 1 if module.is_package else statement.level
    parts = module.name.split(".")
    if up >= len(parts):
        raise Unknown
    return ".".join([*parts[: len(parts) - up], *filter(None, [statement.module])])
