"""The robot, as a program sees it."""

from __future__ import annotations

import os
import sys
import threading
from types import TracebackType

from robot._arrays import Array, as_array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Self

    from robot._link import DaemonLink

_MAX_CLIENT_NAME = 200


class Robot:
    """A connected robot. Safe to use from several threads.

    Use it as a context manager, or call `close()` at the end. Angles are radians, lengths metres,
    durations seconds; antennas are `[right, left]`. Poses and joints are given back as numpy
    arrays if numpy is installed, else as (nested) lists.
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
            stop_event: set when the daemon asks this program to stop. While it is set, by whomever,
                no move is waited for. A `RobotApp` gives its own.

        Raises:
            RobotConnectionError: if the daemon does not answer, or refuses this program.
            ValueError: if `daemon_url` is not an `http` address.
        """
        # The socket client is what takes long to import, and is no use before this point.
        from robot._link import DaemonLink
        from robot._wire.address import DaemonAddress

        self.stop_event = threading.Event() if stop_event is None else stop_event
        self._link: DaemonLink = DaemonLink.open(
            DaemonAddress.choose(daemon_url),
            timeout,
            run_token=os.environ.get("ROBOT_RUN_TOKEN") or None,
            client_name=_client_name(),
            stop_event=self.stop_event,
        )

    def set_target(
        self, head: object = None, antennas: object = None, body_yaw: object = None
    ) -> None:
        """Sends the robot somewhere at once; call it often (50 times a second) for smooth motion.

        It returns before the daemon has answered: what the daemon has against a target is raised
        by the next call, and logged once. A target out of reach is only logged: the robot stays at
        the one before.

        Args:
            head: a pose of the head in the frame of the neutral head, 4x4 nested or 16 numbers
                flat; anything with `.tolist()`, or any nested numbers.
            antennas: two angles, `[right, left]`.
            body_yaw: one angle.

        Raises:
            ValueError: if nothing is given, or something of the wrong shape or not finite.
            RobotError: what the daemon had against an earlier target, such as `SlotTaken` or
                `RobotUnavailable`.
            RobotConnectionError: if the daemon was lost.
        """
        from robot._targets import check_target

        self._link.set_target(check_target(head, antennas, body_yaw))

    def goto_target(
        self,
        head: object = None,
        antennas: object = None,
        duration: float = 0.5,
        method: str = "minjerk",
        body_yaw: object = 0.0,
    ) -> None:
        """Moves smoothly, and returns when the time is over (the joints are a moment behind).

        It returns earlier if another motion takes over, or if a stop is asked for.

        Args:
            head: as for `set_target`; None leaves it where it is told to be.
            antennas: as for `set_target`; None leaves them where they are told to be.
            duration: above 0 and at most 600 s.
            method: `minjerk`, `linear`, `ease_in_out` or `cartoon`.
            body_yaw: one angle; None leaves the body where it is told to be.

        Raises:
            ValueError: if nothing is given, or something of the wrong shape or out of range.
            RobotError: what the daemon has against this move, or had against an earlier target.
            MoveTimeout: if the move has not ended 5 s after its time.
            RobotConnectionError: if the daemon was lost.
        """
        from robot._targets import check_duration, check_method, check_target

        target = check_target(head, antennas, body_yaw)
        self._link.goto_target(target, check_duration(duration), check_method(method))

    def get_current_head_pose(self) -> Array:
        """The measured pose of the head, 4x4, in the frame of the neutral head.

        Raises:
            RobotConnectionError: if the daemon was lost.
        """
        head = self._link.state.head
        return as_array([head[row : row + 4] for row in range(0, 16, 4)])

    def get_current_joint_positions(self) -> tuple[Array, Array]:
        """The measured joints: seven of the head (body yaw, then stewart 1 to 6), two antennas.

        Raises:
            RobotConnectionError: if the daemon was lost.
        """
        state = self._link.state
        return as_array([state.body_yaw, *state.stewart]), as_array(state.antennas)

    def get_present_antenna_joint_positions(self) -> Array:
        """The measured angles of the antennas, `[right, left]`.

        Raises:
            RobotConnectionError: if the daemon was lost.
        """
        return as_array(self._link.state.antennas)

    def close(self) -> None:
        """Ends the connection; the robot stays as it is. Harmless the second time."""
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
