"""A move from one target to another."""

from __future__ import annotations

import math
from collections.abc import Sequence

from robot._arrays import Array, as_array
from robot._targets import check_duration, check_method, check_target
from robot.motion.move import Move
from robot.utils._rotations import quaternion
from robot.utils.interpolation import linear_pose_interpolation, time_trajectory


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
        method: str = "minjerk",
    ) -> None:
        """Takes the parts of start and target as `Robot.set_target` does.

        A part whose target is None stays at its start; one without start and target is not moved.

        Args:
            start_head_pose, target_head_pose: 4x4 matrices, metres.
            start_antennas, target_antennas: `[right, left]`, radians.
            start_body_yaw, target_body_yaw: radians.
            duration: seconds, above 0 and at most 600.
            method: `minjerk`, `linear`, `ease_in_out` or `cartoon`, as text or as an
                `InterpolationTechnique`.

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
        self._method = check_method(method)
        for head in (start.head, end.head):
            if head is not None:
                quaternion(_rows(head))

    @property
    def duration(self) -> float:
        """The length in seconds."""
        return self._duration_s

    def evaluate(self, t: float) -> tuple[Array | None, Array | None, float | None]:
        """See `Move.evaluate`; before the start and after the end, the robot is there."""
        if math.isnan(t):
            raise ValueError("A move cannot be evaluated at nan.")
        share = time_trajectory(min(1.0, max(0.0, t / self._duration_s)), self._method)
        (head, antennas, body_yaw), end = self._start, self._end
        if antennas is not None:
            pairs = zip(antennas, end.antennas or antennas)
            antennas = as_array([from_ + (to - from_) * share for from_, to in pairs])
        if body_yaw is not None and end.body_yaw is not None:
            body_yaw += (end.body_yaw - body_yaw) * share
        if head is None:
            return None, antennas, body_yaw
        pose = linear_pose_interpolation(_rows(head), _rows(end.head or head), share)
        return pose, antennas, body_yaw


def _rows(pose: Sequence[float]) -> list[list[float]]:
    return [list(pose[row : row + 4]) for row in range(0, 16, 4)]
