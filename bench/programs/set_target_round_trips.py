"""Streams targets through the SDK at 50 Hz, and in between the same bytes to an echo server.

Usage: set_target_round_trips.py <daemon> <echo server> <count>. Prints one line of JSON.

`set_target` has no answer on the wire. So each is followed by a ping on the same socket: messages
are taken in order, each before the next is looked at, so a pong says that the target before it was
parsed, checked, and made the robot's target (a refusal would come before the pong, and is counted).
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
    """Sends pings on the socket of a robot, and tells when their answers came."""

    def __init__(self, robot: Robot) -> None:
        # The SDK has no use for pongs, so there is no public place to hear them.
        self._socket = robot._link._connection._socket
        self._handle = self._socket._handle_control
        self._socket._handle_control = self._hear
        self._came = threading.Event()
        self._came_ns = 0

    def round_trip_end_ns(self) -> int:
        self._came.clear()
        self._socket.ping()
        if not self._came.wait(TIMEOUT_S):
            raise TimeoutError("the daemon does not answer a ping")
        return self._came_ns

    def _hear(self, frame: frames.Frame) -> None:
        if frame.opcode == frames.PONG:
            self._came_ns = time.monotonic_ns()
            self._came.set()
        self._handle(frame)


def main() -> None:
    daemon_url, echo_url, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    echo = WebSocket.connect(DaemonAddress.parse(echo_url), TIMEOUT_S)
    set_target_ms: list[float] = []
    echo_ms: list[float] = []
    # Both sides work at 50 Hz: without jitter each call would meet the same moment of the daemon's turn.
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
