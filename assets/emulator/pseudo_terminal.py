"""
An emulated serial port: opens a pseudo-terminal, prints its path on standard error as one line of JSON, and copies
bytes between it and standard input and output until standard input closes. Standard library only.
"""

import json
import os
import select
import sys
import tty

STDIN, STDOUT = 0, 1
READ_BYTES = 4096
# The buffer in each direction.
BUFFER_BYTES = 64 * 1024


def main() -> None:
    # The slave stays open here, so that the terminal survives when programs close it.
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
        if len(from_port) < BUFFER_BYTES:
            readers.append(master)  # else writers to the port must wait
        writers = [descriptor for descriptor, waiting in ((master, to_port), (STDOUT, from_port)) if waiting]
        readable, writable, _ = select.select(readers, writers, [])
        if STDIN in readable:
            chunk = os.read(STDIN, READ_BYTES)
            if not chunk:
                return
            to_port += chunk
            send(master, to_port)
            # Keeps reading without a reader, to notice the end of standard input. A real line would drop bytes too.
            del to_port[:-BUFFER_BYTES]
        elif master in writable:
            send(master, to_port)
        if master in readable:
            from_port += os.read(master, READ_BYTES)
            send(STDOUT, from_port)
        elif STDOUT in writable:
            send(STDOUT, from_port)


def send(descriptor: int, waiting: bytearray) -> None:
    """Writes as many bytes as possible without blocking, and keeps the others."""
    try:
        del waiting[: os.write(descriptor, waiting)]
    except BlockingIOError:
        pass


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # the parent has ended or is ending
