"""Reads the address of an app's settings page, `custom_app_url`, from its sources, without running the app.

Usage: python -I -B read_settings_url FOLDER MODULE CLASS RESULT_FILE. The package is imported from FOLDER, or from its
src/. Exits with 0 and writes {"known": true, "url": "http://localhost:8042"}, {"known": true, "url": null} for an app
without a page, or {"known": false, "url": null} if the address is only known at run time.

With -B, Python leaves no __pycache__ in this folder, which may belong to another user or be part of a package. Setting
sys.dont_write_bytecode would be too late: when a folder is run, Python caches this file before it starts it.
"""

import json
import os
import sys
import warnings

from address_reader import AddressReader
from package_sources import PackageSources


def read(folder: str, module: str, class_name: str) -> dict[str, object]:
    """Returns the content of the result file."""
    package, *rest = module.split(".")
    for root in (folder, os.path.join(folder, "src")):
        path = os.path.join(root, package, *rest)
        if os.path.isfile(f"{path}.py") or os.path.isfile(os.path.join(path, "__init__.py")):
            try:
                return {"known": True, "url": AddressReader(PackageSources(root, package)).address(module, class_name)}
            except Exception:  # Sources can fail in countless ways; each means "unknown".
                break
    return {"known": False, "url": None}


def write(result_file: str, result: dict[str, object]) -> None:
    with open(result_file, "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # the parser's warnings are for the app's author
    folder, module, class_name, result_file = sys.argv[1:]
    # Written first: Python 3.10's parser crashes the interpreter on sources nested too deeply.
    write(result_file, {"known": False, "url": None})
    write(result_file, read(folder, module, class_name))
