"""Streams targets through the SDK at 50 Hz, and the same bytes to an echo server in between.

Usage: set_target_round_trips.py <daemon> <echo server> <count>. Prints one line of JSON.

`set_target` has no reply on the wire, so each is followed by a ping on the same socket. The daemon
handles messages in order: the pong shows that the target was parsed, checked and applied (a refusal
would come before the pong, and is counted).
"""

from __future__ import annotations

import json
import math
import random
import sys
import threading
import time

from robot import Robot, create_head_pose
from robot._targets import check_target
from robot._wire import frames, messages
from robot._wire.address import DaemonAddress
from robot._wire.websocket import WebSocket

PERIOD_S = 0.02
WARM_UP = 25
TIMEOUT_S = 5.0


class Pongs:
    """Sends pings on the socket of a robot, and measures when the pongs arrive."""

    def __init__(self, robot: Robot) -> None:
        # The SDK ignores pongs and has no public way to receive them.
        self._socket = robot._link._connection._socket
        self._handle = self._socket._handle_control
        self._socket._handle_control = self._handle_frame
        self._arrived = threading.Event()
        self._arrived_ns = 0

    def round_trip_end_ns(self) -> int:
        self._arrived.clear()
        self._socket.ping()
        if not self._arrived.wait(TIMEOUT_S):
            raise TimeoutError("the daemon does not answer a ping")
        return self._arrived_ns

    def _handle_frame(self, frame: frames.Frame) -> None:
        if frame.opcode == frames.PONG:
            self._arrived_ns = time.monotonic_ns()
            self._arrived.set()
        self._handle(frame)


def main() -> None:
    daemon_url, echo_url, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    echo = WebSocket.connect(DaemonAddress.parse(echo_url), TIMEOUT_S)
    set_target_ms: list[float] = []
    echo_ms: list[float] = []
    # Both sides work at 50 Hz: without jitter, each call would meet the same moment of the daemon's cycle.
    jitter = random.Random(1)
    with Robot(daemon_url) as robot:
        pongs = Pongs(robot)
        start_s = time.monotonic()
        for turn in range(WARM_UP + count):
            due_s = start_s + turn * PERIOD_S + jitter.uniform(0, PERIOD_S / 2)
            time.sleep(max(0.0, due_s - time.monotonic()))
            sway = math.sin(turn * PERIOD_S * math.tau / 2)
            head, antennas = create_head_pose(pitch=8 * sway), [0.3 * sway, -0.3 * sway]

            called_ns = time.monotonic_ns()
            robot.set_target(head=head, antennas=antennas, body_yaw=0.1 * sway)
            set_target_ms.append((pongs.round_trip_end_ns() - called_ns) / 1e6)

            text = messages.encode(messages.set_target(check_target(head, antennas, 0.1 * sway)))
            sent_ns = time.monotonic_ns()
            echo.send_text(text)
            echo.receive(TIMEOUT_S)
            echo_ms.append((time.monotonic_ns() - sent_ns) / 1e6)
        took_s = time.monotonic() - start_s
        refusals = sorted(robot._link._target_log._logged)
    echo.begin_close()
    print(
        json.dumps(
            {
                "setTargetMs": set_target_ms[WARM_UP:],
                "echoMs": echo_ms[WARM_UP:],
                "callsPerSecond": (WARM_UP + count) / took_s,
                "refusals": refusals,
            }
        )
    )


main()
