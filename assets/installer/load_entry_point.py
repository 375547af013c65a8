"""Loads an installed app by its entry point, as other programs do, and reports what came of it.

Usage: load_entry_point.py DISTRIBUTION RESULT_FILE. Run in the app's environment. Writes {"entryPoints": [{"name", "value"}],
"files": […], "problem": …, "error": …} and exits with 0. "entryPoints" are those of the distribution in the group of apps,
"files" its installed files, from the folder of packages; both are empty after an uninstall. "problem" is a sentence without
its full stop if the class is no app, "error" the exception of the import, {"message", "frames": [{"file", "line"}]}, whose
traceback is shown on standard error. The file is written before the import too, which may end the process.
"""

import json
import sys
import traceback
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, distribution
from typing import Any

GROUP = "robot_apps"
MAX_FRAMES = 50
MAX_FILES = 20_000


def found(name: str) -> "Distribution | None":
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def entry_points_of(package: "Distribution | None") -> "list[EntryPoint]":
    return [each for each in package.entry_points if each.group == GROUP] if package else []


def problem_with(app_class: object, value: str) -> "str | None":
    from robot import RobotApp

    if not (isinstance(app_class, type) and issubclass(app_class, RobotApp)):
        return f"{value} is not a subclass of robot.RobotApp"
    abstract = sorted(getattr(app_class, "__abstractmethods__", ()))
    return f"{value} does not define {', '.join(abstract)}" if abstract else None


def described(error: BaseException) -> "dict[str, Any]":
    frames = [{"file": each.filename, "line": each.lineno} for each in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append({"file": error.filename, "line": error.lineno})
    message = "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()
    return {"message": message[-1] if message else type(error).__name__, "frames": frames[-MAX_FRAMES:]}


def main(name: str, result_file: str) -> None:
    package = found(name)
    entries = entry_points_of(package)
    outcome: "dict[str, Any]" = {
        "entryPoints": [{"name": each.name, "value": each.value} for each in entries],
        "files": [each.as_posix() for each in (package.files or [])[:MAX_FILES]] if package else [],
        "problem": None,
        "error": None,
    }

    def write() -> None:
        with open(result_file, "w", encoding="utf-8") as result:
            json.dump(outcome, result)

    write()
    try:
        for entry in entries:
            outcome["problem"] = outcome["problem"] or problem_with(entry.load(), entry.value)
    except BaseException as error:  # an app may also exit at its import
        traceback.print_exc()
        outcome["error"] = described(error)
    write()


if __name__ == "__main__":
    main(*sys.argv[1:])
