"""The files that describe a distribution: METADATA (also used as PKG-INFO) and entry_points.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from robot._packaging.project import Person, Project
from robot._packaging.refused import BuildRefused


def metadata_file(project: Project) -> bytes:
    """The core metadata.

    Raises:
        BuildRefused: if a value has a line break, which would start another field.
    """
    lines = [f"{name}: {_folded(name, value)}" for name, value in _fields(project) if value]
    body = f"\n{project.readme.text}" if project.readme else ""
    return ("\n".join(lines) + "\n" + body).encode()


def entry_points_file(project: Project) -> bytes:
    """The entry points, by group; empty if there are none.

    Raises:
        BuildRefused: if one has a line break.
    """
    sections = []
    for group, points in project.entry_points.items():
        lines = [
            f"{_one_line(group, name)} = {_one_line(name, target)}"
            for name, target in sorted(points.items())
        ]
        sections.append("\n".join([f"[{_one_line('entry-points', group)}]", *lines, ""]))
    return "\n".join(sections).encode()


def _fields(project: Project) -> Iterator[tuple[str, str]]:
    # 2.4 added license expressions and files; metadata without them stays readable by older tools.
    newer = bool(project.license_expression or project.license_files)
    yield "Metadata-Version", "2.4" if newer else "2.1"
    yield "Name", project.name
    yield "Version", project.version
    yield "Summary", project.description
    yield "Keywords", ",".join(project.keywords)
    yield from _people("Author", project.authors)
    yield from _people("Maintainer", project.maintainers)
    yield "License-Expression", project.license_expression
    yield "License", project.license_text.strip()
    for path in project.license_files:
        yield "License-File", path
    for classifier in project.classifiers:
        yield "Classifier", classifier
    for label, url in project.urls.items():
        yield "Project-URL", f"{label}, {url}"
    yield "Requires-Python", project.requires_python
    for dependency in project.dependencies:
        yield "Requires-Dist", dependency
    for extra, dependencies in project.optional_dependencies.items():
        name = re.sub(r"[-_.]+", "-", extra).lower()
        yield "Provides-Extra", name
        for dependency in dependencies:
            yield "Requires-Dist", _only_for(name, dependency)
    if project.readme:
        yield "Description-Content-Type", project.readme.content_type


def _people(role: str, people: list[Person]) -> Iterator[tuple[str, str]]:
    yield role, ", ".join(person.name for person in people if not person.email)
    yield (
        f"{role}-email",
        ", ".join(
            f"{person.name} <{person.email}>" if person.name else person.email
            for person in people
            if person.email
        ),
    )


def _only_for(extra: str, dependency: str) -> str:
    """Adds the condition that `extra` is requested to a dependency."""
    # After an address only " ;" starts a condition: the address itself may have a semicolon.
    separator = " ;" if "@" in dependency else ";"
    requirement, _, condition = dependency.partition(separator)
    both = f"({condition.strip()}) and " if condition.strip() else ""
    return f'{requirement.strip()} ; {both}extra == "{extra}"'


def _folded(name: str, value: str) -> str:
    """The value of a header; only a license may have several lines."""
    if name == "License":
        return "\n        ".join(value.splitlines())
    return _one_line(name, value)


def _one_line(name: str, value: str) -> str:
    if len(value.splitlines()) > 1:
        raise BuildRefused(f"{name} must be one line, not {value!r}.")
    return value
