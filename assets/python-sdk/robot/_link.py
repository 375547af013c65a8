"""One connection to the daemon, and the thread that listens to it."""

from __future__ import annotations

import itertools
import threading
import time

from robot import __version__
from robot._wire import handshake, messages
from robot._wire.address import DaemonAddress
from robot._wire.frames import ABNORMAL, PROTOCOL_ERROR
from robot._wire.websocket import ConnectionClosed, WebSocket
from robot.errors import (
    MoveTimeout,
    RobotConnectionError,
    RobotError,
    Unreachable,
    error_for,
)

_PING_AFTER_SILENCE_S = 10.0
_LOST_AFTER_SILENCE_S = 20.0
_CLOSE_TIMEOUT_S = 1.0
_WAIT_SLICE_S = 0.02
"""How long a wait sleeps at most before it looks whether to go on (and, where a lock cannot be
interrupted, before Ctrl-C gets through)."""
_MOVE_GRACE_S = 5.0


class DaemonLink:
    """Sends commands and keeps the latest state. Safe to use from several threads."""

    def __init__(
        self,
        address: DaemonAddress,
        socket: WebSocket,
        state: messages.State,
        stop_event: threading.Event,
        stop_when_lost: bool,
    ) -> None:
        """Takes over a socket on which the daemon has said welcome."""
        self._address = address
        self._socket = socket
        self._state = state
        self._stop_event = stop_event
        self._stop_when_lost = stop_when_lost
        self._lost: str | None = None
        self._refused: RobotError | None = None
        self._refused_lock = threading.Lock()
        self._logged_codes: set[str] = set()
        self._moves: dict[str, _Move] = {}
        self._move_ids = itertools.count(1)
        self._reader = threading.Thread(target=self._listen, name="robot-daemon-link", daemon=True)
        self._reader.start()

    @classmethod
    def open(
        cls,
        address: DaemonAddress,
        timeout_s: float,
        run_token: str | None,
        client_name: str,
        stop_event: threading.Event,
    ) -> DaemonLink:
        """Connects, says hello and waits for the welcome, all within `timeout_s`.

        Raises:
            RobotConnectionError: if that did not work out; its text says what to do.
        """
        deadline_s = time.monotonic() + timeout_s
        try:
            socket = WebSocket.connect(address, timeout_s)
        except (OSError, handshake.HandshakeRefused) as error:
            raise RobotConnectionError(_why_no_connection(address, timeout_s, error)) from error
        try:
            greeting = messages.hello(__version__, run_token, client_name)
            socket.send_text(messages.encode(greeting))
            state = _await_welcome(socket, deadline_s)
            # An app that the daemon started is its own to stop; without it, it must not go on alone.
            return cls(address, socket, state, stop_event, stop_when_lost=run_token is not None)
        except (TimeoutError, ConnectionClosed, messages.MalformedReply) as error:
            socket.abort()
            raise RobotConnectionError(_why_no_welcome(address, timeout_s, error)) from error
        except BaseException:
            socket.abort()
            raise

    @property
    def state(self) -> messages.State:
        """The latest state.

        Raises:
            RobotConnectionError: if the daemon was lost: the state would be a stale one.
        """
        self._raise_if_lost()
        return self._state

    def set_target(self, target: messages.Target) -> None:
        """Sends a target and does not wait.

        Raises:
            RobotError: what the daemon had against an earlier one.
            RobotConnectionError: if the daemon was lost.
        """
        self._send(messages.set_target(target))

    def goto_target(self, target: messages.Target, duration_s: float, method: str) -> None:
        """Sends a move and waits until it is done or replaced, or a stop is asked for.

        Raises:
            RobotError: what the daemon had against it, or against an earlier target.
            MoveTimeout: if the daemon is silent about it for 5 s longer than it takes.
            RobotConnectionError: if the daemon was lost.
        """
        move_id, move = str(next(self._move_ids)), _Move()
        self._moves[move_id] = move
        try:
            self._send(messages.goto_target(move_id, target, duration_s, method))
            self._await_end(move, duration_s)
        finally:
            del self._moves[move_id]

    def close(self) -> None:
        """Says goodbye and ends the listening thread; harmless the second time."""
        self._lost = self._lost or "This robot was closed: make a new Robot() to go on."
        self._socket.begin_close()
        if self._reader is not threading.current_thread():
            self._reader.join(_CLOSE_TIMEOUT_S)
        if self._reader.is_alive():
            self._socket.abort()

    def _send(self, message: messages.Message) -> None:
        self._raise_if_lost()
        with self._refused_lock:
            refused, self._refused = self._refused, None
        if refused is not None:
            raise refused
        try:
            self._socket.send_text(messages.encode(message))
        except ConnectionClosed as closed:
            self._lose(str(closed))
            self._raise_if_lost()

    def _await_end(self, move: _Move, duration_s: float) -> None:
        deadline_s = time.monotonic() + duration_s + _MOVE_GRACE_S
        while not self._stop_event.is_set():
            if move.ended.wait(_WAIT_SLICE_S):
                if move.error is not None:
                    raise move.error
                return
            self._raise_if_lost()
            if time.monotonic() > deadline_s:
                raise MoveTimeout(
                    f"The move of {duration_s:g} s has not ended {_MOVE_GRACE_S:g} s after its "
                    "time. The robot may be blocked, or the daemon busy. Look at the robot, "
                    "then try again."
                )

    def _raise_if_lost(self) -> None:
        if self._lost is not None:
            raise RobotConnectionError(self._lost)

    def _lose(self, why: str) -> None:
        if self._lost is not None:
            return
        self._lost = (
            f"The connection to the daemon at {self._address.url} was lost: {why}. "
            "The daemon may have been stopped or restarted. Start it, then start this program "
            "again."
        )
        if self._stop_when_lost:
            self._stop_event.set()

    def _listen(self) -> None:
        try:
            while True:
                try:
                    reply = messages.decode(self._socket.receive(_PING_AFTER_SILENCE_S))
                except TimeoutError:
                    self._check_alive()
                else:
                    self._handle(reply)
        except ConnectionClosed as closed:
            self._lose(str(closed))
        except messages.MalformedReply as error:
            self._lose(f"it sent what this SDK does not understand ({error})")
            self._socket.begin_close(PROTOCOL_ERROR)
        finally:
            self._socket.abort()

    def _check_alive(self) -> None:
        silence_s = time.monotonic() - self._socket.heard_at_s
        if silence_s >= _LOST_AFTER_SILENCE_S:
            raise ConnectionClosed(ABNORMAL, f"it said nothing for {silence_s:.0f} s")
        self._socket.ping()

    def _handle(self, reply: messages.Reply) -> None:
        if isinstance(reply, messages.State):
            self._state = reply
        elif isinstance(reply, messages.Done):
            self._end_move(reply.id, None)
        elif isinstance(reply, messages.Stop):
            self._stop_event.set()
        elif isinstance(reply, messages.Refusal):
            error = error_for(reply.code, reply.message)
            if reply.id is not None:
                self._end_move(reply.id, error)
            else:
                # In a stream of targets one that is out of reach is no reason to end the app: the
                # robot stays at the one before, and the next is likely to be within reach again.
                if not isinstance(error, Unreachable):
                    with self._refused_lock:
                        self._refused = self._refused or error  # the first is nearest to the cause
                self._log_once(reply)

    def _end_move(self, move_id: str, error: RobotError | None) -> None:
        move = self._moves.get(move_id)
        if move is not None:  # else nobody waits for it any more
            move.error = error
            move.ended.set()

    def _log_once(self, refusal: messages.Refusal) -> None:
        if refusal.code in self._logged_codes:
            return
        self._logged_codes.add(refusal.code)
        import logging

        logging.getLogger("robot").warning("The daemon refused a target: %s", refusal.message)


class _Move:
    """A `goto_target` under way."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.error: RobotError | None = None


def _await_welcome(socket: WebSocket, deadline_s: float) -> messages.State:
    while True:
        reply = messages.decode(socket.receive(deadline_s - time.monotonic()))
        if isinstance(reply, messages.Welcome):
            return reply.state
        if isinstance(reply, messages.Refusal):
            raise RobotConnectionError(f"The daemon refused this program: {reply.message}")


def _why_no_connection(address: DaemonAddress, timeout_s: float, error: Exception) -> str:
    check = "Check the address (daemon_url, or ROBOT_DAEMON_URL in the environment)."
    start = 'Start Robot Desktop, or run "robot-daemon", then try again.'
    if isinstance(error, handshake.HandshakeRefused):
        if error.status in (401, 403):
            why = error.detail or f"It answered with status {error.status}."
            do = "Run the program on the daemon's own machine, under the address that it prints."
            return f"The daemon at {address.url} does not let this program in. {why} {do}"
        if error.status == 503 and error.detail:
            return (
                f"The daemon at {address.url} cannot take this program now. {error.detail} "
                "End one that is not needed, or wait a little, then try again."
            )
        answer = "not in HTTP" if error.status is None else f"with status {error.status}"
        return (
            f"Something answers at {address.url} ({answer}), but it is no daemon that this SDK "
            f"can talk to. Another program may use that port. {check}"
        )
    if isinstance(error, TimeoutError):
        return (
            f"The daemon at {address.url} did not answer within {timeout_s:g} s. "
            f"It may be hanging, or be on a network that drops the connection. {check}"
        )
    if isinstance(error, ConnectionRefusedError):
        return f"Nothing answers at {address.url}. The daemon is probably not running. {start}"
    return f"The daemon at {address.url} cannot be reached: {error}. {check}"


def _why_no_welcome(address: DaemonAddress, timeout_s: float, error: Exception) -> str:
    if isinstance(error, TimeoutError):
        what = f"did not welcome this program within {timeout_s:g} s"
    else:
        what = f"broke off before it welcomed this program ({error})"
    return (
        f"The daemon at {address.url} {what}. It may be shutting down, or be of another version "
        'than this SDK. Restart Robot Desktop (or "robot-daemon"), then try again.'
    )
