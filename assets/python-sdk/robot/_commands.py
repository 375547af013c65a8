"""What a program can have the robot do."""

from __future__ import annotations

from collections.abc import Iterable

from robot._arrays import Array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot._link import DaemonLink

_GRACE_S = 5.0
_WAKE_OR_SLEEP_S = 30.0


class Commands:
    """The part of a `Robot` that moves it."""

    _link: DaemonLink

    def set_target(
        self, head: object = None, antennas: object = None, body_yaw: object = None
    ) -> None:
        """Sends the robot somewhere at once; call it often (50 times a second) for smooth motion.

        It returns before the daemon has answered: what the daemon has against a target is raised
        by the next call, and logged once. A target out of reach is only logged (the robot stays at
        the one before), and so is one for a robot that is asleep or unplugged at the moment: see
        `state`. What was taken otherwise than asked for is in `clamped`.

        Args:
            head: a pose of the head in the frame of the neutral head, 4x4 nested or 16 numbers
                flat; anything with `.tolist()`, or any nested numbers.
            antennas: two angles, `[right, left]`.
            body_yaw: one angle.

        Raises:
            ValueError: if nothing is given, or something of the wrong shape or not finite.
            RobotError: what the daemon had against an earlier target, such as `SlotTaken`.
            RobotConnectionError: if the daemon is lost.
        """
        from robot._targets import check_target

        self._link.stream(check_target(head, antennas, body_yaw))

    def set_target_head_pose(self, pose: object) -> None:
        """`set_target` of the head alone."""
        self.set_target(head=pose)

    def set_target_antenna_joint_positions(self, antennas: object) -> None:
        """`set_target` of the antennas alone, `[right, left]`."""
        self.set_target(antennas=antennas)

    def set_target_body_yaw(self, body_yaw: object) -> None:
        """`set_target` of the body alone."""
        self.set_target(body_yaw=body_yaw)

    def goto_target(
        self,
        head: object = None,
        antennas: object = None,
        duration: float = 0.5,
        method: str = "minjerk",
        body_yaw: object = 0.0,
        if_busy: str = "replace",
    ) -> None:
        """Moves smoothly, and returns when the time is over (the joints are a moment behind).

        It returns earlier if another motion takes over, if the motion is stopped, or if a stop of
        this program is asked for. What was taken otherwise than asked for is in `clamped`.

        Args:
            head: as for `set_target`; None leaves it where it is told to be.
            antennas: as for `set_target`; None leaves them where they are told to be.
            duration: above 0 and at most 600 s.
            method: `minjerk`, `linear`, `ease_in_out` or `cartoon`.
            body_yaw: one angle; None leaves the body where it is told to be.
            if_busy: what to do about a motion under way: `replace` it, or `refuse` this one.

        Raises:
            ValueError: if nothing is given, or something of the wrong shape or out of range.
            RobotBusy: if this one was refused for the motion under way.
            RobotError: what else the daemon has against this move, or had against an earlier target.
            MoveTimeout: if the move has not ended 5 s after its time.
            RobotConnectionError: if the daemon is lost, also meanwhile.
        """
        from robot._targets import check_duration, check_if_busy, check_method, check_target
        from robot._wire.messages import goto_target

        target = check_target(head, antennas, body_yaw)
        duration_s = check_duration(duration)
        self._link.ask(
            goto_target(target, duration_s, check_method(method), check_if_busy(if_busy)),
            duration_s + _GRACE_S,
            f"The move of {duration_s:g} s has not ended {_GRACE_S:g} s after its time.",
        )

    def look_at_world(
        self,
        x: float,
        y: float,
        z: float,
        duration: float = 1.0,
        perform_movement: bool = True,
    ) -> Array:
        """Turns the head towards a point, without tilting it sideways; it stays in its place.

        Args:
            x, y, z: the point in metres: forward, left and up from the neutral head.
            duration: as for `goto_target`; 0 sends it there at once, as `set_target` does.
            perform_movement: False only gives the pose.

        Returns:
            The pose that looks there, as `create_head_pose` gives it.

        Raises:
            ValueError: if the point is where the head is, or not finite; for `duration` too.
            RobotError: as for `goto_target` and `set_target`.
        """
        from robot._targets import check_duration, head_towards

        pose = head_towards(x, y, z)
        if duration != 0:
            check_duration(duration)
        if perform_movement and duration == 0:
            self.set_target(head=pose)
        elif perform_movement:
            self.goto_target(head=pose, duration=duration, body_yaw=None)
        return pose

    def wake_up(self) -> None:
        """Switches the motors on and goes to the default position; returns when it is there.

        It returns earlier if a stop of this program is asked for.

        Raises:
            RobotError: what the daemon has against it.
            MoveTimeout: if it is not there after 30 s.
            RobotConnectionError: if the daemon is lost, also meanwhile.
        """
        from robot._wire.messages import wake_up

        overdue = f"The robot has not woken up in {_WAKE_OR_SLEEP_S:g} s."
        self._link.ask(wake_up(), _WAKE_OR_SLEEP_S, overdue)

    def goto_sleep(self) -> None:
        """Goes to the parked position and switches the motors off; returns when it is folded.

        It returns earlier if a stop of this program is asked for.

        Raises:
            As `wake_up`.
        """
        from robot._wire.messages import goto_sleep

        overdue = f"The robot has not gone to sleep in {_WAKE_OR_SLEEP_S:g} s."
        self._link.ask(goto_sleep(), _WAKE_OR_SLEEP_S, overdue)

    def stop_motion(self) -> None:
        """Ends a motion where the robot is; nothing happens if there is none.

        Raises:
            RobotError: what the daemon has against it.
            MoveTimeout: if the daemon does not answer within 5 s.
            RobotConnectionError: if the daemon is lost.
        """
        from robot._wire.messages import stop_motion

        overdue = f"The daemon has not stopped the motion in {_GRACE_S:g} s."
        self._link.ask(stop_motion(), _GRACE_S, overdue)

    def enable_motors(self, ids: Iterable[str] | None = None) -> None:
        """Switches motors on: they hold the position that they are in.

        Args:
            ids: names, such as `["right_antenna", "left_antenna"]`; None for all nine.

        Raises:
            ValueError: if there is no motor of such a name; it lists those that there are.
            RobotError, MoveTimeout, RobotConnectionError: as `stop_motion`.
        """
        self._set_torque(True, ids)

    def disable_motors(self, ids: Iterable[str] | None = None) -> None:
        """Switches motors off: they can be turned by hand, and the head sinks.

        Args:
            ids: as for `enable_motors`.

        Raises:
            As `enable_motors`.
        """
        self._set_torque(False, ids)

    def _set_torque(self, on: bool, ids: Iterable[str] | None) -> None:
        from robot._targets import check_motors
        from robot._wire.messages import set_torque

        overdue = f"The daemon has not switched the motors in {_GRACE_S:g} s."
        self._link.ask(set_torque(on, check_motors(ids)), _GRACE_S, overdue)
