"""A small WebSocket client with only the standard library: text messages, no extensions."""

from __future__ import annotations

import os
import socket
import threading
import time

from robot._wire import frames, handshake
from robot._wire.address import DaemonAddress

MAX_MESSAGE_BYTES = 1 << 20
_MAX_HEAD_BYTES = 1 << 14
_SEND_TIMEOUT_S = 5.0


class ConnectionClosed(Exception):
    """The connection is closed. `code` is the WebSocket close code, 1006 if it broke."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class WebSocket:
    """An open connection. Any thread may send; one thread at a time may receive."""

    def __init__(self, connection: socket.socket, received: bytes) -> None:
        """Wraps a connection after its handshake; `received` has the bytes that followed it."""
        self._reading = connection
        # A second handle on the same connection, because a timeout belongs to a handle: reading
        # and sending have different ones.
        self._writing = connection.dup()
        self._writing.settimeout(_SEND_TIMEOUT_S)
        self._send_lock = threading.Lock()
        self._close_sent = False
        self._decoder = frames.FrameDecoder(MAX_MESSAGE_BYTES)
        self._decoder.feed(received)
        self._assembler = frames.MessageAssembler(MAX_MESSAGE_BYTES)
        self.received_at_s = time.monotonic()
        """The time of the last received bytes, on the monotonic clock."""

    @classmethod
    def connect(
        cls, address: DaemonAddress, timeout_s: float, token: str | None = None
    ) -> WebSocket:
        """Connects and performs the handshake within `timeout_s`, with a bearer token if given.

        Raises:
            TimeoutError: if that took too long.
            OSError: if nothing listens there, or the connection broke.
            handshake.HandshakeRefused: if the server refuses the upgrade.
        """
        deadline_s = time.monotonic() + timeout_s
        # A text would be encoded by `idna`, whose module takes a millisecond.
        host = address.host.encode("ascii")
        connection = socket.create_connection((host, address.port), timeout_s)  # type: ignore[arg-type]
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            key = handshake.new_key(os.urandom(16))
            connection.sendall(handshake.upgrade_request(address, key, token))
            head, received = _read_head(connection, deadline_s)
            if handshake.is_refusal(head):
                received = _read_body(connection, head, received, deadline_s)
            handshake.check_response(head, received, key)
            return cls(connection, received)
        except BaseException:
            connection.close()
            raise

    def send_text(self, text: str) -> None:
        """Sends one message.

        Raises:
            ConnectionClosed: if the connection is closed, or the daemon reads nothing for 5 s.
        """
        self._send(frames.TEXT, text.encode())

    def ping(self) -> None:
        """Sends a ping; the answer updates `received_at_s`.

        Raises:
            ConnectionClosed: see `send_text`.
        """
        self._send(frames.PING, b"")

    def receive(self, timeout_s: float) -> str:
        """The next message. Pings are answered meanwhile.

        Raises:
            TimeoutError: if none is complete after `timeout_s`; received parts are kept.
            ConnectionClosed: if the daemon closed or dropped the connection, or violated the
                protocol.
        """
        deadline_s = time.monotonic() + timeout_s
        try:
            while True:
                frame = self._decoder.next_frame()
                if frame is None:
                    self._read_more(deadline_s)
                elif frame.is_control:
                    self._handle_control(frame)
                elif (message := self._assembler.add(frame)) is not None:
                    return message
        except frames.ProtocolViolation as violation:
            self.begin_close(violation.close_code, str(violation))
            raise ConnectionClosed(
                violation.close_code, f"it violated the protocol: {violation}"
            ) from None

    def begin_close(self, code: int = frames.NORMAL, reason: str = "") -> None:
        """Sends a close frame, once. The daemon's close frame then ends `receive`."""
        try:
            self._send(frames.CLOSE, frames.encode_close(code, reason))
        except ConnectionClosed:
            pass  # The connection is closed already.

    def abort(self) -> None:
        """Drops the connection at once; a `receive` in another thread ends."""
        try:
            self._reading.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # The connection is closed already.
        self._reading.close()
        with self._send_lock:
            self._writing.close()

    def _send(self, opcode: int, payload: bytes) -> None:
        data = frames.encode_frame(opcode, payload, os.urandom(4))
        with self._send_lock:
            if self._close_sent:
                raise ConnectionClosed(frames.NORMAL, "it was closed")
            self._close_sent = opcode == frames.CLOSE
            try:
                self._writing.sendall(data)
            except OSError as error:
                # A part of a frame may have been sent: nothing valid can follow it.
                self._close_sent = True
                raise ConnectionClosed(frames.ABNORMAL, _sentence(error)) from error

    def _read_more(self, deadline_s: float) -> None:
        try:
            data = _receive_some(self._reading, deadline_s)
        except TimeoutError:
            raise
        except OSError as error:
            raise ConnectionClosed(frames.ABNORMAL, _sentence(error)) from error
        if not data:
            raise ConnectionClosed(frames.ABNORMAL, "it dropped the connection")
        self.received_at_s = time.monotonic()
        self._decoder.feed(data)

    def _handle_control(self, frame: frames.Frame) -> None:
        if frame.opcode == frames.PING:
            self._send(frames.PONG, frame.payload)
        elif frame.opcode == frames.CLOSE:
            code, reason = frames.decode_close(frame.payload)
            self.begin_close(code)
            raise ConnectionClosed(code, reason or "it was closed")


def _receive_some(connection: socket.socket, deadline_s: float) -> bytes:
    remaining_s = deadline_s - time.monotonic()
    if remaining_s <= 0:
        raise TimeoutError("timed out")
    connection.settimeout(remaining_s)
    return connection.recv(1 << 16)


def _read_head(connection: socket.socket, deadline_s: float) -> tuple[bytes, bytes]:
    """The head of the response without its empty line, and the bytes read after it."""
    received = b""
    while b"\r\n\r\n" not in received:
        data = _receive_some(connection, deadline_s)
        if not data or len(received) > _MAX_HEAD_BYTES:
            raise handshake.HandshakeRefused(None, "")
        received += data
    head, _, rest = received.partition(b"\r\n\r\n")
    return head, rest


def _read_body(connection: socket.socket, head: bytes, body: bytes, deadline_s: float) -> bytes:
    """The start of a refusal's body, which may contain the reason."""
    length = min(handshake.body_length(head), _MAX_HEAD_BYTES)
    while len(body) < length and (data := _receive_some(connection, deadline_s)):
        body += data
    return body


def _sentence(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
