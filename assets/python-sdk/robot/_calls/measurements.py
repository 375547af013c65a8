"""The measured state of a `Robot`."""

from __future__ import annotations

from robot._arrays import Array, as_array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from robot._daemon.link import DaemonLink
    from robot._wire.messages import Clamp


class Measurements:
    """The latest state of a `Robot`, which the daemon sends 50 times a second."""

    _link: DaemonLink

    @property
    def state(self) -> str:
        """The robot's state.

        One of `asleep`, `waking`, `awake`, `going-to-sleep`, `disconnected` (from its cable) and
        `error`.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        return self._link.state.name

    @property
    def torque(self) -> bool:
        """Whether every motor holds its position.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        return self._link.state.torque

    @property
    def speed_limited(self) -> bool:
        """Whether a joint moves at its speed limit and lags behind its target.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        return self._link.state.speed_limited

    @property
    def clamped(self) -> tuple[Clamp, ...]:
        """The changes that the daemon made to the latest target; usually empty.

        Each is logged once and never raised: the robot moves.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        return self._link.clamped

    def get_current_head_pose(self) -> Array:
        """The measured pose of the head: a 4x4 matrix in the frame of the neutral head, in metres.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        head = self._link.state.head
        return as_array([head[row : row + 4] for row in range(0, 16, 4)])

    def get_current_joint_positions(self) -> tuple[list[float], list[float]]:
        """The measured joint angles in radians.

        Returns:
            A list of seven (the body's yaw, then stewart 1 to 6), and a list of the two antennas,
            `[right, left]`.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        state = self._link.state
        return [state.body_yaw, *state.stewart], list(state.antennas)

    def get_present_antenna_joint_positions(self) -> list[float]:
        """The measured angles of the antennas in radians, a list of two, `[right, left]`.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        return list(self._link.state.antennas)
