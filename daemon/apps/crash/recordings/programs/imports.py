"""Modules that cannot be imported, misuse of the SDK, and mistakes of syntax."""

from __future__ import annotations

from .program import Program, main_is

IMPORTS: dict[str, Program] = {
    "missing-module": main_is("import os\nimport mediapipe\n"),
    "missing-own-module": main_is("from hello_wave.moves import dance\n"),
    "missing-main": Program({}, module="hello_wave"),
    "missing-stdlib": main_is("import distutils.util\n", python="python3.12"),
    "sdk-module": main_is("from robot.motion.recorded_move import RecordedMoves\n"),
    "sdk-name": main_is("from robot import RobotApp, Recorder\n"),
    "sdk-attribute": main_is("import robot\n\nrobot.discover()\n"),
    "circular-import": Program(
        {
            "main.py": "from hello_wave.moves import dance\n",
            "moves.py": "from hello_wave.poses import bow\n\ndance = [bow]\n",
            "poses.py": "from hello_wave.moves import dance\n\nbow = dance\n",
        }
    ),
    "other-library-version": main_is("from numpy import float_sums\n"),
    "shared-library": main_is("import sounddevice\n"),
    "syntax-error": main_is("def run(:\n    pass\n"),
    "syntax-error-deeper": Program(
        {"main.py": "from hello_wave.moves import dance\n", "moves.py": "dance = [\n"}
    ),
    "newer-syntax": main_is(
        """
        def run(word):
            match word:
                case "wave":
                    return 1
        """,
        python="python3.9",
    ),
    "newer-text": main_is("words = {}\nprint(f\"{words[\"hello\"]}\")\n"),
    "newer-stdlib": main_is("from typing import override\n"),
    "sdk-method": main_is(
        """
        from robot import Robot


        def run(robot):
            robot.get_frame()


        run(Robot.__new__(Robot))
        """
    ),
    "sdk-argument": main_is('from robot import Robot\n\nRobot(camera="front")\n'),
    "sdk-fewer-arguments": main_is(
        "from robot import Robot\n\nRobot.__new__(Robot).look_at_world(1.0)\n"
    ),
    "old-protocol": main_is(
        """
        from robot.errors import RobotConnectionError

        raise RobotConnectionError(
            "The daemon refused this program: This daemon speaks version 2 of the SDK protocol, "
            "the program version 1. Install the app again."
        )
        """
    ),
}
