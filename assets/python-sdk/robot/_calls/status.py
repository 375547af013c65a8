"""The status of the daemon and its robot, as `Robot.client.get_status` returns it."""

from __future__ import annotations

from enum import Enum

from robot._fields import Fields
from robot._record import Record
from robot._wire.messages import State

SIMULATED_BACKENDS = ("simulation", "emulator")


class _Text(str, Enum):
    def __str__(self) -> str:
        return str(self.value)


class DaemonState(_Text):
    """The state of the daemon's robot. Equal to its text, which is also its `value`."""

    RUNNING = "running"
    ERROR = "error"


class MotorControlMode(_Text):
    """The control of the motors. Equal to its text, which is also its `value`."""

    ENABLED = "enabled"
    DISABLED = "disabled"
    GRAVITY_COMPENSATION = "gravity_compensation"


class BackendStatus(Fields):
    """The status of the motors."""

    ready: bool
    """Whether the robot can be commanded."""

    motor_control_mode: MotorControlMode
    error: str | None
    """Why it cannot be commanded, one sentence."""


class DaemonStatus(Fields):
    """The status of the daemon: attributes, and a dictionary with the same names."""

    robot_name: str
    state: DaemonState
    wireless_version: bool
    desktop_app_daemon: bool
    simulation_enabled: bool
    """Whether the robot is simulated or emulated."""

    mockup_sim_enabled: bool
    """Whether the robot's servos are emulated."""

    no_media: bool
    media_released: bool
    camera_specs_name: str
    backend_status: BackendStatus
    error: str | None
    """Why the robot cannot be commanded, one sentence."""

    wlan_ip: str | None
    version: str
    """The version of the daemon."""

    hardware_id: str | None


class StatusParts(Record):
    """The facts that a status is made of."""

    robot_name: str
    backend: str
    daemon_version: str
    state: State
    gravity_compensation: bool
    no_media: bool
    media_released: bool


_ERRORS = {
    "disconnected": "The robot is not connected.",
    "error": "The robot has an error. Robot Desktop says which.",
}


def status_of(parts: StatusParts) -> DaemonStatus:
    """The status with these parts."""
    error = _ERRORS.get(parts.state.name)
    mode = MotorControlMode.ENABLED if parts.state.torque else MotorControlMode.DISABLED
    if parts.gravity_compensation and parts.state.torque:
        mode = MotorControlMode.GRAVITY_COMPENSATION
    return DaemonStatus(
        robot_name=parts.robot_name,
        state=DaemonState.ERROR if error else DaemonState.RUNNING,
        wireless_version=False,
        desktop_app_daemon=False,
        simulation_enabled=parts.backend in SIMULATED_BACKENDS,
        mockup_sim_enabled=parts.backend == "emulator",
        no_media=parts.no_media,
        media_released=parts.media_released,
        camera_specs_name="",
        backend_status=BackendStatus(ready=error is None, motor_control_mode=mode, error=error),
        error=error,
        wlan_ip=None,
        version=parts.daemon_version,
        hardware_id=None,
    )
