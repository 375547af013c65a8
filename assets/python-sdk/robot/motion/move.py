"""The base class of moves."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod

from robot._arrays import Array


class Move(ABC):
    """A motion over time, for `Robot.play_move`. Implement `duration` and `evaluate`."""

    @property
    @abstractmethod
    def duration(self) -> float:
        """The length of the move in seconds; `math.inf` for one that ends when it is cancelled.

        It is read before each evaluation, so a move may change it while it is played.
        """

    @property
    def sound_path(self) -> str | os.PathLike[str] | None:
        """The sound file to play from the start of the move; None: the move is silent."""
        return None

    @abstractmethod
    def evaluate(self, t: float) -> tuple[Array | None, Array | None, float | None]:
        """The target at a time of the move.

        Args:
            t: the time since the start in seconds, at least 0 and below `duration`.

        Returns:
            The pose of the head (a 4x4 matrix, metres), the antennas (`[right, left]`, radians)
            and the yaw of the body (radians), as for `Robot.set_target`. A part that is None stays
            at its current target.
        """
