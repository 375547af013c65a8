"""Apps in their own processes, stopped like people and the daemon stop them."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest
from peer import Peer
from programs import first_line, start_app

from robot import Robot, RobotApp

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no SIGINT for a child process"
)

POLITE = """
class App(RobotApp):
    def run(self, robot, stop_event):
        print("running", flush=True)
        stop_event.wait(20)
        time.sleep(0.05)
        print("tidied up", flush=True)
"""


def test_a_first_interrupt_lets_the_app_finish(peer: Peer, tmp_path: Path) -> None:
    app = start_app(tmp_path, POLITE, peer.url)
    assert peer.next_message("hello")["clientName"] == "sample"
    assert first_line(app) == "running"
    app.send_signal(signal.SIGINT)
    assert app.communicate(timeout=30) == ("tidied up\n", "")
    assert app.returncode == 0
    assert peer.next("closed")["code"] == 1000


def test_a_stop_message_does_the_same_and_an_interrupt_after_it_is_still_the_first(
    peer: Peer, tmp_path: Path
) -> None:
    app = start_app(tmp_path, POLITE, peer.url)
    assert first_line(app) == "running"
    peer.reply(type="stop")
    app.send_signal(signal.SIGINT)
    assert app.communicate(timeout=30) == ("tidied up\n", "")
    assert app.returncode == 0


def test_a_second_interrupt_gets_through(peer: Peer, tmp_path: Path) -> None:
    source = """
    class App(RobotApp):
        def run(self, robot, stop_event):
            print("running", flush=True)
            stop_event.wait()
            print("deaf", flush=True)
            time.sleep(20)
    """
    app = start_app(tmp_path, source, peer.url)
    assert first_line(app) == "running"
    app.send_signal(signal.SIGINT)
    assert first_line(app) == "deaf"
    app.send_signal(signal.SIGINT)
    assert app.communicate(timeout=30) == ("interrupted twice\n", "")
    assert app.returncode == 0


@pytest.mark.torture
@pytest.mark.parametrize(
    "work",
    [
        "time.sleep(20)",
        "threading.Event().wait(20)",
        "robot.goto_target(antennas=[0, 0], duration=0.5)",
        "robot.set_target(antennas=[0, 0]); time.sleep(0.01)",
        "threading.Thread(target=time.sleep, args=(20,), daemon=True).start(); time.sleep(1)",
    ],
)
def test_an_app_that_never_looks_at_its_stop_event_is_interrupted(
    peer: Peer, tmp_path: Path, work: str
) -> None:
    source = f"""
    class App(RobotApp):
        def run(self, robot, stop_event):
            print("running", flush=True)
            while True:
                {work}
    """
    app = start_app(tmp_path, source, peer.url)
    assert first_line(app) == "running"
    app.send_signal(signal.SIGINT)
    assert app.communicate(timeout=15) == ("interrupted twice\n", "")
    assert app.returncode == 0


@pytest.mark.torture
@pytest.mark.parametrize("look", ["stop_event.wait()", "while not stop_event.is_set(): pass"])
def test_an_app_that_has_seen_its_stop_event_ends_what_it_began(
    peer: Peer, tmp_path: Path, look: str
) -> None:
    source = f"""
    class App(RobotApp):
        def run(self, robot, stop_event):
            print("running", flush=True)
            {look}
            time.sleep(3)
            print("saved", flush=True)
    """
    app = start_app(tmp_path, source, peer.url)
    assert first_line(app) == "running"
    app.send_signal(signal.SIGINT)
    assert app.communicate(timeout=30) == ("saved\n", "")


def test_the_own_handler_of_an_app_is_called_too(peer: Peer, tmp_path: Path) -> None:
    source = """
    import signal
    signal.signal(signal.SIGINT, lambda *_: print("handled", flush=True))

    class App(RobotApp):
        def run(self, robot, stop_event):
            print("running", flush=True)
            print("stopped", stop_event.wait(20), flush=True)
            signal.raise_signal(signal.SIGINT)
    """
    app = start_app(tmp_path, source, peer.url)
    assert first_line(app) == "running"
    app.send_signal(signal.SIGINT)
    assert app.communicate(timeout=30) == (
        "handled\nstopped True\nhandled\ninterrupted twice\n",
        "",
    )


def test_an_own_handler_may_end_the_app(peer: Peer, tmp_path: Path) -> None:
    source = """
    import signal
    signal.signal(signal.SIGINT, lambda *_: sys.exit(3))

    class App(RobotApp):
        def run(self, robot, stop_event):
            print("running", flush=True)
            time.sleep(20)
    """
    app = start_app(tmp_path, source, peer.url)
    assert first_line(app) == "running"
    app.send_signal(signal.SIGINT)
    assert app.communicate(timeout=30) == ("", "")
    assert app.returncode == 3


def test_threads_that_outlive_run_end_without_a_traceback(peer: Peer, tmp_path: Path) -> None:
    source = """
    from robot.errors import AppStopping

    class App(RobotApp):
        def run(self, robot, stop_event):
            def stream():
                while True:
                    robot.set_target(antennas=[0, 0])
                    time.sleep(0.001)
            def wait_for_a_model():
                stop_event.wait()
                raise AppStopping
            def fail():
                raise LookupError("no music")
            threads = [threading.Thread(target=work) for work in (stream, wait_for_a_model)]
            for thread in threads:
                thread.start()
            failing = threading.Thread(target=fail)
            failing.start()
            failing.join()
            print("running", flush=True)
            stop_event.wait()
    """
    app = start_app(tmp_path, source, peer.url)
    assert first_line(app) == "running"
    app.send_signal(signal.SIGINT)
    output, errors = app.communicate(timeout=30)
    assert (output, app.returncode) == ("", 0)
    assert errors.count("Traceback") == 1
    assert errors.endswith("LookupError: no music\n")


def test_an_interrupt_ends_the_wait_for_a_move(peer: Peer, tmp_path: Path) -> None:
    source = """
    class App(RobotApp):
        def run(self, robot, stop_event):
            print("running", flush=True)
            robot.goto_target(body_yaw=1, duration=60)
            print("stopped" if stop_event.is_set() else "arrived", flush=True)
    """
    app = start_app(tmp_path, source, peer.url)
    peer.next_message("goto_target")
    app.send_signal(signal.SIGINT)
    assert app.communicate(timeout=30) == ("running\nstopped\n", "")


def test_an_interrupt_in_the_middle_of_a_wait_never_hangs(peer: Peer, tmp_path: Path) -> None:
    """A handler that sets the event itself would hang here: `wait` may hold the event's lock."""
    source = """
    class App(RobotApp):
        def run(self, robot, stop_event):
            print("running", flush=True)
            while not stop_event.wait(0):
                pass
    """
    for attempt in range(4):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        app = start_app(folder, source, peer.url)
        assert first_line(app) == "running"
        app.send_signal(signal.SIGINT)
        assert app.wait(30) == 0


def test_an_exception_of_run_gives_a_traceback_and_exit_code_one(
    peer: Peer, tmp_path: Path
) -> None:
    source = """
    class App(RobotApp):
        def run(self, robot, stop_event):
            raise LookupError("no music")
    """
    app = start_app(tmp_path, source, peer.url)
    _, errors = app.communicate(timeout=30)
    assert app.returncode == 1
    assert errors.startswith("Traceback")
    assert errors.endswith("LookupError: no music\n")
    assert peer.next("closed")["code"] == 1000


def test_a_missing_daemon_is_reported_in_the_last_line(tmp_path: Path) -> None:
    app = start_app(tmp_path, POLITE, "http://127.0.0.1:9")
    _, errors = app.communicate(timeout=30)
    assert app.returncode == 1
    assert errors.splitlines()[-1].startswith(
        "robot.errors.RobotConnectionError: Nothing answers at http://127.0.0.1:9."
    )


def test_no_settings_page_loads_no_web_server(peer: Peer, tmp_path: Path) -> None:
    source = """
    class App(RobotApp):
        custom_app_url = None
        def run(self, robot, stop_event):
            robot.set_target(body_yaw=0)
            web = {"fastapi", "starlette", "uvicorn", "pydantic", "numpy"}
            print(sorted(web & {name.partition(".")[0] for name in sys.modules}))
    """
    app = start_app(tmp_path, source, peer.url)
    assert app.communicate(timeout=30) == ("[]\n", "")


def test_the_previous_handler_is_restored(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    seen = []

    class App(RobotApp):
        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            seen.append(signal.getsignal(signal.SIGINT))
            self.stop()
            assert stop_event.is_set()

    before = signal.getsignal(signal.SIGINT)
    App().wrapped_run()
    assert seen != [before]
    assert signal.getsignal(signal.SIGINT) is before


def test_an_app_runs_outside_of_the_main_thread_too(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_DAEMON_URL", peer.url)
    ran = threading.Event()

    class App(RobotApp):
        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            ran.set()

    thread = threading.Thread(target=App().wrapped_run)
    thread.start()
    thread.join(30)
    assert ran.is_set()


def test_arguments_of_a_robot_are_passed_on_and_unknown_ones_ignored(
    peer: Peer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ran = []

    class App(RobotApp):
        def run(self, robot: Robot, stop_event: threading.Event) -> None:
            ran.append(robot.client.get_status().no_media)

        def wrapped_run(self, *args: object, **kwargs: object) -> None:
            super().wrapped_run(*args, **kwargs)

    monkeypatch.delenv("ROBOT_DAEMON_URL", raising=False)
    App().wrapped_run(daemon_url=peer.url, timeout=4, media_backend="no_media")
    App().wrapped_run(host="127.0.0.1", port=peer.port, connection_mode="localhost_only")
    App().wrapped_run("robot", "localhost", peer.port, "auto", False, False, 5.0, True)
    App().wrapped_run(*(None, None, peer.port, "auto", False, False, 5.0, True, "INFO", "no_media"))
    assert caplog.messages == []
    App().wrapped_run(daemon_url=peer.url, camera="front", audio=True)
    assert ran == [True, False, False, True, False]
    assert caplog.messages == ["wrapped_run ignores audio, camera."]


def test_an_app_without_run_cannot_be_created() -> None:
    with pytest.raises(TypeError, match="abstract"):
        type("Empty", (RobotApp,), {})()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_an_interrupt_ends_a_forked_worker_instead_of_setting_its_copy_of_the_event(
    peer: Peer, tmp_path: Path
) -> None:
    source = """
    import os

    class App(RobotApp):
        def run(self, robot, stop_event):
            worker = os.fork()
            if worker == 0:
                try:
                    print("worker", os.getpid(), flush=True)
                    time.sleep(20)
                except KeyboardInterrupt:
                    os._exit(7)
                os._exit(0)
            print("ended with", os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]), flush=True)
    """
    app = start_app(tmp_path, source, peer.url)
    os.kill(int(first_line(app).split()[1]), signal.SIGINT)
    assert first_line(app) == "ended with 7"


@pytest.mark.parametrize("started_by_daemon", [True, False])
def test_only_an_app_that_the_daemon_started_stops_when_the_daemon_is_lost(
    peer: Peer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started_by_daemon: bool
) -> None:
    source = """
    class App(RobotApp):
        def run(self, robot, stop_event):
            print("running", flush=True)
            print("asked to stop" if stop_event.wait(1) else "goes on", flush=True)
    """
    if started_by_daemon:
        monkeypatch.setenv("ROBOT_RUN_TOKEN", "0b9c5f5e")
    app = start_app(tmp_path, source, peer.url)
    assert first_line(app) == "running"
    peer.kill()
    assert first_line(app) == ("asked to stop" if started_by_daemon else "goes on")
