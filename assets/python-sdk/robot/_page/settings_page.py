"""An app's page: its routes and its `static/` folder, served in a thread.

By FastAPI and uvicorn where the app has FastAPI, else by a server of the standard library.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from robot._page.guard import PageGuard
from robot._page.plain_app import PlainApp

if TYPE_CHECKING:
    from fastapi import FastAPI

_STOP_TIMEOUT_S = 2.0
_POLL_S = 0.05
_NO_UVICORN = (
    "This app has a settings page, which needs uvicorn. Depend on robot-sdk[baseline], "
    'or on fastapi and uvicorn, in the "dependencies" of pyproject.toml.'
)


def create_settings_app(static_folder: str) -> FastAPI:
    """Creates an app that serves `static_folder`, if it exists, when no route matches.

    It is a FastAPI app where FastAPI is installed, else a `PlainApp`, which has a part of its
    interface.
    """
    try:
        from fastapi import FastAPI
    except ModuleNotFoundError:
        return cast("FastAPI", PlainApp(static_folder))
    app = FastAPI()
    if os.path.isdir(static_folder):
        from robot._page.static_files import StaticFallback

        # The router's default instead of a route: routes added later must come before it.
        app.router.default = StaticFallback(static_folder, fallback=app.router.default)
    return app


@contextmanager
def served(app: FastAPI | PlainApp, url: str) -> Iterator[None]:
    """Serves `app` to this machine on the port of `url` while the block runs.

    Web pages of other sites are refused, see `PageGuard`. A port in use is reported on stderr, and
    the block runs without the page.

    Raises:
        ImportError: if `app` is a FastAPI app and uvicorn is not installed.
        ValueError: if `url` has no port.
    """
    port = urlsplit(url).port
    if port is None:
        raise ValueError(f"custom_app_url {url!r} has no port; write it as http://localhost:8042")
    with _plain_server(app, port) if isinstance(app, PlainApp) else _uvicorn_server(app, port):
        yield


@contextmanager
def _plain_server(app: PlainApp, port: int) -> Iterator[None]:
    listener = _listen(port)
    if listener is None:
        yield
        return
    from robot._page.plain_server import PlainServer

    server = PlainServer(app, listener, port)
    threading.Thread(
        target=server.serve_forever, args=(_POLL_S,), name="robot-settings-page", daemon=True
    ).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def _uvicorn_server(app: FastAPI, port: int) -> Iterator[None]:
    try:
        import uvicorn
    except ModuleNotFoundError as error:
        raise ImportError(_NO_UVICORN) from error
    listener = _listen(port)
    if listener is None:
        yield
        return
    config = uvicorn.Config(
        PageGuard(app, port),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=int(_STOP_TIMEOUT_S / 2),
    )
    server = uvicorn.Server(config)
    # uvicorn handles signals in the main thread only, so the app keeps handling SIGINT.
    thread = threading.Thread(
        target=server.run, args=([listener],), name="robot-settings-page", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        with _unfinished_requests_are_silent():
            server.should_exit = True
            thread.join(_STOP_TIMEOUT_S)
        listener.close()


@contextmanager
def _unfinished_requests_are_silent() -> Iterator[None]:
    """Keeps uvicorn from logging each request that it breaks off, with a traceback.

    A page that is open in a browser may have some: a stream, or the request that ended the app.
    """
    import asyncio
    import logging

    def keeps(record: logging.LogRecord) -> bool:
        error = record.exc_info[0] if record.exc_info else None
        broken_off = error is not None and issubclass(error, asyncio.CancelledError)
        return not broken_off and not str(record.msg).startswith("Cancel %s running task")

    logger = logging.getLogger("uvicorn.error")
    logger.addFilter(keeps)
    try:
        yield
    finally:
        logger.removeFilter(keeps)


def _listen(port: int) -> socket.socket | None:
    listener = socket.socket()
    # Allows the port of an app that just ended; on Windows it would also allow the port of a
    # running app.
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()
    except OSError as error:
        listener.close()
        print(
            f"The settings page is not available: port {port} cannot be used "
            f"({(error.strerror or str(error)).lower()}). The app runs on without it.",
            file=sys.stderr,
            flush=True,
        )
        return None
    return listener
