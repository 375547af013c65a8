"""Encodes the messages of `/ws/sdk` that play a recorded move.

Radians, metres, seconds. A head is 16 numbers, row by row.
"""

from __future__ import annotations

from collections.abc import Sequence

from robot._wire.messages import Message

MAX_MESSAGE_SAMPLES = 200
"""The samples of one `move_samples`."""

MAX_MOVE_SAMPLES = 60_000
MAX_MOVE_S = 600.0
"""The daemon refuses moves that are longer."""


def move_samples(
    move: str,
    times_s: Sequence[float],
    heads: Sequence[Sequence[float]] | None,
    antennas: Sequence[Sequence[float]] | None,
    body_yaws: Sequence[float] | None,
) -> Message:
    """Appends samples to an upload; not answered unless they are refused.

    A part that is None is not moved. All samples of a move have the same parts. Another name
    discards an upload that was not played.
    """
    return {
        "type": "move_samples",
        "move": move,
        "timesS": times_s,
        "heads": heads,
        "antennas": antennas,
        "bodyYaws": body_yaws,
    }


def play_move(move: str, initial_goto_s: float, if_busy: str) -> Message:
    """Plays the upload and discards it; answered at the end of the move.

    Before it, the robot goes to the first sample in `initial_goto_s` seconds; 0: at once.
    """
    return {
        "type": "play_move",
        "move": move,
        "initialGotoS": initial_goto_s,
        "ifBusy": if_busy,
    }
