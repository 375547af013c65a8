"""Runs a program on a pseudo-terminal: waits for texts, types, and prints all that the program wrote.

Arguments: a JSON of {"argv", "steps": [{"wait", "send"?, "signal"?}], "withinS"}; the last line is a JSON of {"code", "missing"}.
"""

import json
import os
import pty
import re
import select
import signal
import sys
import time


def main() -> None:
    given = json.loads(sys.argv[1])
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(given["argv"][0], given["argv"])
    end = time.monotonic() + given["withinS"]
    output = b""
    seen = 0
    missing = None
    for step in given["steps"]:
        pattern = re.compile(step["wait"].encode())
        while True:
            found = pattern.search(output, seen)
            if found:
                seen = found.end()
                break
            data = read(terminal, end)
            if not data:
                missing = step["wait"]
                break
            output += data
        if missing is not None:
            break
        if "send" in step:
            os.write(terminal, step["send"].encode())
        if "signal" in step:
            os.kill(pid, getattr(signal, step["signal"]))
    if missing is not None:
        os.kill(pid, signal.SIGKILL)
    while data := read(terminal, end):
        output += data
    _, status = os.waitpid(pid, 0)
    sys.stdout.buffer.write(output)
    print("\n" + json.dumps({"code": os.waitstatus_to_exitcode(status), "missing": missing}))


def read(terminal: int, end: float) -> bytes:
    """The next output of the program; nothing once it has ended or the time is up."""
    ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
    if not ready:
        return b""
    try:
        return os.read(terminal, 65536)
    except OSError:  # the last program on the terminal has ended
        return b""


main()
