"""Encodes and decodes WebSocket frames (RFC 6455, section 5). Pure: no I/O, clock or randomness."""

from __future__ import annotations

import struct

from robot._record import Record

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA

NORMAL, PROTOCOL_ERROR, UNSUPPORTED_DATA, ABNORMAL, INVALID_TEXT, TOO_BIG = (
    1000,
    1002,
    1003,
    1006,
    1007,
    1009,
)

_OPCODES = frozenset((CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG))
_MAX_CONTROL_BYTES = 125


class Frame(Record):
    """A received frame; `final` is False when more fragments of its message follow."""

    opcode: int
    payload: bytes
    final: bool

    @property
    def is_control(self) -> bool:
        """Whether this is a close, ping or pong, which may come between fragments."""
        return self.opcode >= CLOSE


class ProtocolViolation(Exception):
    """The peer violated the protocol; `close_code` is the code for the close frame."""

    def __init__(self, close_code: int, message: str) -> None:
        super().__init__(message)
        self.close_code = close_code


def encode_frame(opcode: int, payload: bytes, mask: bytes) -> bytes:
    """Encodes a final frame of a client, masked with the four bytes of `mask`."""
    size = len(payload)
    if size < 126:
        header = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
    elif size < 1 << 16:
        header = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
    else:
        header = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
    return header + mask + apply_mask(payload, mask)


def apply_mask(payload: bytes, mask: bytes) -> bytes:
    """`payload` xor the repeated `mask`; applying it twice returns the payload."""
    size = len(payload)
    # One xor of two long integers: a loop over bytes is a hundred times slower.
    repeated = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(size, "big")


def encode_close(code: int, reason: str) -> bytes:
    """The payload of a close frame."""
    text = reason.encode()[: _MAX_CONTROL_BYTES - 2]
    return struct.pack("!H", code) + text.decode(errors="ignore").encode()


def decode_close(payload: bytes) -> tuple[int, str]:
    """The code and reason in a close frame; a close without a code counts as a normal one."""
    if not payload:
        return NORMAL, ""
    if len(payload) == 1:
        raise ProtocolViolation(PROTOCOL_ERROR, "a close frame of one byte")
    (code,) = struct.unpack_from("!H", payload)
    return code, payload[2:].decode(errors="replace")


class FrameDecoder:
    """Parses a server's bytes into frames, however they are split."""

    def __init__(self, max_payload_bytes: int) -> None:
        self._max_payload_bytes = max_payload_bytes
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Adds the next bytes of the stream."""
        self._buffer += data

    def next_frame(self) -> Frame | None:
        """The next complete frame, or None until more bytes are fed.

        Raises:
            ProtocolViolation: for a frame that no server may send, or one that is too large;
                raised as soon as the header is complete.
        """
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        opcode, final = buffer[0] & 0x0F, bool(buffer[0] & 0x80)
        size, start = buffer[1] & 0x7F, 2
        if buffer[0] & 0x70:
            raise ProtocolViolation(PROTOCOL_ERROR, "reserved bits are set")
        if opcode not in _OPCODES:
            raise ProtocolViolation(PROTOCOL_ERROR, f"unknown opcode {opcode:#x}")
        if buffer[1] & 0x80:
            raise ProtocolViolation(PROTOCOL_ERROR, "a server does not mask its frames")
        if opcode >= CLOSE and (size > _MAX_CONTROL_BYTES or not final):
            raise ProtocolViolation(PROTOCOL_ERROR, "a control frame is short and in one piece")
        if size >= 126:
            form, start = ("!H", 4) if size == 126 else ("!Q", 10)
            if len(buffer) < start:
                return None
            (size,) = struct.unpack_from(form, buffer, 2)
        if size > self._max_payload_bytes:
            raise ProtocolViolation(TOO_BIG, f"a message of {size} bytes")
        end = start + size
        if len(buffer) < end:
            return None
        payload = bytes(buffer[start:end])
        del buffer[:end]
        return Frame(opcode, payload, final)


class MessageAssembler:
    """Joins the fragments of text messages."""

    def __init__(self, max_message_bytes: int) -> None:
        self._max_message_bytes = max_message_bytes
        self._parts: list[bytes] | None = None

    def add(self, frame: Frame) -> str | None:
        """The message that this data frame completes, or None while it is incomplete.

        Raises:
            ProtocolViolation: for fragments out of order, binary data, text that is not UTF-8, or
                a message that is too large.
        """
        if (frame.opcode == CONTINUATION) != (self._parts is not None):
            raise ProtocolViolation(PROTOCOL_ERROR, "a fragment out of order")
        if frame.opcode == BINARY:
            raise ProtocolViolation(UNSUPPORTED_DATA, "binary data")
        parts = self._parts = [*(self._parts or ()), frame.payload]
        if sum(map(len, parts)) > self._max_message_bytes:
            raise ProtocolViolation(TOO_BIG, "a message too long")
        if not frame.final:
            return None
        self._parts = None
        try:
            return b"".join(parts).decode()
        except UnicodeDecodeError:
            raise ProtocolViolation(INVALID_TEXT, "text that is not UTF-8") from None
