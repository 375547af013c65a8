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
    data_folders: dict[str, str]
    """Folders outside of the packages, by the folder that has their files in the wheel."""


def find_packages(project: Project) -> Packages:
    """Finds the packages of a project: in `src/` if it exists, else next to `pyproject.toml`.

    Raises:
        BuildRefused: if there is no package, or a folder of `package-data` is missing.
    """
    source = os.path.join(project.folder, "src")
    root = source if os.path.isdir(source) else project.folder
    names = [name for name in sorted(os.listdir(root)) if _is_package(project, root, name)]
    if not names:
        raise BuildRefused(
            f"no package found: expected a folder {project.file_name!r} with an __init__.py."
        )
    return Packages(root, names, _data_folders(project, root, names))


def package_files(packages: Packages) -> dict[str, bytes]:
    """The content of the packages' files, by path from their root, with `/`.

    Caches and hidden files are omitted.

    Raises:
        BuildRefused: for a compiled extension, which works on one platform only.
    """
    files: dict[str, bytes] = {}
    folders = {name: os.path.join(packages.root, name) for name in packages.names}
    for name, folder in {**folders, **packages.data_folders}.items():
        for path in _walk(folder):
            relative = f"{name}/{os.path.relpath(path, folder)}".replace(os.sep, "/")
            if relative.endswith(_NATIVE_SUFFIXES):
                raise BuildRefused(f"{relative} is compiled; only pure Python is supported.")
            with open(path, "rb") as file:
                files[relative] = file.read()
    return files


def _data_folders(project: Project, root: str, names: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for target, source in project.package_data.items():
        parts = target.split("/")
        if parts[0] not in names or not all(part.isidentifier() for part in parts):
            raise BuildRefused(f'"package-data" {target!r} is not a folder of a package.')
        if os.path.isdir(os.path.join(root, *parts)):
            continue  # a source archive has the files there
        found[target] = os.path.normpath(os.path.join(project.folder, *source.split("/")))
        if not os.path.isdir(found[target]):
            raise BuildRefused(f'"package-data" {source!r} is not a folder.')
    return found


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
