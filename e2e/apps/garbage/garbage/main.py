"""Writes invalid UTF-8, colour codes and a line without an end."""

import sys
import threading

from robot import Robot, RobotApp


class Garbage(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        sys.stdout.buffer.write(b"\xff\xfe\x00 not text\n\x1b[31mred\x1b[0m\n")
        sys.stderr.buffer.write(b"no line feed \xc3")
        sys.stdout.buffer.flush()
        sys.stderr.buffer.flush()
        stop_event.wait()


if __name__ == "__main__":
    app = Garbage()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
