"""Frames by value; the vectors named RFC are those of RFC 6455, section 5.7."""

from __future__ import annotations

import pytest

from robot._wire import frames
from robot._wire.frames import (
    CLOSE,
    CONTINUATION,
    PING,
    TEXT,
    Frame,
    FrameDecoder,
    MessageAssembler,
    ProtocolViolation,
    encode_close,
    encode_frame,
)


def decode_all(data: bytes, step: int, limit: int = 1 << 20) -> list[Frame]:
    decoder, found = FrameDecoder(limit), []
    for at in range(0, len(data), step):
        decoder.feed(data[at : at + step])
        while (frame := decoder.next_frame()) is not None:
            found.append(frame)
    return found


def test_a_masked_text_frame_is_that_of_the_rfc() -> None:
    assert encode_frame(TEXT, b"Hello", bytes.fromhex("37fa213d")) == bytes.fromhex(
        "818537fa213d7f9f4d5158"
    )


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536])
def test_a_length_is_encoded_in_the_fewest_bytes(size: int) -> None:
    sent = encode_frame(TEXT, b"x" * size, b"\0\0\0\0")
    unmasked = bytes([sent[0], sent[1] & 0x7F]) + sent[2:].replace(b"\0\0\0\0x", b"x", 1)
    header = {0: 2, 1: 2, 125: 2, 126: 4, 65535: 4, 65536: 10}[size]
    assert len(sent) == header + 4 + size
    if size:
        assert decode_all(unmasked, step=1000) == [Frame(TEXT, b"x" * size, final=True)]


@pytest.mark.parametrize("step", [1, 2, 3, 100])
def test_frames_are_parsed_however_the_bytes_are_split(step: int) -> None:
    rfc = bytes.fromhex("810548656c6c6f" + "0103486f6c" + "890548656c6c6f" + "80026c6f")
    assert decode_all(rfc, step) == [
        Frame(TEXT, b"Hello", final=True),
        Frame(TEXT, b"Hol", final=False),
        Frame(PING, b"Hello", final=True),
        Frame(CONTINUATION, b"lo", final=True),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("c100", frames.PROTOCOL_ERROR),  # a reserved bit
        ("8300", frames.PROTOCOL_ERROR),  # an opcode that does not exist
        ("818037fa213d", frames.PROTOCOL_ERROR),  # masked by the server
        ("0900", frames.PROTOCOL_ERROR),  # a ping in pieces
        ("897e0080", frames.PROTOCOL_ERROR),  # a ping of 128 bytes
        ("817f0000000000100001", frames.TOO_BIG),  # known from the header alone
        ("817fffffffffffffffff", frames.TOO_BIG),
    ],
)
def test_an_invalid_frame_is_refused(data: str, code: int) -> None:
    with pytest.raises(ProtocolViolation) as caught:
        decode_all(bytes.fromhex(data), step=100)
    assert caught.value.close_code == code


@pytest.mark.parametrize(
    ("pieces", "code"),
    [
        ([Frame(CONTINUATION, b"", True)], frames.PROTOCOL_ERROR),
        ([Frame(TEXT, b"a", False), Frame(TEXT, b"b", True)], frames.PROTOCOL_ERROR),
        ([Frame(frames.BINARY, b"a", True)], frames.UNSUPPORTED_DATA),
        ([Frame(TEXT, b"\xff", True)], frames.INVALID_TEXT),
        ([Frame(TEXT, b"a" * 6, False), Frame(CONTINUATION, b"a" * 6, True)], frames.TOO_BIG),
    ],
)
def test_invalid_fragments_are_refused(pieces: list[Frame], code: int) -> None:
    assembler = MessageAssembler(10)
    with pytest.raises(ProtocolViolation) as caught:
        for piece in pieces:
            assembler.add(piece)
    assert caught.value.close_code == code


def test_a_character_may_be_split_across_fragments() -> None:
    euro = "€".encode()
    assembler = MessageAssembler(10)
    assert assembler.add(Frame(TEXT, euro[:1], False)) is None
    assert assembler.add(Frame(CONTINUATION, euro[1:], True)) == "€"


def test_the_reason_of_a_close_fits_its_frame() -> None:
    payload = encode_close(1002, "ü" * 100)
    assert len(payload) <= 125
    assert frames.decode_close(payload) == (1002, "ü" * 61)
    assert frames.decode_close(b"") == (frames.NORMAL, "")
    assert decode_all(bytes([0x80 | CLOSE, 0]), step=1) == [Frame(CLOSE, b"", True)]
