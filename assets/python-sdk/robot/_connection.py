"""One connection to the daemon, from its welcome to its end."""

from __future__ import annotations

import threading
import time

from robot._remarks import Remarks
from robot._requests import Request, Requests
from robot._wire import messages
from robot._wire.frames import ABNORMAL, PROTOCOL_ERROR
from robot._wire.websocket import ConnectionClosed, WebSocket
from robot.errors import MoveTimeout, RobotError, RobotUnavailable, Unreachable, error_for

_PING_AFTER_SILENCE_S = 1.5
"""The daemon sends its state 50 times a second and pings every half second. One that says nothing
for so long is asked for a sign of life; after as long again it is lost. So 3 s are hundreds of
missed messages; less would take a computer that is busy for a moment for a dead daemon."""
_WAIT_SLICE_S = 0.02
"""How long a wait sleeps at most before it looks whether to go on (and, where a lock cannot be
interrupted, before Ctrl-C gets through)."""


class Connection:
    """Sends commands and keeps the latest state. Safe to use from several threads."""

    def __init__(
        self,
        socket: WebSocket,
        welcome: messages.Welcome,
        stop_event: threading.Event,
        remarks: Remarks,
    ) -> None:
        """Takes over a socket on which the daemon has said `welcome`; `listen` must be running."""
        self.state = welcome.state
        self.backend = welcome.backend
        self._socket = socket
        self._stop_event = stop_event
        self._remarks = remarks
        self._requests = Requests()
        self._refused: RobotError | None = None
        self._refused_lock = threading.Lock()
        # The daemon tells of a stream's clamps only when they change: a motion in between, with
        # clamps of its own, must not make them forgotten.
        self._clamped_in_stream: tuple[messages.Clamp, ...] = ()
        self._clamped_in_motion: tuple[messages.Clamp, ...] = ()
        self._streams = False

    @property
    def clamped(self) -> tuple[messages.Clamp, ...]:
        """What of the latest target the daemon took otherwise, as far as it has answered."""
        return self._clamped_in_stream if self._streams else self._clamped_in_motion

    def stream(self, target: messages.Target) -> None:
        """Sends a target and does not wait.

        Raises:
            RobotError: what the daemon had against an earlier one.
            ConnectionClosed: if the connection is over.
        """
        self._streams = True
        self._send(messages.set_target(target))

    def ask(self, message: messages.Message, timeout_s: float, overdue: str) -> None:
        """Sends a request and waits until it is carried out, or a stop is asked for.

        Args:
            message: without its id.
            timeout_s: how long to wait for the answer.
            overdue: a sentence for when there is none.

        Raises:
            RobotError: what the daemon had against it, or against an earlier target.
            MoveTimeout: if there is no answer in time.
            ConnectionClosed: if the connection is over.
        """
        with self._requests.new() as request:
            self._send(messages.with_id(message, request.id))
            self._await_end(request, timeout_s, overdue)

    def listen(self) -> str:
        """Takes in what the daemon sends until the connection is over. Returns why it is."""
        asked_for_life_at_s = 0.0
        try:
            while True:
                try:
                    reply = messages.decode(self._socket.receive(_PING_AFTER_SILENCE_S))
                except TimeoutError:
                    heard_at_s = self._socket.heard_at_s
                    # Not by the clock: what has come may wait to be read, while another thread
                    # computes for seconds and lets nobody else run.
                    if asked_for_life_at_s > heard_at_s:
                        silence_s = time.monotonic() - heard_at_s
                        raise ConnectionClosed(
                            ABNORMAL, f"it said nothing for {silence_s:.0f} s"
                        ) from None
                    self._socket.ping()
                    asked_for_life_at_s = time.monotonic()
                else:
                    self._handle(reply)
        except ConnectionClosed as closed:
            return str(closed)
        except messages.MalformedReply as error:
            self._socket.begin_close(PROTOCOL_ERROR)
            return f"it sent what this SDK does not understand ({error})"
        finally:
            self._socket.abort()

    def end(self, error: RobotError) -> None:
        """Drops the connection; whoever waits for an answer gets `error`."""
        self._socket.abort()
        self._requests.end_all(error)

    def say_goodbye(self) -> None:
        """Begins to close; `listen` ends when the daemon has said goodbye too."""
        self._socket.begin_close()

    def _send(self, message: messages.Message) -> None:
        with self._refused_lock:
            refused, self._refused = self._refused, None
        if refused is not None:
            raise refused
        self._socket.send_text(messages.encode(message))

    def _await_end(self, request: Request, timeout_s: float, overdue: str) -> None:
        deadline_s = time.monotonic() + timeout_s
        while not self._stop_event.is_set():
            if request.ended.wait(_WAIT_SLICE_S):
                if request.error is not None:
                    raise request.error
                return
            if time.monotonic() > deadline_s:
                raise MoveTimeout(
                    f"{overdue} The robot may be blocked, or the daemon busy. Look at the robot, "
                    "then try again."
                )

    def _handle(self, reply: messages.Reply) -> None:
        if isinstance(reply, messages.State):
            self.state = reply
        elif isinstance(reply, messages.Done):
            self._streams, self._clamped_in_motion = False, reply.clamped
            self._remarks.on_clamps(reply.clamped)
            self._requests.end(reply.id, None)
        elif isinstance(reply, messages.Clamped):
            self._clamped_in_stream = reply.clamped
            self._remarks.on_clamps(reply.clamped)
        elif isinstance(reply, messages.Stop):
            self._stop_event.set()
        elif isinstance(reply, messages.Refusal):
            self._handle_refusal(reply)

    def _handle_refusal(self, refusal: messages.Refusal) -> None:
        error = error_for(refusal.code, refusal.message)
        if refusal.id is not None:
            self._requests.end(refusal.id, error)
            return
        # In a stream of targets this is no reason to end the app: the next one is likely to be
        # within reach again, and a robot that was unplugged is likely to be plugged in again.
        if not isinstance(error, (Unreachable, RobotUnavailable)):
            with self._refused_lock:
                self._refused = self._refused or error  # the first is nearest to the cause
        self._remarks.on_refusal(refusal)
