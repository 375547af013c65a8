"""Memory that runs out, and signals that end the process."""

from __future__ import annotations

from .program import Program, main_is

ENDINGS: dict[str, Program] = {
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
}
