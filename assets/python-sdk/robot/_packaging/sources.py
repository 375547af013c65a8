"""Finds the packages of a project and their files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from robot._packaging.project import Project
from robot._packaging.refused import BuildRefused

_NEVER_PACKAGES = frozenset(("test", "tests", "doc", "docs"))
_COMPILED_SUFFIXES = (".pyc", ".pyo")
_NATIVE_SUFFIXES = (".so", ".pyd", ".dylib", ".dll")


class Packages(NamedTuple):
    """The names of a project's top-level packages, and their folder."""

    root: str
    names: list[str]


def find_packages(project: Project) -> Packages:
    """Finds the packages of a project: in `src/` if it exists, else next to `pyproject.toml`.

    Raises:
        BuildRefused: if there is no package.
    """
    source = os.path.join(project.folder, "src")
    root = source if os.path.isdir(source) else project.folder
    names = [name for name in sorted(os.listdir(root)) if _is_package(project, root, name)]
    if not names:
        raise BuildRefused(
            f"no package found: expected a folder {project.file_name!r} with an __init__.py."
        )
    return Packages(root, names)


def package_files(packages: Packages) -> dict[str, bytes]:
    """The content of the packages' files, by path from their root, with `/`.

    Caches and hidden files are omitted.

    Raises:
        BuildRefused: for a compiled extension, which works on one platform only.
    """
    files: dict[str, bytes] = {}
    for name in packages.names:
        for path in _walk(os.path.join(packages.root, name)):
            relative = os.path.relpath(path, packages.root).replace(os.sep, "/")
            if relative.endswith(_NATIVE_SUFFIXES):
                raise BuildRefused(f"{relative} is compiled; only pure Python is supported.")
            with open(path, "rb") as file:
                files[relative] = file.read()
    return files


def _is_package(project: Project, root: str, name: str) -> bool:
    if not name.isidentifier() or not os.path.isdir(os.path.join(root, name)):
        return False
    if name.lower() == project.file_name:
        return True
    has_init = os.path.isfile(os.path.join(root, name, "__init__.py"))
    return has_init and name not in _NEVER_PACKAGES


def _walk(folder: str) -> Iterator[str]:
    for current, subfolders, names in os.walk(folder):
        subfolders[:] = sorted(
            name for name in subfolders if name != "__pycache__" and not name.startswith(".")
        )
        for name in sorted(names):
            if not name.startswith(".") and not name.endswith(_COMPILED_SUFFIXES):
                yield os.path.join(current, name)
