"""Records what crashing apps write, for the test beside this folder. Run by hand.

It wants a Python 3.11 with anthropic, assemblyai, boto3, cohere, deepgram-sdk, elevenlabs, environs,
fastapi, google-genai, google-generativeai, groq, httpx, huggingface_hub, langchain-openai,
miniaudio, openai, opencv-python-headless, pydantic-settings, python-decouple, requests, rich,
sounddevice, starlette, typer and uvicorn, on a computer without camera and sound
card, and the Pythons that single programs name on the PATH. With names of recordings it makes only
those. Paths, addresses in memory and ports are made neutral; nothing else is changed. Recordings
with another first line were written by hand, for want of the hardware or of the other system.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO

from programs import PROGRAMS, Program

HERE = Path(__file__).parent
SDK = HERE.parents[3] / "assets" / "python-sdk" / "robot"
NEUTRAL_SITE = "/home/ada/apps/hello_wave/lib/python3.11/site-packages"
NEUTRAL_PORT = "8700"
LAST_LINES = 200


class Service(BaseHTTPRequestHandler):
    """Answers `/<status>/...` with that status, and with what a real service says with it."""

    BODIES = {
        # A code of its own for the 401 of one speech service.
        461: '{"detail":{"status":"needs_authorization","message":'
        '"Neither authorization header nor xi-api-key received, please provide one."}}',
        401: '{"error":{"message":"Incorrect API key provided: sk-proj-a1b2c3d4e5f6.","code":401}}',
        400: '{"error":"Bad Request: Endpoint is paused, ask a maintainer to restart it"}',
        503: '{"error":"503 Service Unavailable: the model is scaled to zero"}',
    }

    def do_GET(self) -> None:
        status = int(self.path.split("/")[1])
        body = self.BODIES.get(status, "{}").encode()
        self.send_response(401 if status == 461 else status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        pass


def run(program: Program, folder: Path, port: int) -> tuple[int, list[tuple[int, str]]]:
    """The exit status, as `subprocess` gives it, and the lines, each with its stream."""
    site = folder / "lib" / "python3.11" / "site-packages"
    package = site / "hello_wave"
    package.mkdir(parents=True)
    shutil.copytree(SDK, site / "robot", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in {"__init__.py": "", **program.files}.items():
        (package / name).write_text(text, encoding="utf-8")
    child = subprocess.Popen(
        [program.python or sys.executable, *program.flags, "-m", program.module],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PYTHONPATH": str(site),
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PORT": str(port),
        },
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    lines: list[tuple[int, str]] = []

    def read(stream: int, pipe: IO[str]) -> None:
        lines.extend((stream, text.rstrip("\n")) for text in pipe)

    readers = [
        threading.Thread(target=read, args=(1, child.stdout)),
        threading.Thread(target=read, args=(2, child.stderr)),
    ]
    for reader in readers:
        reader.start()
    status = child.wait(60)
    for reader in readers:
        reader.join()
    return status, lines[-LAST_LINES:]


def neutral(text: str, folder: Path, port: int) -> str:
    """The text without what is only so on this computer."""
    text = text.replace(str(folder / "lib" / "python3.11" / "site-packages"), NEUTRAL_SITE)
    text = text.replace(sysconfig.get_path("purelib"), NEUTRAL_SITE)
    text = text.replace(sys.executable, "/home/ada/apps/hello_wave/bin/python")
    text = text.replace(str(folder), "/home/ada/apps/hello_wave")
    if NEUTRAL_SITE not in text:
        text = re.sub(r"/[\w./-]*/lib/python3", "/usr/lib/python3", text)
    text = re.sub(r"/[\w./-]*/bin/python[\d.]*", "/home/ada/apps/hello_wave/bin/python", text)
    text = re.sub(r"0x[0-9a-f]{8,}", "0x00007f0000000000", text)
    return re.sub(rf"\b{port}\b", NEUTRAL_PORT, text)


def main() -> None:
    service = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    port = service.server_address[1]
    for name, program in PROGRAMS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as made:
            status, lines = run(program, Path(made), port)
            how = f"exit {status}" if status >= 0 else f"signal {-status}"
            text = [f"# Recorded by record.py: {how}"]
            text += [f"{stream}|{neutral(line, Path(made), port)}" for stream, line in lines]
        (HERE / f"{name}.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
        print(name, how, len(lines))
    service.shutdown()


if __name__ == "__main__":
    main()
