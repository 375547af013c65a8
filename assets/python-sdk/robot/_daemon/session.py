"""Opens a session with the daemon: connect, send hello, wait for the welcome."""

from __future__ import annotations

import os
import time

from robot import __version__
from robot._record import Record
from robot._wire import handshake, messages
from robot._wire.address import DaemonAddress
from robot._wire.daemon_token import bearer_token
from robot._wire.websocket import ConnectionClosed, WebSocket
from robot.errors import RobotConnectionError

_RANDOM_ID = os.urandom(16).hex()


class Client(Record):
    """The identity of this program, and the daemon's address."""

    address: DaemonAddress
    run_token: str | None
    """None for a program that the daemon did not start."""

    name: str


def open_session(client: Client, timeout_s: float) -> tuple[WebSocket, messages.Welcome]:
    """Connects, says hello and waits for the welcome, all within `timeout_s`.

    Raises:
        RobotConnectionError: if that failed; its text says what to do.
    """
    address = client.address
    deadline_s = time.monotonic() + timeout_s
    try:
        socket = WebSocket.connect(address, timeout_s, bearer_token(address))
    except (OSError, handshake.HandshakeRefused) as error:
        raise RobotConnectionError(_why_no_connection(address, timeout_s, error)) from error
    try:
        hello = messages.hello(__version__, client.run_token, client.name, _program_id())
        socket.send_text(messages.encode(hello))
        return socket, _await_welcome(socket, deadline_s)
    except (TimeoutError, ConnectionClosed, messages.MalformedReply) as error:
        socket.abort()
        raise RobotConnectionError(_why_no_welcome(address, timeout_s, error)) from error
    except BaseException:
        socket.abort()
        raise


def _program_id() -> str:
    """The same for every connection of this process, which share the robot; another in a fork."""
    return f"{_RANDOM_ID}-{os.getpid()}"


def _await_welcome(socket: WebSocket, deadline_s: float) -> messages.Welcome:
    while True:
        reply = messages.decode(socket.receive(deadline_s - time.monotonic()))
        if isinstance(reply, messages.Welcome):
            return reply
        if isinstance(reply, messages.Refusal):
            raise RobotConnectionError(f"The daemon refused this program: {reply.message}")


def _why_no_connection(address: DaemonAddress, timeout_s: float, error: Exception) -> str:
    check = "Check the address (daemon_url, or ROBOT_DAEMON_URL in the environment)."
    start = 'Start Robot Desktop, or run "robot-daemon", then try again.'
    if isinstance(error, handshake.HandshakeRefused):
        if error.status in (401, 403):
            why = error.detail or f"It answered with status {error.status}."
            do = _remedy(address, error)
            return f"The daemon at {address.url} refuses this program. {why} {do}"
        if error.status == 503 and error.detail:
            return (
                f"The daemon at {address.url} cannot accept this program now. {error.detail} "
                "Stop a program that is not needed, or wait, then try again."
            )
        answer = "not in HTTP" if error.status is None else f"with status {error.status}"
        return (
            f"Something answers at {address.url} ({answer}), but it is not a daemon that this SDK "
            f"supports. Another program may use that port. {check}"
        )
    if isinstance(error, TimeoutError):
        return (
            f"The daemon at {address.url} did not answer within {timeout_s:g} s. "
            f"It may be hanging, or be on a network that drops the connection. {check}"
        )
    if isinstance(error, ConnectionRefusedError):
        return (
            f"Nothing answers at {address.url}. The daemon is probably not running. {start} "
            "If it has another address, set ROBOT_DAEMON_URL to the one that it prints."
        )
    return f"The daemon at {address.url} cannot be reached: {error}. {check}"


def _remedy(address: DaemonAddress, error: handshake.HandshakeRefused) -> str:
    there = "Run the program on the daemon's own machine, with the address that it prints"
    if error.status == 403:
        return f"{there}."
    if address.is_this_machine:
        return "For a program, set ROBOT_DAEMON_TOKEN to a token."
    return f"{there}, or set ROBOT_DAEMON_URL to this address and ROBOT_DAEMON_TOKEN to a token."


def _why_no_welcome(address: DaemonAddress, timeout_s: float, error: Exception) -> str:
    if isinstance(error, TimeoutError):
        what = f"did not accept this program within {timeout_s:g} s"
    else:
        what = f"closed the connection before it accepted this program ({error})"
    return (
        f"The daemon at {address.url} {what}. It may be stopping, or have another version "
        'than this SDK. Restart Robot Desktop (or "robot-daemon"), then try again.'
    )
