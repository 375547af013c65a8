"""A worker that is not a daemon: Python waits for it at exit, so a SIGINT to the parent alone never ends the app."""

import multiprocessing
import threading
import time

from robot import Robot, RobotApp


def work() -> None:
    print("worker\n", end="", flush=True)  # one write: two processes share the pipe
    time.sleep(600)


class Multiprocesses(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        multiprocessing.Process(target=work).start()
        print("ready\n", end="", flush=True)
        stop_event.wait()


if __name__ == "__main__":
    app = Multiprocesses()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
