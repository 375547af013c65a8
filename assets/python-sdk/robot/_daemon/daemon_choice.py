"""Chooses the daemon of a `Robot`: by an address, or by the keywords for host and connection."""

from __future__ import annotations

import os
import threading
from functools import partial

from robot._daemon.link import DaemonLink
from robot._daemon.session import Client
from robot._stop_event import is_set
from robot._stoppable import called
from robot._wire.address import DEFAULT_DAEMON_URL, DaemonAddress, is_this_machine
from robot._wire.daemon_token import run_token
from robot.errors import RobotConnectionError

CONNECTION_MODES = ("auto", "localhost_only", "network")
_DEFAULT_PORT = DaemonAddress.parse(DEFAULT_DAEMON_URL).port


def choose_addresses(
    daemon_url: str | None,
    host: str | None,
    port: int | None,
    connection_mode: str,
) -> list[DaemonAddress]:
    """The addresses to try, in this order.

    Args:
        daemon_url: the only one, if it is given.
        host: see `Robot`. None, like a missing port: that of `ROBOT_DAEMON_URL`, else of the
            default address.
        port: see `Robot`.
        connection_mode: `auto` tries this machine before another host, `localhost_only` only this
            machine, `network` only the host.

    Raises:
        ValueError: if an argument is invalid.
    """
    if connection_mode not in CONNECTION_MODES:
        raise ValueError(
            f"connection_mode must be one of {', '.join(CONNECTION_MODES)}, "
            f"not {connection_mode!r}."
        )
    if daemon_url is None and host is not None and "://" in host:
        daemon_url = host
    own = DaemonAddress.choose(None)
    if daemon_url is not None:
        return [DaemonAddress.parse(daemon_url)]
    if host is None and port is None:
        return [own]
    here = own
    if not own.is_this_machine or port not in (None, own.port):
        here = DaemonAddress.of("127.0.0.1", _DEFAULT_PORT if port is None else port)
    found = [here]
    if host is not None and not is_this_machine(host):
        there = DaemonAddress.of(host, _DEFAULT_PORT if port is None else port)
        if connection_mode == "network":
            return [there]
        if connection_mode == "auto":
            found.append(there)
    # An app with a fixed port still reaches the daemon that started it at another one.
    if os.environ.get("ROBOT_RUN_TOKEN") and not any(own.is_same(address) for address in found):
        found.append(own)
    return found


def connect(
    addresses: list[DaemonAddress], timeout_s: float, stop_event: threading.Event, name: str
) -> DaemonLink:
    """Connects to the first of the addresses where a daemon accepts this program.

    Args:
        addresses: see `choose_addresses`.
        timeout_s: the longest time for each.
        stop_event: see `Robot`.
        name: the name to show for this program.

    Raises:
        RobotConnectionError: if none does; its text has a sentence for each.
        AppStopping: if `stop_event` is set before one does.
    """
    failures: list[RobotConnectionError] = []
    for address in addresses:
        client = Client(address, run_token(address), name)
        try:
            return called(
                partial(DaemonLink, client, timeout_s, stop_event),
                partial(is_set, stop_event),
                DaemonLink.close,
            )
        except RobotConnectionError as error:
            failures.append(error)
    if len(failures) == 1:
        raise failures[0]
    raise RobotConnectionError(" ".join(map(str, failures))) from failures[0]
