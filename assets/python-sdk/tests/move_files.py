"""Recorded moves for tests."""

from __future__ import annotations

from pathlib import Path

LEVEL: list[list[float]] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
RAISED: list[list[float]] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.01], [0, 0, 0, 1]]


def a_move(*times_s: float, **more: object) -> dict[str, object]:
    """A move that raises the head and opens the antennas."""
    times = list(times_s or (0.0, 0.5))
    last = max(len(times) - 1, 1)
    targets = [
        {
            "head": [row[:3] + [row[3] * at / last] for row in RAISED],
            "antennas": [-at / last, at / last],
            "body_yaw": 0.5 * at / last,
        }
        for at in range(len(times))
    ]
    return {"description": "A test.", "time": times, "set_target_data": targets, **more}


def save(path: Path, text: str | bytes) -> Path:
    """Writes a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
