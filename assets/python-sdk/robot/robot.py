"""The robot, as a program sees it."""

from __future__ import annotations

import os
import sys
import threading
from types import TracebackType

from robot._arrays import Array, as_array
from robot._commands import Commands
from robot._sound import Sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Self

    from robot._wire.messages import Clamp

_MAX_CLIENT_NAME = 200


class Robot(Commands, Sound):
    """A connected robot. Safe to use from several threads.

    Use it as a context manager, or call `close()` at the end. Angles are radians, lengths metres,
    durations seconds; antennas are `[right, left]`. Poses and joints are given back as numpy
    arrays if numpy is installed, else as (nested) lists.

    When the daemon is lost, calls raise RobotConnectionError. A program that was started by hand is
    connected again as soon as the daemon is back, and its calls work again; an app that the daemon
    started is asked to stop.
    """

    def __init__(
        self,
        daemon_url: str | None = None,
        timeout: float = 5.0,
        *,
        stop_event: threading.Event | None = None,
    ) -> None:
        """Connects to the daemon.

        Args:
            daemon_url: such as `http://127.0.0.1:8000`, which is also what is used if neither
                this nor the environment's `ROBOT_DAEMON_URL` says otherwise.
            timeout: how long connecting may take, in seconds.
            stop_event: set when the daemon asks this program to stop, or is lost after it started
                this program. While it is set, by whomever, no move is waited for. A `RobotApp`
                gives its own.

        Raises:
            RobotConnectionError: if the daemon does not answer, or refuses this program.
            ValueError: if `daemon_url` is not an `http` address.
        """
        # The socket client is what takes long to import, and is no use before this point.
        from robot._greeting import Visitor
        from robot._link import DaemonLink
        from robot._wire.address import DaemonAddress

        super().__init__()
        self.stop_event = threading.Event() if stop_event is None else stop_event
        visitor = Visitor(
            DaemonAddress.choose(daemon_url),
            run_token=os.environ.get("ROBOT_RUN_TOKEN") or None,
            client_name=_client_name(),
        )
        self._link = DaemonLink(visitor, timeout, self.stop_event)

    @property
    def state(self) -> str:
        """What the robot is up to.

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
        """Whether a joint is held to its greatest speed on its way to a target that is further.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        return self._link.state.speed_limited

    @property
    def clamped(self) -> tuple[Clamp, ...]:
        """What of the latest target the daemon took otherwise than asked for; usually empty.

        Each sentence of it is logged once. It is never raised: the robot moves.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        return self._link.clamped

    def get_current_head_pose(self) -> Array:
        """The measured pose of the head, 4x4, in the frame of the neutral head.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        head = self._link.state.head
        return as_array([head[row : row + 4] for row in range(0, 16, 4)])

    def get_current_joint_positions(self) -> tuple[Array, Array]:
        """The measured joints: seven of the head (body yaw, then stewart 1 to 6), two antennas.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        state = self._link.state
        return as_array([state.body_yaw, *state.stewart]), as_array(state.antennas)

    def get_present_antenna_joint_positions(self) -> Array:
        """The measured angles of the antennas, `[right, left]`.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        return as_array(self._link.state.antennas)

    def close(self) -> None:
        """Ends the connection and all sound; the robot stays as it is. Harmless the second time."""
        try:
            self._close_sound()
        finally:
            self._link.close()

    disconnect = close

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _client_name() -> str:
    """What people know this program by: its package if run with `-m`, else its file."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    name = spec.name.partition(".")[0] if spec else os.path.basename(sys.argv[0] or "")
    return (name or "python")[:_MAX_CLIENT_NAME]
