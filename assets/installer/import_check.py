"""Imports an app's main module, like its start will, and reports whether its class can run.

Usage: import_check.py MODULE CLASS RESULT_FILE. Exits with 0 and writes {"problem": null, "customAppUrl": …}, with the
class's `custom_app_url` if it is a text, or {"problem": "a sentence", …} when the class cannot run. An import that
raises shows its traceback and exits with 1.
"""

import importlib
import json
import sys


def problem_with(app_class: object, module_name: str, class_name: str) -> "str | None":
    if app_class is None:
        return f"{module_name} has no class {class_name}, which the entry point names"
    from robot import RobotApp

    if not (isinstance(app_class, type) and issubclass(app_class, RobotApp)):
        return f"{class_name} in {module_name} is not a subclass of robot.RobotApp"
    abstract = getattr(app_class, "__abstractmethods__", None)
    if abstract:
        return f"{class_name} in {module_name} does not define {', '.join(sorted(abstract))}"
    return None


if __name__ == "__main__":
    module_name, class_name, result_file = sys.argv[1:]
    imported = getattr(importlib.import_module(module_name), class_name, None)
    page = getattr(imported, "custom_app_url", None)
    outcome = {
        "problem": problem_with(imported, module_name, class_name),
        "customAppUrl": page if isinstance(page, str) else None,
    }
    with open(result_file, "w", encoding="utf-8") as result:
        json.dump(outcome, result)
