"""The files of an app's page, for paths that no route matches."""

from __future__ import annotations

import os

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send


class StaticFallback:
    """Serves `/` as `index.html`, and a file of the folder as `/static/file` and as `/file`."""

    def __init__(self, folder: str, fallback: ASGIApp) -> None:
        self._files = _UncachedFiles(directory=folder, html=True)
        self._fallback = fallback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._file(scope)
        await (response or self._fallback)(scope, receive, send)

    async def _file(self, scope: Scope) -> Response | None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        path = scope["path"].lstrip("/").removeprefix("static/")
        try:
            return await self._files.get_response(os.path.normpath(path), scope)
        except HTTPException:
            return None


class _UncachedFiles(StaticFiles):
    """Disables browser caches: the next app may have its page on the same port."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-store"
        return response
