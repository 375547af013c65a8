"""The way to the daemon: the connection that there is, and the thread that listens to it.

An app that the daemon started is the daemon's own to stop: without it, it must not go on alone, and
a new daemon knows nothing of it. A program started by hand is nobody's, so it gets its connection
back as soon as there is a daemon again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from robot._connection import Connection
from robot._greeting import Visitor, enter
from robot._remarks import Remarks
from robot._wire import messages
from robot._wire.websocket import ConnectionClosed
from robot.errors import RobotConnectionError

_CLOSED = "This robot was closed: make a new Robot() to go on."
_CLOSE_TIMEOUT_S = 1.0
_FIRST_RETRY_S = 0.2
_MAX_RETRY_S = 2.0
_RETRY_TIMEOUT_S = 2.0


class DaemonLink:
    """Commands go out on it, the latest state is on it. Safe to use from several threads."""

    def __init__(self, visitor: Visitor, timeout_s: float, stop_event: threading.Event) -> None:
        """Connects within `timeout_s`.

        Raises:
            RobotConnectionError: if that did not work out; its text says what to do.
        """
        self._visitor = visitor
        self._comes_back = visitor.run_token is None
        self._stop_event = stop_event
        self._remarks = Remarks()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._lost: str | None = None
        self._connection = self._connect(timeout_s)
        self._reader = threading.Thread(target=self._read, name="robot-daemon-link", daemon=True)
        self._reader.start()

    @property
    def state(self) -> messages.State:
        """The latest state.

        Raises:
            RobotConnectionError: if the daemon is lost: the state would be a stale one.
        """
        with self._connected() as connection:
            return connection.state

    @property
    def clamped(self) -> tuple[messages.Clamp, ...]:
        """What of the latest target the daemon took otherwise.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        with self._connected() as connection:
            return connection.clamped

    @property
    def backend(self) -> str:
        """What kind of robot the daemon has.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        with self._connected() as connection:
            return connection.backend

    def stream(self, target: messages.Target) -> None:
        """Sends a target and does not wait.

        Raises:
            RobotError: what the daemon had against an earlier one.
            RobotConnectionError: if the daemon is lost.
        """
        with self._connected() as connection:
            connection.stream(target)

    def ask(self, message: messages.Message, timeout_s: float, overdue: str) -> None:
        """Sends a request and waits until it is carried out, or a stop is asked for.

        Args:
            message: without its id.
            timeout_s: how long to wait for the answer.
            overdue: a sentence for when there is none.

        Raises:
            RobotError: what the daemon had against it, or against an earlier target.
            MoveTimeout: if there is no answer in time.
            RobotConnectionError: if the daemon is lost, also meanwhile.
        """
        with self._connected() as connection:
            connection.ask(message, timeout_s, overdue)

    def close(self) -> None:
        """Says goodbye and ends the listening thread; harmless the second time."""
        with self._lock:
            self._closed.set()
            self._lost = _CLOSED
            connection = self._connection
        connection.say_goodbye()
        if self._reader is not threading.current_thread():
            self._reader.join(_CLOSE_TIMEOUT_S)
        connection.end(RobotConnectionError(_CLOSED))

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        connection, lost = self._connection, self._lost
        if lost is not None:
            raise RobotConnectionError(lost)
        try:
            yield connection
        except ConnectionClosed as closed:
            raise self._lose(connection, str(closed)) from closed

    def _connect(self, timeout_s: float) -> Connection:
        socket, welcome = enter(self._visitor, timeout_s)
        return Connection(socket, welcome, self._stop_event, self._remarks)

    def _lose(self, connection: Connection, why: str) -> RobotConnectionError:
        """Makes sure that `connection` is over, and known to be."""
        then = "this program goes on" if self._comes_back else "start this program again"
        lost = (
            f"The connection to the daemon at {self._visitor.address.url} was lost: {why}. "
            f"The daemon may have been stopped or restarted. Start it, then {then}."
        )
        with self._lock:
            newly = connection is self._connection and self._lost is None
            if newly:
                self._lost = lost
            error = RobotConnectionError(self._lost or lost)
        if newly and not self._comes_back:
            self._stop_event.set()
        connection.end(error)
        return error

    def _read(self) -> None:
        while True:
            connection = self._connection
            self._lose(connection, connection.listen())
            if not self._comes_back or not self._reconnect():
                return

    def _reconnect(self) -> bool:
        """Tries until there is a connection again, or none is wanted any more."""
        wait_s = _FIRST_RETRY_S
        while not self._closed.wait(wait_s):
            wait_s = min(2 * wait_s, _MAX_RETRY_S)
            try:
                connection = self._connect(_RETRY_TIMEOUT_S)
            except RobotConnectionError as error:
                with self._lock:
                    if not self._closed.is_set():
                        self._lost = f"The connection to the daemon was lost. {error}"
                continue
            with self._lock:
                if not self._closed.is_set():
                    self._connection, self._lost = connection, None
                    return True
            connection.say_goodbye()
            connection.end(RobotConnectionError(_CLOSED))
        return False
