"""The members of `RobotApp` that apps use beside `run`."""

from __future__ import annotations

import logging
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import in_background
from peer import Peer

from robot import Robot, RobotApp, RobotConnectionError
from robot.apps.app import RobotApp as SameRobotApp
from robot.media.media_manager import choose_backend


class Polite(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        pass


class OwnInit(Polite):
    """Does not call the `__init__` of its base."""

    def __init__(self, volume: int = 3) -> None:
        self.volume = volume


class OnWireless(Polite):
    def __init__(self, running_on_wireless: bool = False) -> None:
        super().__init__(running_on_wireless=running_on_wireless)


class AnyArguments(Polite):
    def __init__(self, *args: bool, **kwargs: bool) -> None:
        super().__init__(*args, **kwargs)


def test_both_modules_have_the_same_class() -> None:
    assert SameRobotApp is RobotApp


def test_the_class_has_its_defaults_before_an_app_is_created() -> None:
    assert (Polite.custom_app_url, Polite.dont_start_webserver) == (None, False)
    assert Polite.request_media_backend is None
    assert Polite.running_on_wireless is False


def test_an_app_has_its_members_without_the_init_of_its_base() -> None:
    app = OwnInit(volume=5)
    assert not app.stop_event.is_set()
    app.stop()
    assert app.stop_event.is_set()
    assert not OwnInit().stop_event.is_set()
    assert (app.error, app.media_backend, app.running_on_wireless) == ("", "default", False)
    assert app.volume == 5


def test_running_on_wireless_is_accepted_in_every_form() -> None:
    apps = [Polite(), Polite(True), Polite(running_on_wireless=True), OnWireless(True)]
    apps += [AnyArguments(), AnyArguments(True), AnyArguments(running_on_wireless=True)]
    assert [app.running_on_wireless for app in apps] == [
        False, True, True, True, False, True, True,
    ]  # fmt: skip


def test_the_logger_is_a_standard_one_and_can_be_replaced(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = Polite()
    assert isinstance(app.logger, logging.Logger)
    app.logger.warning("Hello %s", "you")
    assert caplog.messages == ["Hello you"]
    app.logger = logging.getLogger("mine")
    assert app.logger.name == "mine"


def test_the_instance_path_is_the_file_of_the_app() -> None:
    path = Polite()._get_instance_path()
    assert isinstance(path, Path)
    assert path == Path(__file__).resolve()
    assert (path.parent / "test_app_members.py").is_file()


@pytest.mark.parametrize(
    ("requested", "backend"),
    [
        (None, "default"),
        ("default", "default"),
        ("no_media", "no_media"),
        ("default_no_video", "default_no_video"),
        ("local", "local"),
        ("gstreamer", "gstreamer"),
    ],
)
def test_the_requested_media_backend_is_that_of_the_robot(
    peer: Peer, monkeypatch: pytest.MonkeyPatch, requested: str | None, backend: str
) -> None:
    seen = []

    class App(Polite):
        request_media_backend = requested

        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            seen.append(robot.media.backend)

    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    app = App()
    assert app.media_backend == backend
    app.wrapped_run()
    app = App()
    app.media_backend = "no_media"
    app.wrapped_run()
    assert seen == [choose_backend(backend), "no_media"]


def test_a_daemon_on_this_machine_is_noticed(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    app = Polite()
    assert app.daemon_on_localhost is True
    monkeypatch.setenv("ROBOT_DAEMON_URL", "http://127.0.0.1:9")
    assert Polite().daemon_on_localhost is False
    monkeypatch.setenv("ROBOT_DAEMON_URL", "http://192.0.2.1:8000")
    with monkeypatch.context() as patch:
        patch.setattr(socket, "create_connection", lambda *_: pytest.fail("it was asked"))
        assert Polite().daemon_on_localhost is False
    app.daemon_on_localhost = False
    assert not app.daemon_on_localhost


def test_the_traceback_of_a_failed_run_is_kept(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    class App(RobotApp):
        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            raise LookupError("no music")

    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    app = App()
    with pytest.raises(LookupError):
        app.wrapped_run()
    assert app.error.startswith("Traceback")
    assert app.error.endswith("LookupError: no music\n")


def test_the_event_is_set_after_the_run_for_the_threads_of_the_app(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers: list[threading.Thread] = []

    class App(RobotApp):
        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            workers.append(in_background(lambda: stop_event.wait(60)))

    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    app = App()
    for _ in range(2):  # and the app can run again
        app.wrapped_run()
        workers[-1].join(30)
        assert app.stop_event.is_set()
    assert [worker.is_alive() for worker in workers] == [False, False]


def test_an_app_that_was_stopped_before_does_not_run(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    class App(RobotApp):
        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            raise AssertionError("it runs")

    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    app = App()
    app.stop()
    app.wrapped_run()


def test_an_app_may_try_again_when_no_daemon_answered(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = []

    class App(RobotApp):
        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            ran.append(robot)

    monkeypatch.setenv("ROBOT_DAEMON_URL", "http://127.0.0.1:9")
    app = App()
    with pytest.raises(RobotConnectionError):
        app.wrapped_run()
    assert "Nothing answers" in app.error
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    app.wrapped_run()
    assert len(ran) == 1
