"""The class `Robot`, and the robot's default and parked posture.

Head poses are 4x4 matrices like those of `create_head_pose`; angles are in radians, antennas
`[right, left]`. Each access of a constant gives a new array or list.
"""

from __future__ import annotations

import os
import sys
import threading
from types import TracebackType

from robot._calls.commands import Commands
from robot._calls.measurements import Measurements
from robot._calls.modes import Modes
from robot._calls.moves import Moves
from robot._calls.sensors import Sensors
from robot._calls.sound import Sound
from robot._calls.vision import Vision

TYPE_CHECKING = False
if TYPE_CHECKING:
    import logging

    from typing_extensions import Self

    from robot._arrays import Array
    from robot._calls.client import RobotClient
    from robot._calls.status import DaemonStatus
    from robot.endpoints import Endpoints

    INIT_HEAD_POSE: Array
    """The default pose of the head: the identity."""

    INIT_ANTENNAS_JOINT_POSITIONS: list[float]
    """The default angles of the antennas."""

    SLEEP_HEAD_POSE: Array
    """The pose of the parked head."""

    SLEEP_HEAD_JOINT_POSITIONS: list[float]
    """The body's yaw and the six legs of the parked head."""

    SLEEP_ANTENNAS_JOINT_POSITIONS: list[float]
    """The angles of the parked antennas."""

_MAX_CLIENT_NAME = 200
_DEFAULT_NAME = "robot"


class Robot(Moves, Commands, Measurements, Modes, Sensors, Sound, Vision):
    """A connected robot. Safe to use from several threads.

    Use it as a context manager, or call `close()` at the end. Angles are in radians, lengths in
    metres, durations in seconds; antennas are `[right, left]`. Poses are returned as numpy arrays
    if numpy is installed, else as nested lists; joint angles as lists.

    When the daemon is lost, calls raise RobotConnectionError. A program started by hand reconnects
    as soon as the daemon is back, and its calls work again; an app that the daemon started is
    asked to stop.
    """

    def __init__(
        self,
        robot_name: str | None = None,
        host: str | None = None,
        port: int | None = None,
        connection_mode: str = "auto",
        spawn_daemon: bool = False,
        use_sim: bool = False,
        timeout: float = 5.0,
        automatic_body_yaw: bool = True,
        log_level: str | int | None = None,
        media_backend: object = "default",
        localhost_only: bool | None = None,
        *,
        daemon_url: str | None = None,
        stop_event: threading.Event | None = None,
    ) -> None:
        """Connects to the daemon.

        Without arguments, it is the daemon at the address in `ROBOT_DAEMON_URL`, else at
        `http://127.0.0.1:8000`.

        Args:
            robot_name: a daemon has one robot, so this chooses none. An address such as
                `http://127.0.0.1:8000` here counts as `daemon_url`.
            host: the name or address of the daemon's machine.
            port: the daemon's port; 8000 for a `host` elsewhere.
            connection_mode: `auto` tries this machine first, then `host`; `localhost_only` only
                this machine, `network` only `host`.
            spawn_daemon: no daemon is started here; if none answers, the error says what to do.
            use_sim: the daemon decides this: it has the real robot or a simulated one. If it is
                the real one, the output says so once.
            timeout: the longest time to connect to an address, in seconds.
            automatic_body_yaw: see `set_automatic_body_yaw`.
            log_level: the level of the logger `robot`, such as `DEBUG`. None: unchanged.
            media_backend: `default`, `default_no_video`, `local` and others, or `no_media`; see
                `media`.
            localhost_only: the older form of `connection_mode`: True for `localhost_only`, False
                for `network`.
            daemon_url: the daemon's whole address, instead of `host` and `port`.
            stop_event: set when the daemon asks this program to stop, and when a daemon that
                started this program is lost. While it is set, moves return at once. A `RobotApp`
                passes its own.

        Raises:
            RobotConnectionError: if no daemon answers, or it refuses this program.
            AppStopping: if `stop_event` is set while it connects.
            ValueError: if an argument is invalid.
        """
        # The socket client takes long to import and is not needed earlier.
        from robot._daemon.daemon_choice import choose_addresses, connect
        from robot.errors import RobotConnectionError

        if log_level is not None:
            import logging

            logging.getLogger("robot").setLevel(
                log_level.upper() if isinstance(log_level, str) else log_level
            )
        if robot_name and "://" in robot_name and daemon_url is None:
            robot_name, daemon_url = None, robot_name
        if localhost_only is not None:
            connection_mode = "localhost_only" if localhost_only else "network"
        addresses = choose_addresses(daemon_url, host, port, connection_mode)
        self.stop_event: threading.Event = threading.Event() if stop_event is None else stop_event
        self._robot_name = robot_name or _DEFAULT_NAME
        self._media_backend = media_backend
        super().__init__()
        try:
            self._link = connect(addresses, timeout, self.stop_event, _client_name())
        except RobotConnectionError as error:
            if not spawn_daemon:
                raise
            raise RobotConnectionError(
                f"{error} This program cannot start a daemon itself (spawn_daemon)."
            ) from error
        try:
            self._apply(use_sim, automatic_body_yaw)
        except BaseException:
            self.close()
            raise

    @property
    def client(self) -> RobotClient:
        """The connection: `client.get_status()` and `client.disconnect()`."""
        from robot._calls.client import RobotClient

        return RobotClient(self._status, self._link.close)

    @property
    def logger(self) -> logging.Logger:
        """The logger of this SDK, `robot`."""
        import logging

        return logging.getLogger("robot")

    @property
    def endpoints(self) -> Endpoints:
        """The models that this app uses, by the names of its needs: `robot.endpoints["chat"]`."""
        from robot.endpoints import Endpoints

        return Endpoints(os.environ, self.stop_event)

    def close(self) -> None:
        """Closes the connection and ends all sound; the robot stays as it is. Can be repeated."""
        try:
            self._close_sound()
        finally:
            self._link.close()

    disconnect = close

    def _apply(self, use_sim: bool, automatic_body_yaw: bool) -> None:
        """Carries out the constructor's settings that the daemon must know or has decided."""
        from robot._notice import once
        from robot.errors import RobotConnectionError, RobotError

        if self._robot_name != _DEFAULT_NAME:
            once(
                "robot_name",
                f"robot_name={self._robot_name!r} chooses no robot: a daemon has one. Its address "
                "(host and port) chooses the daemon.",
            )
        if use_sim and self._link.backend == "lite":
            once(
                "use_sim",
                "use_sim=True does not simulate the robot: the daemon has the real one, and it "
                'moves. For a simulated one, start the daemon with "robot-daemon --sim".',
            )
        if automatic_body_yaw:
            return
        try:
            self.set_automatic_body_yaw(False)
        except RobotConnectionError:
            raise
        except RobotError as error:
            once("automatic_body_yaw", f"automatic_body_yaw=False has no effect: {error}")

    def _status(self) -> DaemonStatus:
        from robot._calls.status import StatusParts, status_of

        return status_of(
            StatusParts(
                robot_name=self._robot_name,
                backend=self._link.backend,
                daemon_version=self._link.daemon_version,
                state=self._link.state,
                gravity_compensation=self._gravity_compensation,
                no_media=self._media_backend == "no_media",
                media_released=self.media_released,
            )
        )

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


def __getattr__(name: str) -> object:
    if not name.startswith(("INIT_", "SLEEP_")):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from robot import _postures

    return _postures.constant(name)
