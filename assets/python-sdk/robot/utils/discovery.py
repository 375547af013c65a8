"""Finds the robots that a program can connect to."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, NamedTuple

from robot._wire.address import DEFAULT_DAEMON_URL, DaemonAddress
from robot._wire.daemon_token import bearer_token

_DAEMON_NAME = "robot-daemon"
_MAX_ANSWER_BYTES = 1024 * 1024


class DiscoveredRobot(NamedTuple):
    """A robot, by its daemon."""

    name: str
    host: str
    """The daemon's host, for `Robot(host=…)`."""

    port: int
    """The daemon's port, for `Robot(port=…)`."""

    addresses: list[str]
    """The addresses of `host`."""

    properties: dict[str, str]
    """`version`: that of the daemon."""


def find_robots(timeout: float = 5.0) -> list[DiscoveredRobot]:
    """Finds the daemons on this machine, at `ROBOT_DAEMON_URL` and at the default address.

    Robots elsewhere in the network are not found: daemons do not announce themselves.

    Args:
        timeout: the longest wait for an answer, in seconds. It returns once all have answered.

    Returns:
        A robot for each daemon that answers; without one, an empty list.

    Raises:
        ValueError: if `ROBOT_DAEMON_URL` is not an `http` address.
        AppStopping: if an app of this program is asked to stop meanwhile.
    """
    from robot._interrupts import is_stopping
    from robot._stoppable import called

    own, default = DaemonAddress.choose(None), DaemonAddress.parse(DEFAULT_DAEMON_URL)
    places = [own] if own.is_same(default) else [own, default]
    found = (
        (place, called(partial(_daemon_at, place, timeout), is_stopping, lambda _: None))
        for place in places
    )
    return [
        DiscoveredRobot(
            name="robot",
            host=place.host,
            port=place.port,
            addresses=[place.host],
            properties={"version": str(daemon.get("version", ""))},
        )
        for place, daemon in found
        if daemon is not None
    ]


def _daemon_at(place: DaemonAddress, timeout_s: float) -> dict[str, Any] | None:
    """The status of the daemon there; None if there is none."""
    from http.client import HTTPConnection, HTTPException

    connection = HTTPConnection(place.host, place.port, timeout=timeout_s)
    try:
        path = place.path.removesuffix("/ws/sdk") + "/api/daemon/status"
        token = bearer_token(place)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        connection.request("GET", path, headers=headers)
        status = json.loads(connection.getresponse().read(_MAX_ANSWER_BYTES))
    except (OSError, HTTPException, ValueError):
        return None
    finally:
        connection.close()
    is_daemon = isinstance(status, dict) and status.get("name") == _DAEMON_NAME
    return status if is_daemon else None
