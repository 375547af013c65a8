"""Writes source archives with exactly the files that are needed to build the wheel again."""

from __future__ import annotations

import gzip
import io
import os
import tarfile

from robot._packaging.metadata import metadata_file
from robot._packaging.project import Project
from robot._packaging.sources import find_packages, package_files

_FIXED_TIME_S = 315532800  # 1980-01-01, like in the wheel


def write_sdist(directory: str, project: Project) -> str:
    """Writes the archive into `directory` and returns its name.

    Raises:
        BuildRefused: if the project cannot be built.
    """
    stem = f"{project.file_name}-{project.version}"
    with (
        open(os.path.join(directory, f"{stem}.tar.gz"), "wb") as file,
        gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=_FIXED_TIME_S) as packed,
        tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as archive,
    ):
        for path, content in sorted(_contents(project).items()):
            entry = tarfile.TarInfo(f"{stem}/{path}")
            entry.size = len(content)
            entry.mtime = _FIXED_TIME_S
            archive.addfile(entry, io.BytesIO(content))
    return f"{stem}.tar.gz"


def _contents(project: Project) -> dict[str, bytes]:
    packages = find_packages(project)
    prefix = "" if packages.root == project.folder else "src/"
    contents = {f"{prefix}{path}": data for path, data in package_files(packages).items()}
    for path in ("pyproject.toml", *project.extra_files):
        with open(os.path.join(project.folder, path), "rb") as file:
            contents[path.replace(os.sep, "/")] = file.read()
    contents["PKG-INFO"] = metadata_file(project)
    return contents
