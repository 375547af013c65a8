"""Reads and checks the project in a `pyproject.toml` (PEP 621)."""

from __future__ import annotations

import glob
import os
import re
from typing import Any, NamedTuple

from robot._packaging.refused import BuildRefused
from robot._packaging.tables import Table
from robot._packaging.toml import read_toml

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_CANONICAL_VERSION = re.compile(
    r"(?:[1-9]\d*!)?(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))*"
    r"(?:(?:a|b|rc)(?:0|[1-9]\d*))?(?:\.post(?:0|[1-9]\d*))?(?:\.dev(?:0|[1-9]\d*))?"
    r"(?:\+[a-z0-9]+(?:\.[a-z0-9]+)*)?"
)
_README_TYPES = {".md": "text/markdown", ".rst": "text/x-rst", ".txt": "text/plain"}


class Readme(NamedTuple):
    """The long description."""

    text: str
    content_type: str


class Person(NamedTuple):
    """An author or a maintainer; at least one of the two is not empty."""

    name: str
    email: str


class Project(NamedTuple):
    """A project that can be built."""

    folder: str
    name: str
    version: str
    description: str
    readme: Readme | None
    requires_python: str
    license_text: str
    """The license of older metadata: free text, or that of a file."""
    license_expression: str
    """The license of newer metadata, such as `Apache-2.0`."""
    authors: list[Person]
    maintainers: list[Person]
    keywords: list[str]
    classifiers: list[str]
    urls: dict[str, str]
    dependencies: list[str]
    optional_dependencies: dict[str, list[str]]
    entry_points: dict[str, dict[str, str]]
    """Entry points by group, including `console_scripts` and `gui_scripts`."""
    extra_files: list[str]
    """The license files and the readme, relative to the folder, with `/`."""
    license_files: list[str]
    package_data: dict[str, str]
    """Folders outside of the packages, relative to the folder, by their folder in the wheel."""

    @property
    def file_name(self) -> str:
        """The name for file names: lower case, with underscores."""
        return re.sub(r"[-_.]+", "_", self.name).lower()

    @classmethod
    def read(cls, folder: str) -> Project:
        """Reads the `pyproject.toml` in `folder`.

        Raises:
            BuildRefused: if this backend cannot build the project.
        """
        tables = read_toml(os.path.join(folder, "pyproject.toml"))
        if not isinstance(tables.get("project"), dict):
            raise BuildRefused("pyproject.toml has no [project] table, which is required.")
        table = Table("project", tables["project"])
        dynamic = table.strings("dynamic")
        if dynamic:
            raise BuildRefused(
                f'"dynamic" ({", ".join(dynamic)}) is not supported: write it into [project].'
            )
        license_text, expression, license_file = _license(folder, table)
        readme, readme_file = _readme(folder, table)
        license_files = _license_files(folder, table)
        project = cls(
            folder=folder,
            name=_name(table),
            version=_version(table),
            description=table.string("description"),
            readme=readme,
            requires_python=table.string("requires-python"),
            license_text=license_text,
            license_expression=expression,
            authors=_people(table, "authors"),
            maintainers=_people(table, "maintainers"),
            keywords=table.strings("keywords"),
            classifiers=table.strings("classifiers"),
            urls=table.string_table("urls"),
            dependencies=table.strings("dependencies"),
            optional_dependencies=table.strings_table("optional-dependencies"),
            entry_points=_entry_points(table),
            extra_files=sorted({*filter(None, (readme_file, license_file)), *license_files}),
            license_files=license_files,
            package_data=_package_data(tables.get("tool")),
        )
        table.refuse_unread()
        return project


def _package_data(tools: object) -> dict[str, str]:
    own = tools.get("robot-build") if isinstance(tools, dict) else None
    if own is None:
        return {}
    table = Table("tool.robot-build", own)
    data = table.string_table("package-data")
    table.refuse_unread()
    return data


def _name(table: Table) -> str:
    name = table.string("name")
    if not _NAME.fullmatch(name):
        raise BuildRefused(
            '[project] needs a "name" of letters, digits, ".", "_" and "-", which starts and '
            "ends with a letter or digit."
        )
    return name


def _version(table: Table) -> str:
    version = table.string("version")
    if not _CANONICAL_VERSION.fullmatch(version):
        raise BuildRefused(
            f'[project] needs a "version" in the usual form, such as "1.2.0" or "1.2.0rc1", '
            f"not {version!r}."
        )
    return version


def _readme(folder: str, table: Table) -> tuple[Readme | None, str]:
    """The readme, and its file if it has one."""
    value = table.take("readme")
    if value is None:
        return None, ""
    if isinstance(value, str):
        suffix = os.path.splitext(value)[1].lower()
        if suffix not in _README_TYPES:
            raise BuildRefused(f'"readme" must be a .md, .rst or .txt file, not {value!r}.')
        return Readme(_file_text(folder, "readme", value), _README_TYPES[suffix]), value
    fields = Table("project.readme", value)
    path, text, content_type = (fields.string(key) for key in ("file", "text", "content-type"))
    fields.refuse_unread()
    if bool(path) == bool(text) or not content_type:
        raise BuildRefused('"readme" as a table has "content-type", and one of "file" and "text".')
    return Readme(text or _file_text(folder, "readme", path), content_type), path


def _license(folder: str, table: Table) -> tuple[str, str, str]:
    """The license as text and as expression, one of them empty, and its file if it has one."""
    value = table.take("license")
    if value is None or isinstance(value, str):
        return "", value or "", ""
    fields = Table("project.license", value)
    path, text = fields.string("file"), fields.string("text")
    fields.refuse_unread()
    if bool(path) == bool(text):
        raise BuildRefused('"license" as a table has one of "file" and "text".')
    return text or _file_text(folder, "license", path), "", path


def _license_files(folder: str, table: Table) -> list[str]:
    found: set[str] = set()
    for pattern in table.strings("license-files"):
        _refuse_outside(folder, "license-files", pattern)
        paths = glob.glob(pattern, root_dir=folder, recursive=True)
        files = [p for p in paths if os.path.isfile(os.path.join(folder, p))]
        if not files:
            raise BuildRefused(f'"license-files" {pattern!r} matches no file.')
        found.update(path.replace(os.sep, "/") for path in files)
    return sorted(found)


def _people(table: Table, key: str) -> list[Person]:
    people = []
    for value in table.array(key):
        fields = Table(f"project.{key}", value)
        people.append(Person(fields.string("name"), fields.string("email")))
        fields.refuse_unread()
        if not any(people[-1]):
            raise BuildRefused(f'Each of "{key}" has a "name", an "email" or both.')
    return people


def _entry_points(table: Table) -> dict[str, dict[str, str]]:
    groups: dict[str, Any] = {
        "console_scripts": table.string_table("scripts"),
        "gui_scripts": table.string_table("gui-scripts"),
    }
    fields = Table("project.entry-points", table.take("entry-points") or {})
    for group in fields.unread_keys():
        if group in groups:
            raise BuildRefused(f'Entry points of {group!r} go into "scripts" or "gui-scripts".')
        groups[group] = fields.string_table(group)
    return {group: points for group, points in sorted(groups.items()) if points}


def _file_text(folder: str, key: str, path: str) -> str:
    _refuse_outside(folder, key, path)
    try:
        with open(os.path.join(folder, path), encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise BuildRefused(f'"{key}" names {path!r}, which cannot be read as text.') from error


def _refuse_outside(folder: str, key: str, path: str) -> None:
    inside = os.path.realpath(folder)
    if os.path.isabs(path) or not os.path.realpath(os.path.join(folder, path)).startswith(
        inside + os.sep
    ):
        raise BuildRefused(f'"{key}" names {path!r}, which is not inside the project.')
