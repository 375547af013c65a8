"""A move from one target to another."""

from __future__ import annotations

import math
from collections.abc import Callable

from robot._arrays import Array, as_array
from robot._targets import check_duration, check_method, check_target
from robot.motion._rotation import mixed, pose_between
from robot.motion.move import Move

_BACK = 1.70158 * 1.525  # of `cartoon`


class GotoMove(Move):
    """A smooth move from a start to a target, streamed like any other `Move`.

    `Robot.goto_target` does the same in the daemon, from the current target. This class is for
    code that evaluates the way itself, for example to add something to it.
    """

    def __init__(
        self,
        start_head_pose: object,
        target_head_pose: object,
        start_antennas: object,
        target_antennas: object,
        start_body_yaw: object,
        target_body_yaw: object,
        duration: float,
        method: object = "minjerk",
    ) -> None:
        """Takes the parts of start and target as `Robot.set_target` does.

        A part whose target is None stays at its start; one without start and target is not moved.

        Args:
            start_head_pose, target_head_pose: 4x4 matrices, metres.
            start_antennas, target_antennas: `[right, left]`, radians.
            start_body_yaw, target_body_yaw: radians.
            duration: seconds, above 0 and at most 600.
            method: `minjerk`, `linear`, `ease_in_out` or `cartoon`, or an enum with such a value.

        Raises:
            ValueError: if no part is given, a part has a target and no start, or one is malformed.
        """
        start = check_target(start_head_pose, start_antennas, start_body_yaw)
        end = start
        given = (target_head_pose, target_antennas, target_body_yaw)
        if any(part is not None for part in given):
            end = check_target(*given)
        for name, from_part, to_part in zip(("head_pose", "antennas", "body_yaw"), start, end):
            if from_part is None and to_part is not None:
                raise ValueError(f"start_{name} is missing: the target has one.")
        self._start, self._end = start, end
        self._duration_s = check_duration(duration)
        self._progress = _METHODS[check_method(str(getattr(method, "value", method)))]

    @property
    def duration(self) -> float:
        """The length in seconds."""
        return self._duration_s

    def evaluate(self, t: float) -> tuple[Array | None, Array | None, float | None]:
        """See `Move.evaluate`; before the start and after the end, the robot is there."""
        if math.isnan(t):
            raise ValueError("A move cannot be evaluated at nan.")
        share = self._progress(min(1.0, max(0.0, t / self._duration_s)))
        (head, antennas, body_yaw), end = self._start, self._end
        if head is not None and end.head is not None:
            head = pose_between(head, end.head, share)
        if antennas is not None and end.antennas is not None:
            pairs = zip(antennas, end.antennas)
            antennas = [mixed(from_angle, to_angle, share) for from_angle, to_angle in pairs]
        if body_yaw is not None and end.body_yaw is not None:
            body_yaw = mixed(body_yaw, end.body_yaw, share)
        return (
            None if head is None else as_array([head[row : row + 4] for row in range(0, 16, 4)]),
            None if antennas is None else as_array(antennas),
            body_yaw,
        )


def _minjerk(t: float) -> float:
    return t**3 * (10 - 15 * t + 6 * t * t)  # no velocity and no acceleration at both ends


def _ease_in_out(t: float) -> float:
    return 2 * t * t if t < 0.5 else 1 - (2 - 2 * t) ** 2 / 2


def _cartoon(t: float) -> float:
    if t < 0.5:
        return (2 * t) ** 2 * ((_BACK + 1) * 2 * t - _BACK) / 2
    return ((2 * t - 2) ** 2 * ((_BACK + 1) * (2 * t - 2) + _BACK) + 2) / 2


_METHODS: dict[str, Callable[[float], float]] = {
    "linear": lambda t: t,
    "minjerk": _minjerk,
    "ease_in_out": _ease_in_out,
    "cartoon": _cartoon,
}
