"""Checks from the sources, without running the app, whether its class is certainly no `RobotApp`.

Usage: python -I -B check_class FOLDER MODULE CLASS RESULT_FILE [--facts]. Exits with 0 and writes {"problem": "a sentence", …} if
the import of the class would certainly be refused, else {"problem": null, …}: the class is an app, or only the import can
tell. "customAppUrl" is the class's attribute, for an app that cannot be imported yet, if it is written as a plain text.
With --facts the result also has "facts" about the code, for its author; see code_facts.py.

With -B, Python leaves no __pycache__ in this folder, which may belong to another user or be part of a package. Setting
sys.dont_write_bytecode would be too late: when a folder is run, Python caches this file before it starts it.
"""

import json
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from class_reader import ClassReader
from package_sources import PackageSources

T = TypeVar("T")


def read(folder: str, module: str, class_name: str) -> "tuple[str | None, str | None]":
    """The problem, a sentence without its full stop, and the address of the settings page; None for each unknown."""
    reader = known(lambda: ClassReader(PackageSources.of(folder, module)))
    if reader is None:
        return None, None
    return (
        known(lambda: reader.problem_with(module, class_name)),
        known(lambda: reader.page_of(module, class_name)),
    )


def known(find: "Callable[[], T]") -> "T | None":
    try:
        return find()
    except Exception:  # Sources can fail in countless ways; each means "unknown".
        return None


def facts_of(folder: str, module: str, class_name: str) -> "dict[str, Any] | None":
    """The facts about the code; None if nothing is known of the package."""
    from code_facts import code_facts

    sources = known(lambda: PackageSources.of(folder, module))
    return sources and code_facts(sources, ClassReader(sources), module, class_name)


def write(result_file: str, problem: "str | None", page: "str | None", **more: "dict[str, Any] | None") -> None:
    with open(result_file, "w", encoding="utf-8") as file:
        json.dump({"problem": problem, "customAppUrl": page, **more}, file)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # the parser's warnings are for the app's author
    folder, module, class_name, result_file, *options = sys.argv[1:]
    # Written first: Python 3.10's parser crashes the interpreter on sources nested too deeply.
    write(result_file, None, None)
    found = read(folder, module, class_name)
    write(result_file, *found, **({"facts": facts_of(folder, module, class_name)} if options else {}))
