"""A PEP 517 build backend for pure Python packages, from the standard library alone.

It is here so that an app installs where there is no package index: the SDK is there anyway.

    [build-system]
    requires = ["robot-sdk"]
    build-backend = "robot.build"

Metadata are those of the `[project]` table, all static. Packages are the folders beside
`pyproject.toml`, or in `src/`, that have an `__init__.py`, with every file in them. There are no
settings: `config_settings` is ignored. Whatever is not supported ends the build with one sentence.

The folder being built is the current one, as PEP 517 says, and nothing is written into it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

ConfigSettings = Mapping[str, object]


def get_requires_for_build_wheel(config_settings: ConfigSettings | None = None) -> list[str]:
    """Nothing is needed beyond the backend."""
    return []


def get_requires_for_build_sdist(config_settings: ConfigSettings | None = None) -> list[str]:
    """Nothing is needed beyond the backend."""
    return []


def get_requires_for_build_editable(config_settings: ConfigSettings | None = None) -> list[str]:
    """Nothing is needed beyond the backend."""
    return []


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: ConfigSettings | None = None
) -> str:
    """Writes the `.dist-info` folder of the wheel, and gives its name.

    Raises:
        BuildRefused: if the project is not one that this backend can build.
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
    """Builds the wheel, and gives its file name. The same files give the same bytes.

    Raises:
        BuildRefused: if the project is not one that this backend can build.
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
    """Builds a wheel that only points to the sources (PEP 660), and gives its file name.

    Raises:
        BuildRefused: if the project is not one that this backend can build.
    """
    from robot._packaging.project import Project
    from robot._packaging.sources import find_packages
    from robot._packaging.wheel import write_wheel

    project = Project.read(os.getcwd())
    pointer = f"{find_packages(project).root}\n".encode()
    return write_wheel(wheel_directory, project, {f"_{project.file_name}.pth": pointer})


def build_sdist(sdist_directory: str, config_settings: ConfigSettings | None = None) -> str:
    """Builds the source archive, and gives its file name.

    Raises:
        BuildRefused: if the project is not one that this backend can build.
    """
    from robot._packaging.project import Project
    from robot._packaging.sdist import write_sdist

    return write_sdist(sdist_directory, Project.read(os.getcwd()))
