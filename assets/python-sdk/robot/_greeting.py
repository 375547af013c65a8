"""How a program gets in: connect, say hello, be welcomed; or a sentence on why not."""

from __future__ import annotations

import time
from typing import NamedTuple

from robot import __version__
from robot._wire import handshake, messages
from robot._wire.address import DaemonAddress
from robot._wire.websocket import ConnectionClosed, WebSocket
from robot.errors import RobotConnectionError


class Visitor(NamedTuple):
    """Who this program is, and whom it wants to see."""

    address: DaemonAddress
    run_token: str | None
    """None for a program that was not started by the daemon."""

    client_name: str


def enter(visitor: Visitor, timeout_s: float) -> tuple[WebSocket, messages.Welcome]:
    """Connects, says hello and waits for the welcome, all within `timeout_s`.

    Raises:
        RobotConnectionError: if that did not work out; its text says what to do.
    """
    address = visitor.address
    deadline_s = time.monotonic() + timeout_s
    try:
        socket = WebSocket.connect(address, timeout_s)
    except (OSError, handshake.HandshakeRefused) as error:
        raise RobotConnectionError(_why_no_connection(address, timeout_s, error)) from error
    try:
        greeting = messages.hello(__version__, visitor.run_token, visitor.client_name)
        socket.send_text(messages.encode(greeting))
        return socket, _await_welcome(socket, deadline_s)
    except (TimeoutError, ConnectionClosed, messages.MalformedReply) as error:
        socket.abort()
        raise RobotConnectionError(_why_no_welcome(address, timeout_s, error)) from error
    except BaseException:
        socket.abort()
        raise


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
            do = "Run the program on the daemon's own machine, under the address that it prints."
            return f"The daemon at {address.url} does not let this program in. {why} {do}"
        if error.status == 503 and error.detail:
            return (
                f"The daemon at {address.url} cannot take this program now. {error.detail} "
                "End one that is not needed, or wait a little, then try again."
            )
        answer = "not in HTTP" if error.status is None else f"with status {error.status}"
        return (
            f"Something answers at {address.url} ({answer}), but it is no daemon that this SDK "
            f"can talk to. Another program may use that port. {check}"
        )
    if isinstance(error, TimeoutError):
        return (
            f"The daemon at {address.url} did not answer within {timeout_s:g} s. "
            f"It may be hanging, or be on a network that drops the connection. {check}"
        )
    if isinstance(error, ConnectionRefusedError):
        return f"Nothing answers at {address.url}. The daemon is probably not running. {start}"
    return f"The daemon at {address.url} cannot be reached: {error}. {check}"


def _why_no_welcome(address: DaemonAddress, timeout_s: float, error: Exception) -> str:
    if isinstance(error, TimeoutError):
        what = f"did not welcome this program within {timeout_s:g} s"
    else:
        what = f"broke off before it welcomed this program ({error})"
    return (
        f"The daemon at {address.url} {what}. It may be shutting down, or be of another version "
        'than this SDK. Restart Robot Desktop (or "robot-daemon"), then try again.'
    )
