"""Writes reproducible wheels: the bytes depend on the project alone."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import zipfile

from robot import __version__
from robot._packaging.metadata import entry_points_file, metadata_file
from robot._packaging.project import Project

_TAG = "py3-none-any"
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)
_REGULAR_FILE_RW_R_R = 0o100644 << 16
_UNIX = 3


def dist_info_name(project: Project) -> str:
    """The name of the `.dist-info` folder."""
    return f"{project.file_name}-{project.version}.dist-info"


def dist_info_files(project: Project) -> dict[str, bytes]:
    """The files of the `.dist-info` folder by path from the root of the wheel, without RECORD.

    Raises:
        BuildRefused: if the metadata cannot be written.
    """
    folder = dist_info_name(project)
    files = {
        f"{folder}/METADATA": metadata_file(project),
        f"{folder}/WHEEL": (
            "Wheel-Version: 1.0\n"
            f"Generator: robot.build {__version__}\n"
            "Root-Is-Purelib: true\n"
            f"Tag: {_TAG}\n"
        ).encode(),
    }
    if project.entry_points:
        files[f"{folder}/entry_points.txt"] = entry_points_file(project)
    for path in project.license_files:
        with open(os.path.join(project.folder, path), "rb") as file:
            files[f"{folder}/licenses/{path}"] = file.read()
    return files


def write_wheel(directory: str, project: Project, files: dict[str, bytes]) -> str:
    """Writes the wheel with `files` (content by path) into `directory` and returns its name.

    Raises:
        BuildRefused: if the metadata cannot be written.
    """
    # The format recommends the description at the end and RECORD as the last file.
    contents = {**dict(sorted(files.items())), **dict(sorted(dist_info_files(project).items()))}
    record = f"{dist_info_name(project)}/RECORD"
    contents[record] = _record_file(contents, record)
    name = f"{project.file_name}-{project.version}-{_TAG}.whl"
    # Stored, not compressed: compressed bytes depend on the zlib of the Python that builds.
    with zipfile.ZipFile(os.path.join(directory, name), "w", zipfile.ZIP_STORED) as archive:
        for path, content in contents.items():
            entry = zipfile.ZipInfo(path, _FIXED_DATE)
            entry.external_attr = _REGULAR_FILE_RW_R_R
            entry.create_system = _UNIX
            archive.writestr(entry, content)
    return name


def _record_file(contents: dict[str, bytes], record: str) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for path, content in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.writerow((path, f"sha256={digest}", len(content)))
    rows.writerow((record, "", ""))
    return text.getvalue().encode()
