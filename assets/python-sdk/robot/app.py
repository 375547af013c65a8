"""What an app extends."""

from __future__ import annotations

import os
import sys
import threading
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext

from robot.robot import Robot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fastapi import FastAPI


class RobotApp(ABC):
    """An app that the daemon can start and stop. Implement `run`.

    The module that is run needs a `__main__` block that makes the app, calls `wrapped_run()`, and
    calls `stop()` on a KeyboardInterrupt.
    """

    custom_app_url: str | None = None
    """Where the app's page is, such as `http://localhost:8042`; None for no page.

    The port counts. The server answers programs of this machine only, whatever host is given.
    """

    dont_start_webserver: bool = False
    """True where the app serves the page at `custom_app_url` itself, with a server of its own."""

    def __init__(self) -> None:
        """An app takes no arguments."""
        self.stop_event = threading.Event()
        self._settings_app: FastAPI | None = None

    @abstractmethod
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """What the app does. Return soon after `stop_event` is set.

        Args:
            robot: connected; closed when this returns.
            stop_event: set when the app is to stop; `stop_event.wait(0.02)` is a good pause.
        """

    @property
    def settings_app(self) -> FastAPI:
        """The FastAPI app behind `custom_app_url`, made at first use: add routes to it.

        Routes go first, also those that are added while it runs; what they leave is served from
        the package's `static/` folder.

        Raises:
            ImportError: if FastAPI is not installed.
        """
        if self._settings_app is None:
            from robot._settings_page import create_settings_app

            self._settings_app = create_settings_app(self._static_folder())
        return self._settings_app

    def wrapped_run(self) -> None:
        """Connects to the robot, serves the app's page if it has one, and calls `run`.

        The first SIGINT (Ctrl-C, or a stop from the dashboard) sets `stop_event`; a second one
        raises KeyboardInterrupt. What `run` raises is passed on.

        Raises:
            RobotConnectionError: if the daemon does not answer.
            ImportError: if the app has a page and FastAPI or uvicorn is not installed.
            ValueError: if `custom_app_url` has no port.
        """
        from robot._interrupts import interrupt_sets

        with (
            interrupt_sets(self.stop_event),
            Robot(stop_event=self.stop_event) as robot,
            self._settings_page(),
        ):
            if not self.stop_event.is_set():
                self.run(robot, self.stop_event)

    def stop(self) -> None:
        """Asks the app to stop: sets `stop_event`."""
        self.stop_event.set()

    def _settings_page(self) -> AbstractContextManager[None]:
        if self.custom_app_url is None or self.dont_start_webserver:
            return nullcontext()
        from robot._settings_page import served

        return served(self.settings_app, self.custom_app_url)

    def _static_folder(self) -> str:
        module = sys.modules[type(self).__module__]
        return os.path.join(os.path.dirname(os.path.abspath(module.__file__ or "")), "static")
