"""The files of an app's page, for its plain server."""

from __future__ import annotations

import mimetypes
import os

# Windows may have other types in its registry, with which browsers refuse scripts.
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
}


def read_file(folder: str, path: str) -> tuple[str, bytes] | None:
    """The type and the content of a file of `folder`, or None.

    `/` is `index.html`; a file of the folder is at `/static/file` and at `/file`.
    """
    name = path.lstrip("/").removeprefix("static/")
    if "\0" in name or "\\" in name:
        return None
    root = os.path.realpath(folder)
    found = os.path.realpath(os.path.join(root, *name.split("/")))
    if os.path.isdir(found):
        found = os.path.realpath(os.path.join(found, "index.html"))
    if not found.startswith(root + os.sep):
        return None
    try:
        with open(found, "rb") as file:
            content = file.read()
    except OSError:
        return None
    suffix = os.path.splitext(found)[1].lower()
    kind = _TYPES.get(suffix) or mimetypes.guess_type(found)[0] or "application/octet-stream"
    return kind, content
