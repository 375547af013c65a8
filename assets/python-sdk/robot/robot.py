"""The class `Robot`."""

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
    from robot.endpoints import Endpoints

_MAX_CLIENT_NAME = 200


class Robot(Commands, Sound):
    """A connected robot. Safe to use from several threads.

    Use it as a context manager, or call `close()` at the end. Angles are in radians, lengths in
    metres, durations in seconds; antennas are `[right, left]`. Poses and joints are returned as
    numpy arrays if numpy is installed, else as (nested) lists.

    When the daemon is lost, calls raise RobotConnectionError. A program started by hand reconnects
    as soon as the daemon is back, and its calls work again; an app that the daemon started is
    asked to stop.
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
            daemon_url: the daemon's address. None: the one in `ROBOT_DAEMON_URL`, else
                `http://127.0.0.1:8000`.
            timeout: the longest time to connect, in seconds.
            stop_event: set when the daemon asks this program to stop, and when a daemon that
                started this program is lost. While it is set, moves return at once. A `RobotApp`
                passes its own.

        Raises:
            RobotConnectionError: if the daemon does not answer, or refuses this program.
            ValueError: if `daemon_url` is not an `http` address.
        """
        # The socket client takes long to import and is not needed earlier.
        from robot._link import DaemonLink
        from robot._session import Client
        from robot._wire.address import DaemonAddress

        super().__init__()
        self.stop_event = threading.Event() if stop_event is None else stop_event
        client = Client(
            DaemonAddress.choose(daemon_url),
            run_token=os.environ.get("ROBOT_RUN_TOKEN") or None,
            name=_client_name(),
        )
        self._link = DaemonLink(client, timeout, self.stop_event)

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

    @property
    def endpoints(self) -> Endpoints:
        """The models that this app uses, by the names of its needs: `robot.endpoints["chat"]`."""
        from robot.endpoints import Endpoints

        return Endpoints(os.environ, self.stop_event)

    def get_current_head_pose(self) -> Array:
        """The measured pose of the head: a 4x4 matrix in the frame of the neutral head, in metres.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        head = self._link.state.head
        return as_array([head[row : row + 4] for row in range(0, 16, 4)])

    def get_current_joint_positions(self) -> tuple[Array, Array]:
        """The measured joint angles in radians.

        Returns:
            Seven angles (body yaw, then stewart 1 to 6), and two of the antennas, `[right, left]`.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        state = self._link.state
        return as_array([state.body_yaw, *state.stewart]), as_array(state.antennas)

    def get_present_antenna_joint_positions(self) -> Array:
        """The measured angles of the antennas in radians, `[right, left]`.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        return as_array(self._link.state.antennas)

    def close(self) -> None:
        """Closes the connection and ends all sound; the robot stays as it is. Can be repeated."""
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
    """The name to show for this program: its package if run with `-m`, else its file."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    name = spec.name.partition(".")[0] if spec else os.path.basename(sys.argv[0] or "")
    return (name or "python")[:_MAX_CLIENT_NAME]
