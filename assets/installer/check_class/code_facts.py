"""Facts about an app's code for its author: where it can be read, where it would fail, and in which line."""

import ast
import warnings
from collections.abc import Iterator
from typing import Any

from class_reader import AppClass, ClassReader, Sdk, page_value, text_of
from endless_run import endless_loop
from package_sources import PackageSources, Unknown

# Names that show that the app serves pages by its own code.
SERVERS = frozenset(
    ("settings_app", "dont_start_webserver", "uvicorn", "fastapi", "flask", "gradio", "aiohttp", "http", "streamlit")
    + ("websockets", "tornado", "bottle", "nicegui", "dash", "starlette", "socketserver", "quart", "sanic", "cherrypy")
)
# How a route is added for one path.
ROUTES = frozenset(("get", "post", "put", "patch", "delete", "options", "head", "api_route", "websocket"))
MAX_ERRORS = 20
MAX_CLASSES = 20
# `run` is called with the robot and the stop event.
RUN_ARGUMENTS = 2

Fact = dict[str, Any]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def code_facts(sources: PackageSources, reader: ClassReader, module_name: str, class_name: str) -> Fact:
    """The facts as plain values; each is None where only the import can tell."""
    errors = list(syntax_errors(sources))
    facts: Fact = {"syntaxErrors": errors[:MAX_ERRORS], "class": None, "run": None, "page": None, "main": None}
    facts["apps"] = []
    for name, find in (
        ("class", lambda: class_place(sources, reader.class_of(module_name, class_name))),
        ("run", lambda: run_facts(sources, reader, reader.class_of(module_name, class_name))),
        ("page", lambda: page_facts(sources, reader.class_of(module_name, class_name))),
        ("main", lambda: main_facts(sources, module_name)),
        ("apps", lambda: app_classes(sources, reader, module_name)),
    ):
        try:
            facts[name] = find()
        except Exception:  # Each failure means "unknown".
            continue
    address = (facts["page"] or {}).get("text") or ""
    facts["serves"] = None if errors else any(serves(tree, address) for _, tree in sources.trees())
    return facts


def syntax_errors(sources: PackageSources) -> Iterator[Fact]:
    for path in sources.paths():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                # The compiler finds more than the parser: a `return` outside a function, a late `from __future__`.
                compile(sources.tree(path), path, "exec", dont_inherit=True)
        except SyntaxError as error:
            yield {"file": sources.from_folder(path), "line": error.lineno or 1, "message": error.msg}
        except ValueError as error:  # a null byte, or bytes that the declared encoding does not have
            yield {"file": sources.from_folder(path), "line": 1, "message": str(error)}
        except (Unknown, OSError, RecursionError, MemoryError):
            continue


def app_classes(sources: PackageSources, reader: ClassReader, module_name: str) -> list[str]:
    """The names of the module's own classes that are apps."""
    tree = sources.tree(sources.started(module_name))
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    return [name for name in names[:MAX_CLASSES] if is_app(reader, module_name, name)]


def is_app(reader: ClassReader, module_name: str, class_name: str) -> bool:
    try:
        return reader.problem_with(module_name, class_name) is None
    except Exception:  # Each failure means "unknown".
        return False


def serves(tree: ast.Module, address: str) -> bool:
    """Whether the code may serve the page itself at `address`, `custom_app_url`."""
    nodes = list(ast.walk(tree))
    beside = {id(app) for node in nodes if (app := app_of_other_route(node, address)) is not None}
    for node in nodes:
        match node:
            case _ if id(node) in beside:
                continue
            case ast.Attribute(attr=name) | ast.Name(id=name) if name in SERVERS:
                return True
            case ast.alias(name=name) if name.partition(".")[0] in SERVERS:
                return True
            case ast.ImportFrom(module=str(name)) if name.partition(".")[0] in SERVERS:
                return True
    return False


def app_of_other_route(node: ast.AST, address: str) -> ast.expr | None:
    """The `settings_app` of a route beside the page, such as `@self.settings_app.put("/settings")`."""
    page = address.partition("://")[2].partition("/")[2].strip("/")
    match node:
        case ast.Call(
            func=ast.Attribute(value=(ast.Attribute() | ast.Name()) as app, attr=method),
            args=[ast.Constant(value=str(path)), *_],
        ) if method in ROUTES and "{" not in path and path.strip("/") != page:
            return app
    return None


def class_place(sources: PackageSources, found: AppClass) -> Fact:
    return {"file": sources.file_of(found.place.module), "line": found.node.lineno}


def page_facts(sources: PackageSources, found: AppClass) -> Fact | None:
    """The last assignment of the class's body to `custom_app_url`; its text, if it is written as one."""
    value = page_value(found)
    if value is None:
        return None
    return {"file": sources.file_of(found.place.module), "line": value.lineno, "text": text_of(value)}


def run_facts(sources: PackageSources, reader: ClassReader, found: AppClass) -> Fact | None:
    """Where the class or its bases define `run`, and whether it can be called; None if that is unknown.

    `line` is None if nothing defines it.
    """
    if found.node.decorator_list or found.node.keywords:
        return None
    defined = None
    for statement in found.node.body:
        match statement:
            case ast.FunctionDef(name="run") | ast.AsyncFunctionDef(name="run"):
                defined = statement
            case ast.Assign(targets=targets) if any(isinstance(each, ast.Name) and each.id == "run" for each in targets):
                return None
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Expr() | ast.Assign() | ast.AnnAssign() | ast.Pass():
                continue
            case ast.ClassDef():
                continue
            case _:
                return None
    file = sources.file_of(found.place.module)
    if defined is not None:
        is_async = isinstance(defined, ast.AsyncFunctionDef)
        endless = endless_loop(defined, (tree for _, tree in sources.trees()))
        return run_fact(file, defined.lineno, isAsync=is_async, accepts=accepts(defined), endless=endless)
    bases = [reader.value_of(base, found.place) for base in found.node.bases]
    if bases and all(isinstance(base, Sdk) and base.is_robot_app() for base in bases):
        sources.require_plain_code()
        if "run" in sources.set_attributes:
            return None
        return run_fact(file, None)
    if len(bases) == 1 and isinstance(bases[0], AppClass):
        return run_facts(sources, reader, bases[0])
    return None


def run_fact(file: str, line: "int | None", **more: Any) -> Fact:
    return {"file": file, "line": line, "isAsync": False, "accepts": False, "endless": None, **more}


def accepts(function: FunctionNode) -> bool:
    """Whether a method can be called with two positional arguments. Decorators may change that: then it is."""
    if function.decorator_list:
        return True
    arguments = function.args
    if any(default is None for default in arguments.kw_defaults):
        return False
    positional = [*arguments.posonlyargs, *arguments.args]
    most = len(positional) - 1
    least = most - len(arguments.defaults)
    if not positional:
        return arguments.vararg is not None
    return least <= RUN_ARGUMENTS and (most >= RUN_ARGUMENTS or arguments.vararg is not None)


def main_facts(sources: PackageSources, module_name: str) -> Fact | None:
    """The effects of starting the module: `line` is None without a block. None for a module that does it in another one."""
    path = sources.started(module_name)
    tree = sources.tree(path)
    is_main_file = path.endswith("__main__.py")
    block = next((node for node in tree.body if is_main_block(node)), None)
    if block is None and not is_main_file:
        return {"file": sources.from_folder(path), "line": None, "wrappedRun": False, "stops": False}
    started: list[ast.AST] = [block] if block is not None else list(tree.body)
    nodes, imported = reached(tree, started, module_name.partition(".")[0])
    wrapped_run = any(isinstance(node, ast.Attribute) and node.attr == "wrapped_run" for node in nodes)
    if not wrapped_run and imported:
        return None
    return {
        "file": sources.from_folder(path),
        "line": block.lineno if block is not None else 1,
        "wrappedRun": wrapped_run,
        "stops": any(stops(node) for node in nodes),
    }


def is_main_block(node: ast.stmt) -> bool:
    match node:
        case ast.If(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            return any(
                isinstance(one, ast.Name)
                and one.id == "__name__"
                and isinstance(other, ast.Constant)
                and other.value == "__main__"
                for one, other in ((left, right), (right, left))
            )
    return False


def reached(tree: ast.Module, started: list[ast.AST], package: str) -> tuple[list[ast.AST], bool]:
    """The nodes of statements and of the module's functions that they call.

    The second value tells whether they call a function of another module of the package, which is not followed.
    """
    functions = {node.name: node for node in tree.body if isinstance(node, FunctionNode)}
    own = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.level > 0 or (node.module or "").partition(".")[0] == package)
        for alias in node.names
    }
    nodes: list[ast.AST] = []
    left = list(started)
    called: set[str] = set()
    calls_imported = False
    while left:
        for node in ast.walk(left.pop()):
            nodes.append(node)
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in functions and name not in called:
                    called.add(name)
                    left.append(functions[name])
                case ast.Call(args=arguments):
                    # Such as `asyncio.run(main())` and `atexit.register(main)`.
                    for argument in arguments:
                        if isinstance(argument, ast.Name) and argument.id in functions and argument.id not in called:
                            called.add(argument.id)
                            left.append(functions[argument.id])
                    if isinstance(node.func, ast.Name) and node.func.id in own and node.func.id.islower():
                        calls_imported = True
    return nodes, calls_imported


def stops(node: ast.AST) -> bool:
    """Whether a node handles a keyboard interrupt, or the signal itself."""
    match node:
        case ast.ExceptHandler(type=caught, body=body):
            names = {each.id for each in ast.walk(caught) if isinstance(each, ast.Name)} if caught else {"BaseException"}
            if not names & {"KeyboardInterrupt", "BaseException"}:
                return False
            return any(
                isinstance(each, ast.Attribute) and each.attr == "stop" for part in body for each in ast.walk(part)
            )
        case ast.Try(finalbody=body):
            return any(
                isinstance(each, ast.Attribute) and each.attr == "stop" for part in body for each in ast.walk(part)
            )
        case ast.Attribute(attr="signal" | "add_signal_handler"):
            return True
    return False
