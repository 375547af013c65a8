"""The link to the daemon: the current connection, and the thread that listens to it.

An app that the daemon started must not go on without it: only that daemon can stop it. A program
started by hand reconnects as soon as a daemon is back.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from robot._daemon.connection import Connection
from robot._daemon.requests import Request
from robot._daemon.session import Client, open_session
from robot._stop_event import is_set
from robot._daemon.target_log import TargetLog
from robot._wire import messages
from robot._wire.websocket import ConnectionClosed
from robot.errors import RobotConnectionError

_CLOSED = "This robot was closed. Create a new Robot() to go on."
_CLOSE_TIMEOUT_S = 1.0
_FIRST_RETRY_S = 0.2
_MAX_RETRY_S = 2.0
_RETRY_TIMEOUT_S = 2.0


class DaemonLink:
    """Sends commands and has the latest state. Safe to use from several threads."""

    def __init__(self, client: Client, timeout_s: float, stop_event: threading.Event) -> None:
        """Connects within `timeout_s`.

        Raises:
            RobotConnectionError: if that failed; its text says what to do.
        """
        self._client = client
        self._reconnects = client.run_token is None
        self._stop_event = stop_event
        self._target_log = TargetLog()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._lost: str | None = None
        self._repeated: dict[object, messages.Message] = {}
        self._connection = self._connect(timeout_s)
        self._reader = threading.Thread(target=self._read, name="robot-daemon-link", daemon=True)
        self._reader.start()

    @property
    def state(self) -> messages.State:
        """The latest state.

        Raises:
            RobotConnectionError: if the daemon is lost: the state would be stale.
        """
        with self._connected() as connection:
            return connection.state

    @property
    def clamped(self) -> tuple[messages.Clamp, ...]:
        """The changes that the daemon made to the latest target.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        with self._connected() as connection:
            return connection.clamped

    @property
    def backend(self) -> str:
        """The daemon's kind of robot; the last one while the daemon is lost."""
        return self._connection.backend

    @property
    def daemon_version(self) -> str:
        """The version of the daemon.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        with self._connected() as connection:
            return connection.daemon_version

    @property
    def volume(self) -> float:
        """The volume of the robot's sounds, from 0 to 1; the last one while the daemon is lost."""
        return self._connection.volume

    def stream(self, target: messages.Target) -> None:
        """Sends a target without waiting.

        Raises:
            RobotError: if the daemon refused an earlier target.
            RobotConnectionError: if the daemon is lost.
        """
        with self._connected() as connection:
            connection.stream(target)

    def ask(
        self, message: messages.Message, timeout_s: float, overdue: str
    ) -> messages.Done | None:
        """Sends a request and waits until it is carried out or this program is asked to stop.

        Returns the answer, or None if this program was asked to stop first.

        Args:
            message: the request, without its id.
            timeout_s: the longest wait for the answer.
            overdue: the sentence of the MoveTimeout.

        Raises:
            RobotError: if the daemon refuses it, or refused an earlier target.
            MoveTimeout: if there is no answer in time.
            RobotConnectionError: if the daemon is lost, before or during the wait.
        """
        with self._connected() as connection:
            return connection.ask(message, timeout_s, overdue)

    def repeat_when_reconnected(self, message: messages.Message) -> None:
        """Sends a setting of the session again in every later one; the latest of each type."""
        with self._lock:
            self._repeated[message["type"]] = message

    @contextmanager
    def asked(self, message: messages.Message) -> Iterator[Request]:
        """Sends a request, without its id; the caller waits for its answer within the block.

        Raises:
            RobotError: if the daemon refused an earlier target.
            RobotConnectionError: if the daemon is lost; later, it is the error of the request.
        """
        with self._connected() as connection, connection.asked(message) as request:
            yield request

    def send(self, message: messages.Message) -> None:
        """Sends a message that is not answered.

        Raises:
            RobotError: if the daemon refused an earlier target.
            RobotConnectionError: if the daemon is lost.
        """
        with self._connected() as connection:
            connection.send(message)

    def drop_refusal(self) -> None:
        """Forgets a refusal without an id, whose reason the caller has from another answer."""
        self._connection.drop_refusal()

    @property
    def stopping(self) -> bool:
        """Whether this program is asked to stop."""
        return is_set(self._stop_event)

    def close(self) -> None:
        """Closes the connection and ends the listening thread; can be called repeatedly."""
        with self._lock:
            self._closed.set()
            self._lost = _CLOSED
            connection = self._connection
        connection.begin_close()
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
        socket, welcome = open_session(self._client, timeout_s)
        return Connection(socket, welcome, self._stop_event, self._target_log)

    def _connect_again(self) -> Connection:
        connection = self._connect(_RETRY_TIMEOUT_S)
        try:
            for message in list(self._repeated.values()):
                connection.tell(message)
        except ConnectionClosed as closed:
            error = RobotConnectionError(f"The daemon closed the new one too ({closed}).")
            connection.end(error)
            raise error from closed
        return connection

    def _lose(self, connection: Connection, why: str) -> RobotConnectionError:
        """Ends `connection` and records that it is lost."""
        then = "this program goes on" if self._reconnects else "start this program again"
        lost = (
            f"The connection to the daemon at {self._client.address.url} was lost: {why}. "
            f"The daemon may have been stopped or restarted. Start it, then {then}."
        )
        with self._lock:
            newly = connection is self._connection and self._lost is None
            if newly:
                self._lost = lost
            error = RobotConnectionError(self._lost or lost)
        if newly and not self._reconnects:
            self._stop_event.set()
        connection.end(error)
        return error

    def _read(self) -> None:
        while True:
            connection = self._connection
            self._lose(connection, connection.listen())
            if not self._reconnects or not self._reconnect():
                return

    def _reconnect(self) -> bool:
        """Retries until the daemon is connected again or the link is closed."""
        wait_s = _FIRST_RETRY_S
        while not self._closed.wait(wait_s):
            wait_s = min(2 * wait_s, _MAX_RETRY_S)
            try:
                connection = self._connect_again()
            except RobotConnectionError as error:
                with self._lock:
                    if not self._closed.is_set():
                        self._lost = f"The connection to the daemon was lost. {error}"
                continue
            with self._lock:
                if not self._closed.is_set():
                    self._connection, self._lost = connection, None
                    return True
            connection.begin_close()
            connection.end(RobotConnectionError(_CLOSED))
        return False
