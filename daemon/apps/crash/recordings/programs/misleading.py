"""Output that suggests another cause than the real one."""

from __future__ import annotations

from .program import Program, main_is

MISLEADING: dict[str, Program] = {
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
