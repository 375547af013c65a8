"""A robot, a sound card, a camera, a port or a disk that cannot be used."""

from __future__ import annotations

from .program import Program, main_is

RESOURCES: dict[str, Program] = {
    "no-daemon": main_is('from robot import Robot\n\nRobot("http://127.0.0.1:9")\n'),
    "daemon-lost": main_is(
        """
        from robot.errors import RobotConnectionError


        def run():
            raise RobotConnectionError(
                "The connection to the daemon at http://127.0.0.1:8000 was lost: timed out. "
                "The daemon may have been stopped or restarted. "
                "Start it, then start this program again."
            )


        run()
        """
    ),
    "robot-unplugged": main_is(
        """
        from robot.errors import error_for


        def run():
            raise error_for("robot-unavailable", "No robot on USB. Check the cable and the power.")


        run()
        """
    ),
    "slot-taken": main_is(
        "from robot.errors import error_for\n\n"
        'raise error_for("slot-taken", "dance has the robot.")\n'
    ),
    "no-sound-card": main_is(
        'from robot._audio.audio import Audio\n\nAudio("lite").start_playing()\n'
    ),
    "port-in-use": main_is(
        """
        import os
        import socket

        listener = socket.socket()
        listener.bind(("127.0.0.1", int(os.environ["PORT"])))
        """
    ),
    "port-in-use-server": main_is(
        """
        import os

        import fastapi
        import uvicorn

        uvicorn.run(fastapi.FastAPI(), host="127.0.0.1", port=int(os.environ["PORT"]))
        """
    ),
    "no-camera": main_is(
        """
        import cv2

        camera = cv2.VideoCapture(0)
        _, frame = camera.read()
        grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        """
    ),
    "no-camera-own-words": main_is(
        """
        import cv2

        camera = cv2.VideoCapture(0)
        if not camera.isOpened():
            raise RuntimeError("Could not open camera 0")
        """
    ),
    "disk-full": main_is(
        """
        with open("/dev/full", "w") as file:
            file.write("x" * 100_000)
        """
    ),
}
