"""Reads TOML on every Python that the SDK supports; Python 3.10 has no TOML reader."""

from __future__ import annotations

import glob
import importlib
import os
import sys
import sysconfig
from types import ModuleType
from typing import Any

from robot._packaging.refused import BuildRefused


def read_toml(path: str) -> dict[str, Any]:
    """The tables in the file at `path`.

    Raises:
        BuildRefused: if the file cannot be read or is not TOML.
    """
    name = os.path.basename(path)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise BuildRefused(f"{name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BuildRefused(f"{name} is not UTF-8 text.") from error
    try:
        tables: dict[str, Any] = _toml_reader().loads(text)
    except ValueError as error:
        raise BuildRefused(f"{name} is not valid TOML: {error}.") from error
    return tables


def _toml_reader() -> ModuleType:
    """`tomllib`, or a copy of `tomli`, from which it originates."""
    for name in ("tomllib", "tomli", "pip._vendor.tomli"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    for wheel in _bundled_pips():
        module = _import_from_zip(f"{wheel}/pip/_vendor", "tomli")
        if module is not None:
            return module
    raise BuildRefused(
        "Python 3.10 needs tomli to read pyproject.toml; it is not installed. Use Python 3.11 or "
        'newer, or add "tomli" to "requires" in [build-system].'
    )


def _bundled_pips() -> list[str]:
    """The wheels of pip that Python includes for creating environments, newest last."""
    folders = [
        sysconfig.get_config_var("WHEEL_PKG_DIR"),  # the folder of Linux distributions
        os.path.join(sysconfig.get_path("stdlib"), "ensurepip", "_bundled"),
    ]
    return [wheel for f in folders if f for wheel in sorted(glob.glob(f"{f}/pip-*.whl"))]


def _import_from_zip(folder: str, name: str) -> ModuleType | None:
    from importlib.util import module_from_spec
    from zipimport import ZipImportError, zipimporter

    try:
        spec = zipimporter(folder).find_spec(name)
    except ZipImportError:
        return None
    if spec is None or spec.loader is None:
        return None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
