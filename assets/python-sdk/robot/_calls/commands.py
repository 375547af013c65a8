"""The commands of a `Robot`."""

from __future__ import annotations

from collections.abc import Iterable

from robot._arrays import Array
from robot._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot._daemon.link import DaemonLink

_GRACE_S = 5.0
_WAKE_OR_SLEEP_S = 30.0


class _DefaultYaw(float):
    """The default of a body's yaw: equal to a 0.0 that an app gives, and not the same."""


_DEFAULT_YAW = _DefaultYaw(0.0)


class MoveEnd(Record):
    """The end of a move."""

    outcome: str
    """`done`, `replaced` (other moves took all of its parts) or `stopped`."""

    lost: tuple[str, ...]
    """The parts of a move that other moves took: some of `head`, `antennas` and `body_yaw`."""


class Commands:
    """The methods of a `Robot` that move it."""

    _link: DaemonLink
    _gravity_compensation: bool

    def set_target(
        self, head: object = None, antennas: object = None, body_yaw: object = None
    ) -> None:
        """Sends a target at once; call it often (50 times a second) for smooth motion.

        It returns before the daemon has answered. If the daemon refuses a target, the next call
        raises the error, and it is logged once. A target out of reach is only logged, and the
        robot stays at the previous one. A target for a robot that is asleep or unplugged is only
        logged too: see `state`. Changes that the daemon made to the target are in `clamped`.

        A part that a move in progress owns is dropped from the target until the move ends: the
        move goes on, the other parts follow the target, and it is logged once. If the head is out
        of reach, head and body stay, and the antennas follow.

        Args:
            head: the pose of the head in the frame of the neutral head, lengths in metres: a 4x4
                matrix or 16 numbers, row by row. Any nested numbers, or an object with
                `.tolist()`. None: unchanged.
            antennas: two angles in radians, `[right, left]`. None: unchanged.
            body_yaw: one angle in radians. None: unchanged.

        Raises:
            ValueError: if no argument is given, or one has the wrong shape or is not finite.
            RobotError: if the daemon refused an earlier target, for example `SlotTaken`.
            RobotConnectionError: if the daemon is lost.
        """
        from robot._targets import check_target

        self._link.stream(check_target(head, antennas, body_yaw))

    def set_target_head_pose(self, pose: object) -> None:
        """Calls `set_target` for the head alone."""
        self.set_target(head=pose)

    def set_target_antenna_joint_positions(self, antennas: object) -> None:
        """Calls `set_target` for the antennas alone: radians, `[right, left]`."""
        self.set_target(antennas=antennas)

    def set_target_body_yaw(self, body_yaw: object) -> None:
        """Calls `set_target` for the body alone: radians."""
        self.set_target(body_yaw=body_yaw)

    def goto_target(
        self,
        head: object = None,
        antennas: object = None,
        duration: float = 0.5,
        method: str = "minjerk",
        body_yaw: object = _DEFAULT_YAW,
        if_busy: str = "replace",
    ) -> MoveEnd:
        """Moves smoothly and returns after `duration` (the joints lag slightly behind).

        Until it ends, the move owns the parts that it names: targets for them are dropped. Moves
        of different parts run at the same time; a later move takes the parts that it shares. The
        body turns with a head that would turn more than 65 degrees against it.

        It returns earlier if other moves have taken all of its parts, if the motion is stopped, or
        if this program is asked to stop. Changes that the daemon made to the target are in
        `clamped`.

        Args:
            head: see `set_target`. None: stays at its current target.
            antennas: see `set_target`. None: they stay at their current target.
            duration: seconds, above 0 and at most 600.
            method: `minjerk`, `linear`, `ease_in_out` or `cartoon`.
            body_yaw: one angle in radians. None: the body stays at its current target. If it is
                not given, the body turns back to 0, unless another move or a target wants it.
            if_busy: `replace` a motion in progress, or `refuse` this one, if both have a part in
                common.

        Returns:
            The outcome, and the parts that other moves took before the end.

        Raises:
            ValueError: if there is nothing to move, or an argument has the wrong shape or is out
                of range.
            RobotBusy: if this move was refused because of a motion in progress.
            RobotError: if the daemon refused this move for another reason, or an earlier target.
            MoveTimeout: if the move has not ended 5 s after `duration`.
            RobotConnectionError: if the daemon is lost, before or during the move.
        """
        from robot._targets import check_duration, check_if_busy, check_method, check_target
        from robot._wire.messages import goto_target

        target = check_target(head, antennas, body_yaw)
        duration_s = check_duration(duration)
        done = self._link.ask(
            goto_target(
                target,
                duration_s,
                check_method(method),
                check_if_busy(if_busy),
                body_yaw_given=target.body_yaw == 0 and body_yaw is not _DEFAULT_YAW,
            ),
            duration_s + _GRACE_S,
            f"The move of {duration_s:g} s has not ended {_GRACE_S:g} s after its time.",
        )
        return MoveEnd("stopped", ()) if done is None else MoveEnd(done.outcome, done.lost)

    def look_at_world(
        self,
        x: float,
        y: float,
        z: float,
        duration: float = 1.0,
        perform_movement: bool = True,
    ) -> Array:
        """Turns the head towards a point, without tilting or moving it.

        Args:
            x, y, z: the point in metres: forward, left and up from the neutral head.
            duration: seconds, see `goto_target`; 0 sends the pose at once, like `set_target`.
            perform_movement: False only returns the pose.

        Returns:
            The pose that looks at the point, a 4x4 matrix like that of `create_head_pose`.

        Raises:
            ValueError: if the point is at the head or not finite, or `duration` is out of range.
            RobotError: see `goto_target` and `set_target`.
        """
        from robot._targets import head_towards

        return self._turn_head(head_towards(x, y, z), duration, perform_movement)

    def wake_up(self) -> None:
        """Switches the motors on and moves to the default position; returns on arrival.

        It returns earlier if this program is asked to stop.

        Raises:
            RobotError: if the daemon refuses it.
            MoveTimeout: if the robot has not arrived after 30 s.
            RobotConnectionError: if the daemon is lost, before or during the motion.
        """
        from robot._wire.messages import wake_up

        overdue = f"The robot has not woken up in {_WAKE_OR_SLEEP_S:g} s."
        self._link.ask(wake_up(), _WAKE_OR_SLEEP_S, overdue)

    def goto_sleep(self) -> None:
        """Moves to the parked position and switches the motors off; returns when folded.

        It returns earlier if this program is asked to stop.

        Raises:
            RobotError, MoveTimeout, RobotConnectionError: see `wake_up`.
        """
        from robot._wire.messages import goto_sleep

        overdue = f"The robot has not gone to sleep in {_WAKE_OR_SLEEP_S:g} s."
        self._link.ask(goto_sleep(), _WAKE_OR_SLEEP_S, overdue)

    def stop_motion(self) -> None:
        """Stops all motions where the robot is; does nothing without one.

        Raises:
            RobotError: if the daemon refuses it.
            MoveTimeout: if the daemon does not answer within 5 s.
            RobotConnectionError: if the daemon is lost.
        """
        from robot._wire.messages import stop_motion

        overdue = f"The daemon has not stopped the motion in {_GRACE_S:g} s."
        self._link.ask(stop_motion(), _GRACE_S, overdue)

    def enable_motors(self, ids: Iterable[str] | None = None) -> None:
        """Switches motors on: they hold their current position.

        Args:
            ids: names, such as `["right_antenna", "left_antenna"]`; None for all nine.

        Raises:
            ValueError: if a name is unknown; its text lists the valid names.
            RobotError, MoveTimeout, RobotConnectionError: see `stop_motion`.
        """
        self._set_torque(True, ids)

    def disable_motors(self, ids: Iterable[str] | None = None) -> None:
        """Switches motors off: they can be turned by hand, and the head sinks.

        Args:
            ids: see `enable_motors`.

        Raises:
            ValueError, RobotError, MoveTimeout, RobotConnectionError: see `enable_motors`.
        """
        self._set_torque(False, ids)

    def _turn_head(self, pose: Array, duration: float, perform_movement: bool) -> Array:
        """Moves the head to a pose as `look_at_world` does. Returns the pose."""
        from robot._targets import check_duration

        if duration != 0:
            check_duration(duration)
        if perform_movement and duration == 0:
            self.set_target(head=pose)
        elif perform_movement:
            self.goto_target(head=pose, duration=duration, body_yaw=None)
        return pose

    def _set_torque(self, on: bool, ids: Iterable[str] | None) -> None:
        from robot._targets import check_motors
        from robot._wire.messages import set_torque

        overdue = f"The daemon has not switched the motors in {_GRACE_S:g} s."
        self._link.ask(set_torque(on, check_motors(ids)), _GRACE_S, overdue)
        if ids is None:
            self._gravity_compensation = False
