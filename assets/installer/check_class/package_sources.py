"""Reads and parses the modules of an app's package."""

import ast
import os
import sys
from collections.abc import Iterator
from itertools import islice

from scopes import Module, Scope

# Far above the needs of any app.
MAX_FILE_BYTES = 1024 * 1024
MAX_FILES = 300
MAX_BYTES = 4 * MAX_FILE_BYTES

# A build with one of these may install other code than the sources.
BUILD_SETTINGS = ("backend-path", "package-dir", "force-include", ".hooks", "cmdclass")
# Code with one of these may change a class or a module so that its text does not tell what they are.
CHANGING_FUNCTIONS = frozenset(("exec", "eval", "globals", "vars", "locals", "setattr", "delattr", "__import__"))
CHANGING_PARTS = frozenset(("__bases__", "__dict__", "__path__", "__mro_entries__", "__subclasshook__"))
# Where the first argument of such a function is one of these, it changes neither.
INSTANCES = ("self", "args")
# The kinds of nodes that `may_change_classes` and its caller look at; most nodes of a file are none.
TELLING = frozenset((ast.Name, ast.FunctionDef, ast.Attribute, ast.Constant, ast.ImportFrom, ast.alias, ast.Call))


class Unknown(Exception):
    """The answer is only known at run time."""


class PackageSources:
    """The modules of one package, each read at its first use."""

    def __init__(self, root: str, package: str, folder: str | None = None) -> None:
        self._root = os.path.realpath(root)
        self._folder = os.path.realpath(folder or root)
        self._package = package
        self._modules: dict[str, Module] = {}
        self._trees: dict[str, ast.Module] = {}
        self.set_attributes: set[str] = set()
        """The names that some code sets as attributes of anything; complete after `require_plain_code`."""
        self.inner_names: set[str] = set()
        """The names of the package's files and folders; complete after `require_plain_code`."""

    @classmethod
    def of(cls, folder: str, module: str) -> "PackageSources":
        """The package of a module in an app's folder or its src/.

        Raises:
            Unknown: if the build may take another package.
        """
        for name in ("pyproject.toml", "setup.py", "setup.cfg"):
            text = read_text(os.path.join(folder, name))
            if any(setting in text or setting.replace("-", "_") in text for setting in BUILD_SETTINGS):
                raise Unknown
        package = module.partition(".")[0]
        roots = (folder, os.path.join(folder, "src"))
        found = [root for root in roots if cls(root, package).has_module(package)]
        if len(found) != 1:
            raise Unknown
        return cls(found[0], package, folder)

    def require_plain_code(self) -> None:
        """Reads all code of the package.

        Raises:
            Unknown: if some of it may change a class or a module in a way that is not followed.
        """
        size = 0
        for count, path in enumerate(self._files()):
            size += os.path.getsize(path)
            self.inner_names.update(os.path.relpath(path, self._root).removesuffix(".py").split(os.sep))
            if count >= MAX_FILES or size > MAX_BYTES:
                raise Unknown
            harmless: set[ast.AST] = set()
            for node in ast.walk(self._parse(path)):
                if type(node) not in TELLING:
                    continue
                if node not in harmless and may_change_classes(node):
                    raise Unknown
                if isinstance(node, ast.Call) and node.args and is_instance(node.args[0]):
                    harmless.add(node.func)
                elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                    self.set_attributes.add(node.attr)

    def is_at_top(self, name: str) -> bool:
        """Whether a module of the app's folder, in the package or beside it, has this name."""
        return os.path.exists(os.path.join(self._root, name)) or os.path.exists(os.path.join(self._root, f"{name}.py"))

    def has_module(self, name: str) -> bool:
        """Whether the package may have a module of this name: a file, a folder, an extension."""
        path = os.path.join(self._root, *name.split("."))
        folder, stem = os.path.split(path)
        try:
            return any(entry.partition(".")[0] == stem for entry in os.listdir(folder))
        except OSError:
            return False

    def module(self, name: str) -> Module:
        """Returns a module by its name.

        Raises:
            Unknown: if it is not part of the package or cannot be analysed.
        """
        if name not in self._modules:
            self._modules[name] = self._read(name)
        return self._modules[name]

    def paths(self) -> list[str]:
        """The files of the package's code, as many as are read."""
        return sorted(islice(self._files(), MAX_FILES))

    def tree(self, path: str) -> ast.Module:
        """The parsed code of a file.

        Raises:
            Unknown: if it is no file of the package, or too large.
        """
        return self._parse(path)

    def trees(self) -> Iterator[tuple[str, ast.Module]]:
        """Each file of the package with its parsed code."""
        for path in self.paths():
            yield path, self._parse(path)

    def from_folder(self, path: str) -> str:
        """The path from the app's folder, with slashes."""
        return os.path.relpath(path, self._folder).replace(os.sep, "/")

    def file_of(self, module: Module) -> str:
        """The file of a module, with slashes from the app's folder."""
        path = os.path.join(self._root, *module.name.split("."))
        return self.from_folder(os.path.join(path, "__init__.py") if module.is_package else f"{path}.py")

    def started(self, name: str) -> str:
        """The file that `python -m` runs for a module."""
        path = os.path.join(self._root, *name.split("."))
        main = os.path.join(path, "__main__.py")
        return main if os.path.isfile(main) else f"{path}.py"

    def _files(self) -> Iterator[str]:
        single = os.path.join(self._root, f"{self._package}.py")
        if os.path.isfile(single):
            yield single
        for folder, folders, names in os.walk(os.path.join(self._root, self._package)):
            if any(os.path.islink(os.path.join(folder, name)) for name in folders):
                raise Unknown
            yield from (os.path.join(folder, name) for name in names if name.endswith(".py"))

    def _read(self, name: str) -> Module:
        parts = name.split(".")
        if parts[0] != self._package or not all(part.isidentifier() for part in parts):
            raise Unknown
        path = os.path.join(self._root, *parts)
        inits = os.path.join(path, "__init__.py")
        is_package = os.path.isfile(inits)
        compiled = any(is_compiled(entry, parts[-1]) for entry in os.listdir(os.path.dirname(path)))
        if compiled or is_package == os.path.isfile(f"{path}.py"):
            raise Unknown
        tree = self._parse(inits if is_package else f"{path}.py")
        global_names = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
        return Module(name, is_package, Scope(tree.body), global_names)

    def _parse(self, path: str) -> ast.Module:
        if path not in self._trees:
            self._trees[path] = self._parsed(path)
        return self._trees[path]

    def _parsed(self, path: str) -> ast.Module:
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


def is_instance(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in INSTANCES


def may_change_classes(node: ast.AST) -> bool:
    """Whether a node may change a class, or what a module holds."""
    match node:
        case ast.Name(id=name):
            return name in CHANGING_FUNCTIONS
        case ast.FunctionDef(name=name):
            return name in CHANGING_PARTS
        case ast.Attribute(value=ast.Name(id="self"), attr="__dict__" | "__class__"):
            return False
        case ast.Attribute(attr="__class__", ctx=ast.Store()):
            return True
        case ast.Attribute(value=ast.Name(id=owner), attr="register") if owner in sys.stdlib_module_names:
            return False  # as in `atexit.register`, other than a base class's `register`
        case ast.Attribute(value=ast.Name(id="sys"), attr="modules"):
            return True
        case ast.Attribute(attr=name):
            return name in CHANGING_PARTS or name == "register"
        case ast.Constant(value=str(text)):
            return text in CHANGING_PARTS
        case ast.ImportFrom(module="sys", names=names):
            return any(alias.name == "modules" for alias in names)
        case ast.alias(name=name):
            return name == "builtins"
    return False


def is_compiled(entry: str, stem: str) -> bool:
    """Whether Python prefers a file to the module's source."""
    return entry.startswith(f"{stem}.") and entry.endswith((".so", ".pyd"))


def read_text(path: str) -> str:
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(MAX_FILE_BYTES)


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
