"""A PEP 517 build backend for pure Python packages that needs only the standard library.

It is part of the SDK so that an app can be installed without a package index.

    [build-system]
    requires = ["robot-sdk"]
    build-backend = "robot.build"

The metadata are those of the `[project]` table, which must be static. Packages are the folders
next to `pyproject.toml`, or in `src/`, that have an `__init__.py`, with every file in them. A
table `[tool.robot-build.package-data]` adds folders from elsewhere: `"package/folder" = "../data"`.
`config_settings` is ignored. An unsupported project ends the build with one sentence.

The current folder is built, as PEP 517 requires, and nothing is written into it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

ConfigSettings = Mapping[str, object]


def get_requires_for_build_wheel(config_settings: ConfigSettings | None = None) -> list[str]:
    """Returns no requirements beside the backend."""
    return []


def get_requires_for_build_sdist(config_settings: ConfigSettings | None = None) -> list[str]:
    """Returns no requirements beside the backend."""
    return []


def get_requires_for_build_editable(config_settings: ConfigSettings | None = None) -> list[str]:
    """Returns no requirements beside the backend."""
    return []


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: ConfigSettings | None = None
) -> str:
    """Writes the `.dist-info` folder of the wheel and returns its name.

    Raises:
        BuildRefused: if this backend cannot build the project.
    """
    from robot._packaging.project import Project
    from robot._packaging.wheel import dist_info_files, dist_info_name

    project = Project.read(os.getcwd())
    name = dist_info_name(project)
    for path, content in dist_info_files(project).items():
        target = os.path.join(metadata_directory, *path.split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(content)
    return name


def build_wheel(
    wheel_directory: str,
    config_settings: ConfigSettings | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Builds the wheel and returns its file name. The same files give the same bytes.

    Raises:
        BuildRefused: if this backend cannot build the project.
    """
    from robot._packaging.project import Project
    from robot._packaging.sources import find_packages, package_files
    from robot._packaging.wheel import write_wheel

    project = Project.read(os.getcwd())
    return write_wheel(wheel_directory, project, package_files(find_packages(project)))


def build_editable(
    wheel_directory: str,
    config_settings: ConfigSettings | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Builds a wheel that only points to the sources (PEP 660) and returns its file name.

    Raises:
        BuildRefused: if this backend cannot build the project.
    """
    from robot._packaging.project import Project
    from robot._packaging.sources import find_packages
    from robot._packaging.wheel import write_wheel

    project = Project.read(os.getcwd())
    pointer = f"{find_packages(project).root}\n".encode()
    return write_wheel(wheel_directory, project, {f"_{project.file_name}.pth": pointer})


def build_sdist(sdist_directory: str, config_settings: ConfigSettings | None = None) -> str:
    """Builds the source archive and returns its file name.

    Raises:
        BuildRefused: if this backend cannot build the project.
    """
    from robot._packaging.project import Project
    from robot._packaging.sdist import write_sdist

    return write_sdist(sdist_directory, Project.read(os.getcwd()))
