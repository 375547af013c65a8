"""A socket whose waits end at a deadline, and when the app is asked to stop."""

from __future__ import annotations

import io
import socket
import threading
import time
from typing import TYPE_CHECKING

from robot._stop_event import is_set

if TYPE_CHECKING:
    from typing import BinaryIO, Protocol

    class _Buffer(Protocol):
        def __buffer__(self, flags: int, /) -> memoryview: ...


SLICE_S = 0.05
"""The longest time after which a wait notices a stop."""


class Stopped(Exception):
    """The app was asked to stop."""


class Cancelled(Exception):
    """The app does not want the answer any more."""


class Patience:
    """The longest waits of a request."""

    def __init__(
        self, timeout_s: float, stop_event: threading.Event, cancel: threading.Event | None = None
    ) -> None:
        """Starts the time."""
        self.timeout_s = timeout_s
        self.stop_event = stop_event
        self.cancel = cancel
        self.restart()

    def restart(self) -> None:
        """Starts the time again."""
        self._deadline_s = time.monotonic() + self.timeout_s

    def slice_s(self) -> float:
        """The time to wait before the next look.

        Raises:
            Stopped: if the app was asked to stop.
            Cancelled: if the app does not want the answer any more.
            TimeoutError: if the time is over.
        """
        if is_set(self.stop_event):
            raise Stopped
        if self.cancel is not None and self.cancel.is_set():
            raise Cancelled
        left_s = self._deadline_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        return min(SLICE_S, left_s)


def connect(host: str, port: int, *, tls: bool, patience: Patience) -> PatientSocket:
    """Connects, with a TLS handshake if `tls`.

    Raises:
        Stopped, Cancelled, TimeoutError: see `Patience.slice_s`.
        OSError: if the server cannot be reached, or has no valid certificate.
    """
    # In a thread, because nothing ends the look-up of a name.
    attempt = _Attempt(host, port, tls, patience.timeout_s)
    thread = threading.Thread(target=attempt.run, name="robot-endpoint", daemon=True)
    thread.start()
    try:
        while not attempt.ended.wait(patience.slice_s()):
            pass
    except BaseException:
        attempt.abandon()
        raise
    if attempt.error is not None:
        raise attempt.error
    assert attempt.socket is not None
    return PatientSocket(attempt.socket, patience)


class _Attempt:
    def __init__(self, host: str, port: int, tls: bool, timeout_s: float) -> None:
        self._to = (host, port)
        self._tls = tls
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._abandoned = False
        self.ended = threading.Event()
        self.socket: socket.socket | None = None
        self.error: OSError | None = None

    def run(self) -> None:
        try:
            connected = self._connected()
            with self._lock:
                if self._abandoned:
                    connected.close()
                else:
                    self.socket = connected
        except OSError as error:
            self.error = error
        except UnicodeError:  # from the encoding of a name that is no host name
            self.error = OSError("its address has an invalid host name")
        finally:
            self.ended.set()

    def abandon(self) -> None:
        with self._lock:
            self._abandoned = True
            if self.socket is not None:
                self.socket.close()

    def _connected(self) -> socket.socket:
        plain = socket.create_connection(self._to, self._timeout_s)
        # Without it, the request's body would wait for the acknowledgement of its headers.
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self._tls:
            return plain
        try:
            import ssl

            return ssl.create_default_context().wrap_socket(plain, server_hostname=self._to[0])
        except BaseException:
            plain.close()
            raise


class PatientSocket:
    """The part of a socket that `http.client` uses."""

    def __init__(self, connected: socket.socket, patience: Patience) -> None:
        self._socket = connected
        self._patience = patience
        self._reader = io.BufferedReader(_Received(connected, patience))

    def sendall(self, data: bytes) -> None:
        """Sends all of `data`.

        Raises:
            Stopped, Cancelled, TimeoutError: see `Patience.slice_s`.
            OSError: if the connection is lost.
        """
        rest = memoryview(data)
        while rest:
            self._socket.settimeout(self._patience.slice_s())
            try:
                rest = rest[self._socket.send(rest) :]
            except TimeoutError:
                pass

    def makefile(self, _mode: str) -> BinaryIO:
        """The received bytes. Reading raises like `sendall`."""
        return self._reader

    def close(self) -> None:
        """Does nothing: `http.client` closes its socket while the answer is still read."""

    def end(self) -> None:
        """Closes the connection."""
        self._socket.close()


class _Received(io.RawIOBase):
    def __init__(self, connected: socket.socket, patience: Patience) -> None:
        self._socket = connected
        self._patience = patience

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: _Buffer) -> int:
        while True:
            self._socket.settimeout(self._patience.slice_s())
            try:
                return self._socket.recv_into(memoryview(buffer))
            except TimeoutError:
                pass
