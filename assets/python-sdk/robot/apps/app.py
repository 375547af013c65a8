"""The base class of apps."""

from __future__ import annotations

import os
import sys
import threading
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property

from robot._interrupts import interrupt_sets
from robot._late_threads import expect_late_threads
from robot._stop_event import StopEvent
from robot.errors import AppStopping
from robot.robot import Robot

TYPE_CHECKING = False
if TYPE_CHECKING:
    import logging
    from pathlib import Path
    from typing import Any

    from fastapi import FastAPI
    from typing_extensions import Self

_PROBE_S = 0.5

_ROBOT_OPTIONS = frozenset(
    (
        "robot_name",
        "host",
        "port",
        "connection_mode",
        "spawn_daemon",
        "use_sim",
        "timeout",
        "automatic_body_yaw",
        "log_level",
        "media_backend",
        "localhost_only",
        "daemon_url",
    )
)
_MEDIA_BACKEND_AT = 10
"""The number of positional arguments of `Robot` up to `media_backend`."""


class RobotApp(ABC):
    """An app that the daemon can start and stop. Implement `run`.

    The app's module needs a `__main__` block that creates the app, calls `wrapped_run()`, and
    calls `stop()` on a KeyboardInterrupt.
    """

    custom_app_url: str | None = None
    """The address of the app's page, such as `http://localhost:8042`; None for no page.

    It must have a port. The server answers this machine only, whatever the host is.
    """

    dont_start_webserver: bool = False
    """True if the app serves the page at `custom_app_url` with its own server."""

    request_media_backend: str | None = None
    """The `media_backend` of the app's robot, such as `no_media`; None for `default`."""

    running_on_wireless: bool = False
    """Whether the robot is one with a computer of its own; not set by the daemon."""

    error: str = ""
    """The traceback of the exception that ended `wrapped_run`; empty without one."""

    stop_event: threading.Event
    """Set when the app must stop."""

    # On the class, so that an app may set `settings_app` before it calls `super().__init__()`.
    _settings_app: FastAPI | None = None
    _ended: bool = False

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Creates `stop_event`, also for an app that does not call `super().__init__()`."""
        app = super().__new__(cls)
        app.stop_event = StopEvent()
        return app

    def __init__(self, running_on_wireless: bool = False) -> None:
        """The `__main__` block creates the app without arguments.

        Args:
            running_on_wireless: accepted for apps that pass it on.
        """
        self.running_on_wireless = running_on_wireless

    @abstractmethod
    def run(self, robot: Robot, stop_event: threading.Event, /) -> None:
        """The app's work; implement it. Return soon after `stop_event` is set.

        Args:
            robot: a connected robot, which is closed when this returns.
            stop_event: set when the app must stop. `stop_event.wait(0.02)` pauses for 20 ms and
                returns at once when it is set.
        """

    @cached_property
    def logger(self) -> logging.Logger:
        """The app's logger, `robot.app`."""
        import logging

        return logging.getLogger("robot.app")

    @cached_property
    def media_backend(self) -> str:
        """The `media_backend` of the app's robot; can be set before `wrapped_run`."""
        return self.request_media_backend or "default"

    @cached_property
    def daemon_on_localhost(self) -> bool:
        """Whether a daemon answers on this machine. The first access waits up to 0.5 s for it."""
        from robot._wire.address import DaemonAddress

        address = DaemonAddress.choose(None)
        if not address.is_this_machine:
            return False
        import socket

        try:
            socket.create_connection((address.host, address.port), _PROBE_S).close()
        except OSError:
            return False
        return True

    @property
    def settings_app(self) -> FastAPI:
        """The FastAPI app behind `custom_app_url`, created at first use: add routes to it.

        Routes take precedence, also those added while it runs; other paths are served from the
        package's `static/` folder. An app may set one of its own instead, on the class or on the
        instance, which is served unchanged. None stands for the one that is created here.

        Without FastAPI it is a small one of the SDK: `get`, `post`, `put`, `patch` and `delete`
        add routes with a fixed path, whose functions take nothing or a dictionary, the JSON object
        of the body, and return what becomes JSON. All else raises an error.
        """
        if self._settings_app is None:
            from robot._page.settings_page import create_settings_app

            self._settings_app = create_settings_app(self._static_folder())
        return self._settings_app

    @settings_app.setter
    def settings_app(self, app: FastAPI | None) -> None:
        self._settings_app = app

    def wrapped_run(self, *args: Any, **kwargs: Any) -> None:
        """Connects to the robot, serves the app's page if it has one, and calls `run`.

        The first SIGINT (Ctrl-C, or a stop from the dashboard) sets `stop_event`; a second one
        raises KeyboardInterrupt. So does the first one, 2 s later, if the app has not looked at
        `stop_event` by then. Exceptions of `run` are passed on, except an `AppStopping` after a
        stop, which ends the wait for the daemon too. `stop_event` is set at the end of `run`, for
        the app's own threads; those that still use the robot then end without a traceback.

        Args:
            args: as for `Robot`.
            kwargs: as for `Robot`, but not `stop_event`. Unknown ones are ignored with a warning.

        Raises:
            RobotConnectionError: if the daemon does not answer or refuses this program.
            ImportError: if the app has a page of FastAPI and uvicorn is not installed.
            ValueError: if `custom_app_url` has no port.
        """
        if self._ended:
            self._ended = False
            self.stop_event.clear()
        options = {name: kwargs.pop(name) for name in _ROBOT_OPTIONS & kwargs.keys()}
        if len(args) < _MEDIA_BACKEND_AT:
            options.setdefault("media_backend", self.media_backend)
        if kwargs:
            self.logger.warning("wrapped_run ignores %s.", ", ".join(sorted(kwargs)))
        try:
            # Before anything is imported: Python drops a KeyboardInterrupt in the middle of an import.
            with interrupt_sets(self.stop_event):
                expect_late_threads(self.stop_event)
                with (
                    Robot(*args, **options, stop_event=self.stop_event) as robot,
                    self._settings_page(),
                ):
                    self._run_until_stopped(robot)
        except Exception as error:
            if isinstance(error, AppStopping) and self.stop_event.is_set() and not self._ended:
                return
            import traceback

            self.error = traceback.format_exc()
            raise

    def stop(self) -> None:
        """Asks the app to stop: sets `stop_event`."""
        self.stop_event.set()

    def _get_instance_path(self) -> Path:
        """The file of the app's module; its `parent` is the folder of the app's package."""
        from pathlib import Path

        return Path(self._module_file()).resolve()

    def _run_until_stopped(self, robot: Robot) -> None:
        if self.stop_event.is_set():
            return
        try:
            self.run(robot, self.stop_event)
        finally:
            if not self.stop_event.is_set():
                self._ended = True
                self.stop_event.set()

    def _settings_page(self) -> AbstractContextManager[None]:
        if self.custom_app_url is None or self.dont_start_webserver:
            return nullcontext()
        from robot._page.settings_page import served

        app = self.settings_app
        if app is None:  # the app's own class attribute or property, in place of the one above
            app = RobotApp.settings_app.__get__(self)
        return served(app, self.custom_app_url)

    def _static_folder(self) -> str:
        return os.path.join(os.path.dirname(os.path.abspath(self._module_file())), "static")

    def _module_file(self) -> str:
        return sys.modules[type(self).__module__].__file__ or ""
