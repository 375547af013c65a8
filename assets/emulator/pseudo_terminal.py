"""
A serial port that is none: opens a pseudo-terminal, says on standard error where others open it, as one line of JSON,
and copies bytes between it and standard input and output until standard input closes. Standard library only.
"""

import json
import os
import select
import sys
import tty

STDIN, STDOUT = 0, 1
READ_BYTES = 4096
# What waits for a reader, each way.
KEPT_BYTES = 64 * 1024


def main() -> None:
    # The slave stays open here, so that the terminal outlives those who open and close it.
    master, slave = os.openpty()
    tty.setraw(slave)
    for descriptor in (STDIN, STDOUT, master):
        os.set_blocking(descriptor, False)
    print(json.dumps({"path": os.ttyname(slave)}), file=sys.stderr, flush=True)
    copy(master)


def copy(master: int) -> None:
    to_port = bytearray()
    from_port = bytearray()
    while True:
        readers = [STDIN]
        if len(from_port) < KEPT_BYTES:
            readers.append(master)  # else whoever writes to the port has to wait
        writers = [descriptor for descriptor, kept in ((master, to_port), (STDOUT, from_port)) if kept]
        readable, writable, _ = select.select(readers, writers, [])
        if STDIN in readable:
            chunk = os.read(STDIN, READ_BYTES)
            if not chunk:
                return
            to_port += chunk
            send(master, to_port)
            # Read on although nobody takes it: the end of standard input must be seen. A line would have lost it too.
            del to_port[:-KEPT_BYTES]
        elif master in writable:
            send(master, to_port)
        if master in readable:
            from_port += os.read(master, READ_BYTES)
            send(STDOUT, from_port)
        elif STDOUT in writable:
            send(STDOUT, from_port)


def send(descriptor: int, kept: bytearray) -> None:
    """Writes what can be written at once, and leaves the rest."""
    try:
        del kept[: os.write(descriptor, kept)]
    except BlockingIOError:
        pass


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # whoever started it is gone, or going
