"""The program's own exceptions, and its own words."""

from __future__ import annotations

from .program import Program, main_is

EXCEPTIONS: dict[str, Program] = {
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
}
