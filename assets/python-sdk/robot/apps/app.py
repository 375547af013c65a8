"""The base class of apps."""

from __future__ import annotations

import os
import sys
import threading
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext

from robot.errors import AppStopping
from robot.robot import Robot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fastapi import FastAPI

_ROBOT_OPTIONS = ("daemon_url", "timeout")


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

    # On the class, so that an app may set `settings_app` before it calls `super().__init__()`.
    _settings_app: FastAPI | None = None

    def __init__(self) -> None:
        """Takes no arguments: the `__main__` block creates the app."""
        self.stop_event = threading.Event()

    @abstractmethod
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """The app's work; implement it. Return soon after `stop_event` is set.

        Args:
            robot: a connected robot, which is closed when this returns.
            stop_event: set when the app must stop. `stop_event.wait(0.02)` pauses for 20 ms and
                returns at once when it is set.
        """

    @property
    def settings_app(self) -> FastAPI:
        """The FastAPI app behind `custom_app_url`, created at first use: add routes to it.

        Routes take precedence, also those added while it runs; other paths are served from the
        package's `static/` folder. An app may set one of its own instead, on the class or on the
        instance, which is served unchanged. None stands for the one that is created here.

        Raises:
            ImportError: if FastAPI is not installed.
        """
        if self._settings_app is None:
            from robot._settings_page import create_settings_app

            self._settings_app = create_settings_app(self._static_folder())
        return self._settings_app

    @settings_app.setter
    def settings_app(self, app: FastAPI | None) -> None:
        self._settings_app = app

    def wrapped_run(self, *args: Any, **kwargs: Any) -> None:
        """Connects to the robot, serves the app's page if it has one, and calls `run`.

        The first SIGINT (Ctrl-C, or a stop from the dashboard) sets `stop_event`; a second one
        raises KeyboardInterrupt. Exceptions of `run` are passed on, except an `AppStopping` after
        a stop.

        Args:
            args: accepted for apps that were written for another SDK. Ignored with a warning.
            kwargs: `daemon_url` and `timeout` as for `Robot`. Others are ignored with a warning.

        Raises:
            RobotConnectionError: if the daemon does not answer or refuses this program.
            ImportError: if the app has a page and FastAPI or uvicorn is not installed.
            ValueError: if `custom_app_url` has no port.
        """
        from robot._interrupts import interrupt_sets

        options = {name: kwargs.pop(name) for name in _ROBOT_OPTIONS if name in kwargs}
        if args or kwargs:
            import logging

            ignored = [*map(repr, args), *kwargs]
            logging.getLogger("robot").warning("wrapped_run ignores %s.", ", ".join(ignored))
        with (
            interrupt_sets(self.stop_event),
            Robot(**options, stop_event=self.stop_event) as robot,
            self._settings_page(),
        ):
            if not self.stop_event.is_set():
                try:
                    self.run(robot, self.stop_event)
                except AppStopping:
                    if not self.stop_event.is_set():
                        raise

    def stop(self) -> None:
        """Asks the app to stop: sets `stop_event`."""
        self.stop_event.set()

    def _settings_page(self) -> AbstractContextManager[None]:
        if self.custom_app_url is None or self.dont_start_webserver:
            return nullcontext()
        from robot._settings_page import served

        app = self.settings_app
        if app is None:  # the app's own class attribute or property, in place of the one above
            app = RobotApp.settings_app.__get__(self)
        return served(app, self.custom_app_url)

    def _static_folder(self) -> str:
        module = sys.modules[type(self).__module__]
        return os.path.join(os.path.dirname(os.path.abspath(module.__file__ or "")), "static")
