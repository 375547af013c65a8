"""Numbers that follow their target smoothly, so that nothing jumps."""

from __future__ import annotations

import math

_LONGEST_STEP_S = 0.1
"""After a pause of the computer, motion goes on from where it was."""


class Eased:
    """A number that follows a target. It never overshoots, and its speed does not jump either."""

    def __init__(self, time_constant_s: float, value: float = 0.0) -> None:
        self._time_constant_s = time_constant_s
        self._leader = self.value = value

    def step(self, elapsed_s: float, target: float) -> float:
        """The number `elapsed_s` after the previous step."""
        share = 1 - math.exp(-min(elapsed_s, _LONGEST_STEP_S) / self._time_constant_s)
        self._leader += share * (target - self._leader)
        self.value += share * (self._leader - self.value)
        return self.value


def smooth(progress: float) -> float:
    """Rises from 0 to 1 with no speed at both ends."""
    p = min(1.0, max(0.0, progress))
    return p * p * (3 - 2 * p)
