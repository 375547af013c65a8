"""The connection of a `Robot`, as its property `client`."""

from __future__ import annotations

from collections.abc import Callable

from robot._calls.status import DaemonStatus


class RobotClient:
    """The connection to the daemon."""

    def __init__(self, status: Callable[[], DaemonStatus], disconnect: Callable[[], None]) -> None:
        """A `Robot` creates it."""
        self._status = status
        self._disconnect = disconnect

    def get_status(self, wait: bool = True, timeout: float = 5.0) -> DaemonStatus:
        """The status of the daemon and of the robot, known at any time.

        Args:
            wait: accepted for apps that pass it, and not needed here.
            timeout: like `wait`.

        Returns:
            A dictionary whose items are attributes too: `status["simulation_enabled"]`,
            `status.get("simulation_enabled")` and `status.simulation_enabled`.

        Raises:
            RobotConnectionError: if the daemon is lost.
        """
        return self._status()

    def is_connected(self) -> bool:
        """Whether the daemon is connected now."""
        try:
            self._status()
        except ConnectionError:
            return False
        return True

    def disconnect(self) -> None:
        """Closes the connection; the robot stays as it is. Can be repeated.

        Sound ends with `Robot.close`, or with the program.
        """
        self._disconnect()
