"""The ways in which the daemon moves a `Robot`: soft motors, and a body that turns along."""

from __future__ import annotations

from robot._notice import once
from robot.errors import Unsupported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot._daemon.link import DaemonLink

_GRACE_S = 5.0


class Modes:
    """The methods of a `Robot` that change how it moves."""

    _link: DaemonLink
    _gravity_compensation: bool = False

    def enable_gravity_compensation(self) -> None:
        """Makes every joint follow a hand, and stay where it is left.

        A joint gives about 3° before it follows. Targets do not move the robot meanwhile; the next
        move, wake-up or sleep ends it. If the daemon cannot do that, the output says so once, and
        the motors hold their position.

        Raises:
            RobotError: if the daemon refuses it for another reason.
            MoveTimeout: if the daemon does not answer within 5 s.
            RobotConnectionError: if the daemon is lost.
        """
        self._set_gravity_compensation(True)

    def disable_gravity_compensation(self) -> None:
        """Makes every joint hold its current position again.

        Raises:
            RobotError, MoveTimeout, RobotConnectionError: see `enable_gravity_compensation`.
        """
        self._set_gravity_compensation(False)

    def set_automatic_body_yaw(self, enabled: bool) -> None:
        """Switches whether the body turns along with a head that turns far.

        It is on by default, and on again when this program ends. While it is off, the body stays
        at its own target, and a head that cannot hold its pose over it is out of reach.

        Args:
            enabled: whether the body turns along.

        Raises:
            RobotError: if the daemon refuses it.
            MoveTimeout: if the daemon does not answer within 5 s.
            RobotConnectionError: if the daemon is lost.
        """
        from robot._wire.messages import set_automatic_body_yaw

        message = set_automatic_body_yaw(bool(enabled))
        overdue = f"The daemon has not switched the turns of the body in {_GRACE_S:g} s."
        self._link.ask(message, _GRACE_S, overdue)
        self._link.repeat_when_reconnected(message)

    def _set_gravity_compensation(self, enabled: bool) -> None:
        from robot._wire.messages import set_gravity_compensation

        overdue = f"The daemon has not switched gravity compensation in {_GRACE_S:g} s."
        try:
            self._link.ask(set_gravity_compensation(enabled), _GRACE_S, overdue)
        except Unsupported as error:
            once("gravity_compensation", str(error))
        else:
            self._gravity_compensation = enabled
