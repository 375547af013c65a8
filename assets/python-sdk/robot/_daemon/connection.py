"""A connection to the daemon, from the welcome to the close."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from robot._daemon.requests import Request, Requests
from robot._stop_event import is_set
from robot._daemon.target_log import TargetLog
from robot._wire import messages
from robot._wire.frames import ABNORMAL, PROTOCOL_ERROR
from robot._wire.websocket import ConnectionClosed, WebSocket
from robot.errors import MoveTimeout, RobotError, RobotUnavailable, Unreachable, error_for

_PING_AFTER_SILENCE_S = 1.5
"""The daemon sends its state 50 times a second and pings every half second. After this silence it
is pinged; after the same time again it counts as lost. A shorter limit would mistake a computer
that is busy for a moment for a dead daemon."""
_WAIT_SLICE_S = 0.02
"""The longest sleep of a wait before it checks for a stop. Where a lock cannot be interrupted, it
also delays Ctrl-C."""


class Connection:
    """Sends commands and keeps the latest state. Safe to use from several threads."""

    def __init__(
        self,
        socket: WebSocket,
        welcome: messages.Welcome,
        stop_event: threading.Event,
        target_log: TargetLog,
    ) -> None:
        """Takes over a socket after the `welcome`; `listen` must be running."""
        self.state = welcome.state
        self.backend = welcome.backend
        self.daemon_version = welcome.daemon_version
        self.volume = 1.0
        self._socket = socket
        self._stop_event = stop_event
        self._target_log = target_log
        self._requests = Requests()
        self._refused: RobotError | None = None
        self._refused_lock = threading.Lock()
        # The daemon reports a stream's clamps only when they change, so a motion in between, with
        # its own clamps, must not overwrite them.
        self._clamped_in_stream: tuple[messages.Clamp, ...] = ()
        self._clamped_in_motion: tuple[messages.Clamp, ...] = ()
        self._streams = False

    @property
    def clamped(self) -> tuple[messages.Clamp, ...]:
        """The changes that the daemon made to the latest answered target."""
        return self._clamped_in_stream if self._streams else self._clamped_in_motion

    def stream(self, target: messages.Target) -> None:
        """Sends a target without waiting.

        Raises:
            RobotError: if the daemon refused an earlier target.
            ConnectionClosed: if the connection is closed.
        """
        self._streams = True
        self._send(messages.set_target(target))

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
            ConnectionClosed: if the connection is closed.
        """
        with self.asked(message) as request:
            return self._await_end(request, timeout_s, overdue)

    @contextmanager
    def asked(self, message: messages.Message) -> Iterator[Request]:
        """Sends a request, without its id, which can be answered within the block.

        Raises:
            RobotError: if the daemon refused an earlier target.
            ConnectionClosed: if the connection is closed.
        """
        with self._requests.new() as request:
            self._send(messages.with_id(message, request.id))
            yield request

    def send(self, message: messages.Message) -> None:
        """Sends a message that is not answered.

        Raises:
            RobotError: if the daemon refused an earlier target.
            ConnectionClosed: if the connection is closed.
        """
        self._send(message)

    def drop_refusal(self) -> None:
        """Forgets a refusal without an id, whose reason the caller has from another answer."""
        with self._refused_lock:
            self._refused = None

    def tell(self, message: messages.Message) -> None:
        """Sends a request whose answer nobody waits for.

        Raises:
            ConnectionClosed: if the connection is closed.
        """
        self._socket.send_text(messages.encode(messages.with_id(message, "told")))

    def listen(self) -> str:
        """Handles the daemon's messages until the connection is closed. Returns the reason."""
        pinged_at_s = 0.0
        try:
            while True:
                try:
                    reply = messages.decode(self._socket.receive(_PING_AFTER_SILENCE_S))
                except TimeoutError:
                    received_at_s = self._socket.received_at_s
                    # The clock alone is no proof of silence: messages may wait to be read while
                    # another thread holds the interpreter for seconds.
                    if pinged_at_s > received_at_s:
                        silence_s = time.monotonic() - received_at_s
                        raise ConnectionClosed(
                            ABNORMAL, f"it sent nothing for {silence_s:.0f} s"
                        ) from None
                    self._socket.ping()
                    pinged_at_s = time.monotonic()
                else:
                    self._handle(reply)
        except ConnectionClosed as closed:
            return str(closed)
        except messages.MalformedReply as error:
            self._socket.begin_close(PROTOCOL_ERROR)
            return f"it sent a message that this SDK does not understand ({error})"
        finally:
            self._socket.abort()

    def end(self, error: RobotError) -> None:
        """Drops the connection; waiting requests fail with `error`."""
        self._socket.abort()
        self._requests.end_all(error)

    def begin_close(self) -> None:
        """Starts the closing handshake; `listen` returns when the daemon has closed too."""
        self._socket.begin_close()

    def _send(self, message: messages.Message) -> None:
        with self._refused_lock:
            refused, self._refused = self._refused, None
        if refused is not None:
            raise refused
        self._socket.send_text(messages.encode(message))

    def _await_end(
        self, request: Request, timeout_s: float, overdue: str
    ) -> messages.Done | None:
        deadline_s = time.monotonic() + timeout_s
        while not is_set(self._stop_event):
            if request.ended.wait(_WAIT_SLICE_S):
                if request.error is not None:
                    raise request.error
                return request.done
            if time.monotonic() > deadline_s:
                raise MoveTimeout(
                    f"{overdue} The robot may be blocked, or the daemon busy. Look at the robot, "
                    "then try again."
                )
        return None

    def _handle(self, reply: messages.Reply) -> None:
        if isinstance(reply, messages.State):
            self.state = reply
        elif isinstance(reply, messages.Done):
            self._streams, self._clamped_in_motion = False, reply.clamped
            self._target_log.on_clamps(reply.clamped)
            self._requests.end(reply.id, reply)
        elif isinstance(reply, messages.Clamped):
            self._clamped_in_stream = reply.clamped
            self._target_log.on_clamps(reply.clamped)
            self._target_log.on_drops(reply.dropped)
        elif isinstance(reply, messages.Volume):
            self.volume = reply.share
        elif isinstance(reply, messages.Stop):
            self._stop_event.set()
        elif isinstance(reply, messages.Refusal):
            self._handle_refusal(reply)

    def _handle_refusal(self, refusal: messages.Refusal) -> None:
        error = error_for(refusal.code, refusal.message)
        if refusal.id is not None:
            self._requests.end(refusal.id, error)
            return
        # These must not end an app that streams targets: the next target may be within reach
        # again, and an unplugged robot may be plugged in again.
        if not isinstance(error, (Unreachable, RobotUnavailable)):
            with self._refused_lock:
                self._refused = self._refused or error  # the first is closest to the cause
        self._target_log.on_refusal(refusal)
