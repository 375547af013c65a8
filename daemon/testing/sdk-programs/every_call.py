"""Eight threads that call everything of one `Robot` at once, then a close while they go on.

Usage: every_call.py <seed> <seconds>. Prints one line of JSON: the number of calls of each name, the
documented errors by call, and `trouble`, which must be empty. A thread that hangs ends the program
with the stacks of all threads.
"""

from __future__ import annotations

import collections
import faulthandler
import json
import os
import random
import sys
import threading
import time
import traceback

from robot import Robot, RobotConnectionError
from robot_calls import DOCUMENTED, calls_of

THREADS = 8
LONGEST_CALL_S = 60.0
"""Longer than the longest time after which a call raises MoveTimeout."""


class Caller:
    """Makes seeded calls, in one thread."""

    def __init__(self, robot: Robot, seed: str, totals: Totals) -> None:
        self._robot = robot
        self._random = random.Random(seed)
        self._totals = totals
        self.call = "none"
        self.since_s = time.monotonic()
        self._calls = calls_of(robot, self._random)

    def run(self) -> None:
        while not self._totals.ended.is_set():
            self.call, self.since_s = self._random.choice(list(self._calls)), time.monotonic()
            try:
                self._calls[self.call]()
            except DOCUMENTED.get(self.call, ()) as error:
                self._totals.add_error(self.call, error)
            except RobotConnectionError:
                if not self._totals.closing.is_set():
                    self._totals.add_trouble(self.call)
                if not self._robot.client.is_connected():
                    return
            except BaseException:
                self._totals.add_trouble(self.call)
            self._totals.add_call(self.call)


class Totals:
    """The findings of all threads."""

    def __init__(self) -> None:
        self.closing = threading.Event()
        self.ended = threading.Event()
        self._lock = threading.Lock()
        self.calls: collections.Counter[str] = collections.Counter()
        self.errors: collections.Counter[str] = collections.Counter()
        self.trouble: list[str] = []

    def add_call(self, call: str) -> None:
        with self._lock:
            self.calls[call] += 1

    def add_error(self, call: str, error: Exception) -> None:
        with self._lock:
            self.errors[f"{call}: {type(error).__name__}"] += 1

    def add_trouble(self, call: str) -> None:
        with self._lock:
            self.trouble.append(f"{call}: {traceback.format_exc()}")


def watch(callers: list[Caller], totals: Totals) -> None:
    """Ends the program if a call takes too long: it hangs."""
    while not totals.ended.wait(1):
        for caller in callers:
            if time.monotonic() - caller.since_s > LONGEST_CALL_S:
                print(f"{caller.call} hangs:", file=sys.stderr, flush=True)
                faulthandler.dump_traceback(all_threads=True)
                os._exit(1)


def main() -> None:
    seed, seconds = sys.argv[1], float(sys.argv[2])
    totals = Totals()
    failed_threads: list[str] = []
    threading.excepthook = lambda raised: failed_threads.append(
        "".join(traceback.format_exception(raised.exc_type, raised.exc_value, raised.exc_traceback))
    )
    robot = Robot()
    robot.wake_up()
    callers = [Caller(robot, f"{seed} {number}", totals) for number in range(THREADS)]
    threads = [threading.Thread(target=caller.run) for caller in callers]
    for thread in threads:
        thread.start()
    threading.Thread(target=watch, args=(callers, totals), daemon=True).start()
    time.sleep(seconds)
    totals.closing.set()
    robot.close()
    time.sleep(0.5)
    totals.ended.set()
    for thread, caller in zip(threads, callers):
        thread.join(LONGEST_CALL_S)
        if thread.is_alive():
            totals.trouble.append(f"{caller.call} does not end after the close.")
    waiting = list(robot._link._connection._requests._waiting)
    if waiting:
        totals.trouble.append(f"Requests without an answer: {waiting}")
    print(
        json.dumps(
            {
                "calls": totals.calls,
                "errors": totals.errors,
                "trouble": [*totals.trouble, *failed_threads],
            }
        ),
        flush=True,
    )
    if totals.trouble:
        os._exit(0)  # a thread may hang


main()
