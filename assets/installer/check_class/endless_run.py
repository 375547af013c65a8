"""Whether an app's `run` certainly goes on after it is asked to stop."""

import ast
from collections.abc import Iterable, Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

# `run(self, robot, stop_event)`
STOP_EVENT_AT = 2
# Names by which the package may learn of the stop, or be ended, in another way.
OTHER_WAYS = frozenset(
    ("signal", "stop_event", "stop", "wrapped_run", "AppStopping", "endpoints", "Endpoint", "motion", "locals", "vars")
    + ("eval", "exec", "exit", "_exit", "quit", "abort", "kill", "interrupt_main")
)


def endless_loop(run: FunctionNode, package: Iterable[ast.Module]) -> "int | None":
    """The line of a loop in `run` that nothing ends: neither the code in it nor the stop event. None: none is certain."""
    positional = [*run.args.posonlyargs, *run.args.args]
    if run.decorator_list or len(positional) <= STOP_EVENT_AT:
        return None
    event = positional[STOP_EVENT_AT].arg
    loop = next((node for node in own_nodes(run.body) if isinstance(node, ast.While) and is_endless(node)), None)
    if loop is None or mentions(run, event):
        return None
    if any(knows_otherwise(node, event) for tree in package for node in outside(tree, run)):
        return None
    return loop.lineno


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of statements without those of functions and classes that they define."""
    left = list(body)
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            left.extend(ast.iter_child_nodes(node))


def is_endless(loop: ast.While) -> bool:
    """Whether a loop has a condition that always holds, and nothing in it leaves it."""
    if not (isinstance(loop.test, ast.Constant) and loop.test.value):
        return False
    inner = [node for node in own_nodes(loop.body) if isinstance(node, (ast.For, ast.AsyncFor, ast.While))]
    breaks_of_inner = {id(node) for each in inner for node in own_nodes(each.body) if isinstance(node, ast.Break)}
    leaving = (ast.Return, ast.Raise, ast.Assert, ast.Yield, ast.YieldFrom)
    return not any(
        isinstance(node, leaving) or (isinstance(node, ast.Break) and id(node) not in breaks_of_inner)
        for node in own_nodes(loop.body)
    )


def mentions(run: FunctionNode, event: str) -> bool:
    """Whether the body uses the event for more than to pass time, as the statement `stop_event.wait(1)` does."""
    waits: set[int] = set()
    for node in ast.walk(run):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name) as used, attr="wait"))):
                if name == event:
                    waits.add(id(used))
    return any(
        name_of(node) in {*OTHER_WAYS, event} and id(node) not in waits
        for node in ast.walk(run)
        if isinstance(node, (ast.Name, ast.Attribute))
    )


def outside(tree: ast.Module, run: FunctionNode) -> Iterator[ast.AST]:
    """The nodes of a module, without `run` and without the block that starts the app."""
    inside = {id(node) for node in ast.walk(run)}
    for statement in tree.body:
        if isinstance(statement, ast.If) and any(
            isinstance(node, ast.Constant) and node.value == "__main__" for node in ast.walk(statement.test)
        ):
            continue
        yield from (node for node in ast.walk(statement) if id(node) not in inside)


def knows_otherwise(node: ast.AST, event: str) -> bool:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.alias(name=name) | ast.arg(arg=name):
            return name in OTHER_WAYS or name == event
        case ast.Name() | ast.Attribute():
            return name_of(node) in OTHER_WAYS or name_of(node) == event
    return False


def name_of(node: "ast.Name | ast.Attribute") -> str:
    return node.id if isinstance(node, ast.Name) else node.attr
