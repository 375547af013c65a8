"""The apps that `record.py` runs: each crashes in one way."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Program:
    """A package `hello_wave`, and how it is run."""

    files: dict[str, str]
    module: str = "hello_wave.main"
    flags: tuple[str, ...] = ()
    python: str | None = None
    """Another Python than the one that records."""


def main_is(text: str, **how: object) -> Program:
    return Program({"main.py": dedent(text).lstrip()}, **how)  # type: ignore[arg-type]


CALL = """
        import os

        URL = f"http://127.0.0.1:{os.environ['PORT']}"
"""

PROGRAMS: dict[str, Program] = {
    # Modules that cannot be imported.
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
    # Misuse of the SDK.
    "sdk-method": main_is(
        """
        from robot import Robot


        def run(robot):
            robot.get_frame()


        run(Robot.__new__(Robot))
        """
    ),
    "sdk-argument": main_is('from robot import Robot\n\nRobot(media_backend="none")\n'),
    "sdk-fewer-arguments": main_is(
        "from robot import Robot\n\nRobot.__new__(Robot).look_at_world(1.0)\n"
    ),
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
    "old-protocol": main_is(
        """
        from robot.errors import RobotConnectionError

        raise RobotConnectionError(
            "The daemon refused this program: This daemon speaks version 2 of the SDK protocol, "
            "the program version 1. Install the app again."
        )
        """
    ),
    "no-sound-card": main_is(
        'from robot._audio.media import Media\n\nMedia("lite").start_playing()\n'
    ),
    # Resources that are in use or missing.
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
    # Services.
    "unauthorized-requests": main_is(
        CALL
        + """
        import requests


        def ask():
            requests.get(f"{URL}/401/whoami").raise_for_status()


        ask()
        """
    ),
    "unauthorized-httpx": main_is(
        CALL + '        import httpx\n\n        httpx.get(f"{URL}/401/v1").raise_for_status()\n'
    ),
    "forbidden-urllib": main_is(
        CALL
        + '        from urllib.request import urlopen\n\n        urlopen(f"{URL}/403/voices")\n'
    ),
    "unauthorized-model": main_is(
        CALL
        + """
        from openai import OpenAI

        client = OpenAI(api_key="sk-proj-a1b2c3d4e5f6", base_url=f"{URL}/401/v1")
        client.chat.completions.create(model="small", messages=[])
        """
    ),
    "no-key-model": main_is("from openai import OpenAI\n\nclient = OpenAI()\n"),
    "no-key-environment": main_is('import os\n\nkey = os.environ["SPEECH_API_KEY"]\n'),
    # Variables that are not set.
    "no-variable-pop": main_is('import os\n\nroom = os.environ.pop("room")\n'),
    "no-variable-format": main_is(
        'import os\n\nprint("hello {WAVE_TO}".format_map(os.environ))\n'
    ),
    "no-variable-copy": main_is('import os\n\nspoken = dict(os.environ)["SPEECH_API_KEY"]\n'),
    "no-variable-older": main_is(
        'import os\n\nkey = os.environ["SPEECH_API_KEY"]\n', python="python3.10"
    ),
    "no-variable-caused": main_is(
        """
        import os


        def key():
            try:
                return os.environ["SPEECH_API_KEY"]
            except KeyError as error:
                raise RuntimeError("cannot speak") from error


        key()
        """
    ),
    "no-variable-text": main_is(
        'import os\n\nheader = "Bearer " + os.getenv("SPEECH_API_KEY")\n'
    ),
    "no-variable-number": main_is('import os\n\nport = int(os.environ.get("WAVE_PORT"))\n'),
    "no-variable-method": main_is('import os\n\nkey = os.getenv("SPEECH_API_KEY").strip()\n'),
    "no-variable-assert": main_is('import os\n\nassert os.getenv("SPEECH_API_KEY")\n'),
    "no-variable-pretty": main_is(
        """
        import os

        from rich.traceback import install

        install(width=100)
        key = os.environ["SPEECH_API_KEY"]
        """
    ),
    "no-variable-own-words": Program(
        {
            "main.py": "from hello_wave.config import load\n\nload()\n",
            "config.py": dedent(
                """
                import os


                def load():
                    key = os.getenv("OPENAI_API_KEY")
                    if not key:
                        raise RuntimeError("OPENAI_API_KEY is required. Set it in your .env file.")
                """
            ).lstrip(),
        }
    ),
    "no-variable-exit": main_is(
        """
        import sys

        print("Hello wave 1.2")
        print("Error: missing environment variables: WAVE_TO, OPENAI_API_KEY", file=sys.stderr)
        print("See README.md", file=sys.stderr)
        sys.exit(1)
        """
    ),
    "no-variable-logged": main_is(
        """
        import logging
        import sys

        logging.basicConfig(level=logging.INFO)
        logging.info("starting")
        logging.error("ELEVENLABS_API_KEY not set!")
        sys.exit(1)
        """
    ),
    "no-variable-settings": main_is(
        """
        from pydantic_settings import BaseSettings


        class Settings(BaseSettings):
            openai_api_key: str
            wave_to: str


        Settings()
        """
    ),
    "no-variable-decouple": main_is('from decouple import config\n\nconfig("WAVE_TO")\n'),
    "no-variable-environs": main_is('from environs import Env\n\nEnv().str("WAVE_TO")\n'),
    "no-variable-starlette": main_is(
        'from starlette.config import Config\n\nConfig()("WAVE_TO")\n'
    ),
    "no-variable-option": main_is(
        """
        import typer


        def main(key: str = typer.Option(..., envvar="SPEECH_API_KEY")):
            pass


        typer.run(main)
        """
    ),
    "no-key-azure": main_is(
        'from openai import AzureOpenAI\n\nclient = AzureOpenAI(api_version="2026-01-01")\n'
    ),
    "no-key-anthropic": main_is(
        CALL
        + """
        from anthropic import Anthropic

        Anthropic(base_url=URL).messages.create(model="small", max_tokens=1, messages=[])
        """
    ),
    "no-key-genai": main_is("from google import genai\n\nclient = genai.Client()\n"),
    "no-key-generativeai": main_is(
        "import google.generativeai as genai\n\n"
        'genai.GenerativeModel("small").generate_content("hello")\n'
    ),
    "no-key-groq": main_is("from groq import Groq\n\nclient = Groq()\n"),
    "no-key-cohere": main_is("import cohere\n\nclient = cohere.ClientV2()\n"),
    "no-key-deepgram": main_is("from deepgram import DeepgramClient\n\nclient = DeepgramClient()\n"),
    "no-key-assemblyai": main_is("import assemblyai\n\nassemblyai.Transcriber()\n"),
    "no-key-langchain": main_is("from langchain_openai import ChatOpenAI\n\nChatOpenAI()\n"),
    "no-key-polly": main_is(
        'import boto3\n\nboto3.client("polly", region_name="eu-west-1").describe_voices()\n'
    ),
    "no-key-elevenlabs": main_is(
        CALL
        + """
        from elevenlabs.client import ElevenLabs

        list(ElevenLabs(base_url=f"{URL}/461").text_to_speech.convert(voice_id="a", text="b"))
        """
    ),
    "no-token-hub": main_is("from huggingface_hub import whoami\n\nwhoami()\n"),
    "no-token-inference": main_is(
        """
        from huggingface_hub import InferenceClient

        client = InferenceClient(provider="together")
        client.chat_completion(model="ada/small", messages=[])
        """
    ),
    # Names like those of variables, in other places.
    "no-entry-like-variable": main_is(
        'import os\n\nspoken = {}\nkey = os.environ.get("API_KEY") or spoken["OPENAI_API_KEY"]\n'
    ),
    "no-entry-by-variable": main_is(
        """
        import os

        poses = {}
        pose = poses[os.environ["PORT"][:0] + "BOW_POSE"]
        """
    ),
    "no-field-like-variable": main_is(
        """
        from pydantic import BaseModel


        class Voice(BaseModel):
            api_key: str


        Voice()
        """
    ),
    "no-constant-like-variable": main_is("print(OPENAI_API_KEY)\n"),
    "variable-then-other": main_is(
        """
        print("OPENAI_API_KEY is not set, continuing without speech")
        print("WAVE_TO not set, using the default")
        poses = {}
        poses["bow"]
        """
    ),
    "variable-then-words": main_is(
        """
        import sys

        print("OPENAI_API_KEY not set: falling back to the local voice")
        sys.exit("No moves in the folder moves.")
        """
    ),
    "unauthorized-hub": main_is(
        CALL
        + """
        from huggingface_hub import HfApi

        HfApi(endpoint=f"{URL}/401", token="hf_abcdefghijklmnopqrst").whoami()
        """
    ),
    "endpoint-paused": main_is(
        CALL
        + """
        from huggingface_hub import InferenceClient

        InferenceClient(f"{URL}/400", token="hf_abcdefghijklmnopqrst").text_generation("hello")
        """
    ),
    "endpoint-asleep": main_is(
        CALL
        + """
        from openai import OpenAI

        client = OpenAI(api_key="-", base_url=f"{URL}/503/v1", max_retries=0)
        client.chat.completions.create(model="small", messages=[])
        """
    ),
    "bad-gateway": main_is(
        CALL
        + "        import requests\n\n"
        + '        requests.post(f"{URL}/502/generate").raise_for_status()\n'
    ),
    "no-such-host": main_is(
        """
        import requests

        requests.get("https://speech.invalid/v1", timeout=5)
        """
    ),
    "connection-refused": main_is(
        'import requests\n\nrequests.get("http://127.0.0.1:9/v1", timeout=5)\n'
    ),
    "connection-refused-httpx": main_is('import httpx\n\nhttpx.get("http://127.0.0.1:9/v1")\n'),
    "connection-refused-asyncio": main_is(
        """
        import asyncio


        async def run():
            await asyncio.open_connection("127.0.0.1", 9)


        asyncio.run(run())
        """
    ),
    "service-timeout": main_is(
        """
        import socket

        import requests

        silent = socket.create_server(("127.0.0.1", 8711))
        requests.get("http://127.0.0.1:8711/v1", timeout=0.2)
        """
    ),
    # Memory, and what ends a process from outside.
    "memory-array": main_is("import numpy as np\n\nnp.ones((1_000_000, 1_000_000))\n"),
    "memory": main_is("def run():\n    return bytearray(1 << 62)\n\n\nrun()\n"),
    "killed": main_is(
        """
        import os
        import signal

        print("loading the model", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        """
    ),
    "killed-child": main_is(
        """
        import subprocess
        import sys

        child = subprocess.run(["sh", "-c", "kill -9 $$"])
        sys.exit(128 - child.returncode)
        """
    ),
    "terminated": main_is("import os\nimport signal\n\nos.kill(os.getpid(), signal.SIGTERM)\n"),
    "segfault": main_is(
        """
        import ctypes


        def run():
            ctypes.string_at(0)


        run()
        """,
        flags=("-X", "faulthandler"),
    ),
    "segfault-silent": main_is("import ctypes\n\nctypes.string_at(0)\n"),
    "abort": main_is("import os\n\nos.abort()\n"),
    # Its own mistakes.
    "exception": main_is(
        """
        def run():
            poses = {}
            return poses["bow"]


        run()
        """
    ),
    "exception-newest": main_is(
        """
        def run(a, b):
            return (
                a["one"]
                / b["two"]
            )


        run({"one": 1}, {"two": 0})
        """,
        python="python3.13",
    ),
    "in-library": main_is('import json\n\nsettings = json.loads("{")\n'),
    "caused": main_is(
        """
        import socket


        def connect():
            socket.create_connection(("127.0.0.1", 9))


        def run():
            try:
                connect()
            except OSError as error:
                raise RuntimeError("no brain") from error


        run()
        """
    ),
    "handler-slips": main_is(
        """
        def run():
            try:
                import mediapipe
            except ImportError:
                logger.warning("no hands")


        run()
        """
    ),
    "group": main_is(
        """
        import asyncio


        async def see():
            raise MemoryError("frame of 4 GB")


        async def run():
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(see())


        asyncio.run(run())
        """
    ),
    "group-several": main_is(
        """
        def run():
            raise ExceptionGroup("both", [ValueError("first"), KeyError("second")])


        try:
            run()
        except ExceptionGroup as group:
            raise RuntimeError("in the end") from group
        """
    ),
    "thread-after-main": main_is(
        """
        import threading
        import time


        def see():
            time.sleep(0.3)
            import mediapipe


        threading.Thread(target=see).start()
        raise ValueError("no such pose")
        """
    ),
    "thread-then-exit": main_is(
        """
        import sys
        import threading


        def see():
            import mediapipe


        thread = threading.Thread(target=see)
        thread.start()
        thread.join()
        sys.exit(3)
        """
    ),
    "recursion": main_is("def run(n):\n    return run(n + 1)\n\n\nrun(0)\n"),
    "secret": main_is(
        """
        token = "hf_abcdefghijklmnopqrst"


        def run():
            raise ValueError(f"cannot use Bearer {token} with password=swordfish")


        run()
        """
    ),
    "own-words": main_is('import sys\n\nsys.exit("No moves in the folder moves.")\n'),
    "silent": main_is("import sys\n\nsys.exit(4)\n"),
    # Crashes that resemble others.
    "logged-401-then-other": main_is(
        """
        import logging

        logging.basicConfig(level=logging.INFO)
        logging.error("speech: 401 Client Error: Unauthorized for url: https://api.example.com/v1")
        logging.info("going on without speech")
        poses = {}
        poses["bow"]
        """
    ),
    "logged-port-then-other": main_is(
        """
        import sys

        print("ERROR: [Errno 98] error while attempting to bind on address ('0.0.0.0', 8042): "
              "address already in use", file=sys.stderr)
        print("no settings page", file=sys.stderr)
        1 / 0
        """
    ),
    "survived-then-other": main_is(
        """
        import logging

        logging.basicConfig(level=logging.INFO)
        try:
            import mediapipe
        except ImportError:
            logging.exception("no hands")
        logging.info("going on without hands")


        def run():
            raise ValueError("no such pose")


        run()
        """
    ),
    "survived-then-words": main_is(
        """
        import logging
        import sys

        logging.basicConfig(level=logging.INFO)
        try:
            import mediapipe
        except ImportError:
            logging.exception("no hands")
        logging.info("going on without hands")
        sys.exit("No moves in the folder moves.")
        """
    ),
    "survived-then-port": main_is(
        """
        import os
        import traceback

        import fastapi
        import uvicorn

        try:
            import mediapipe
        except ImportError:
            traceback.print_exc()
        uvicorn.run(fastapi.FastAPI(), host="127.0.0.1", port=int(os.environ["PORT"]))
        """
    ),
    "logged-then-exit": main_is(
        """
        import logging
        import sys

        logging.basicConfig(level=logging.INFO)
        try:
            import mediapipe
        except ImportError:
            logging.exception("failed")
        logging.info("shutting down")
        sys.exit(1)
        """
    ),
    "failed-lifespan": main_is(
        """
        from contextlib import asynccontextmanager

        import fastapi
        import uvicorn


        @asynccontextmanager
        async def lifespan(app):
            import mediapipe

            yield


        uvicorn.run(fastapi.FastAPI(lifespan=lifespan), host="127.0.0.1", port=0)
        """
    ),
}
