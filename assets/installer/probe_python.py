"""Prints one line of JSON with the facts that the daemon needs about a Python interpreter."""

import importlib.util
import json
import os
import sys

# Resolves a virtual environment's interpreter, or a version manager's shim, to the real interpreter.
executable = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
print(
    json.dumps(
        {
            "executable": executable,
            "version": "%d.%d.%d" % sys.version_info[:3],
            "standardModules": sorted(getattr(sys, "stdlib_module_names", ())),
            "hasVenv": importlib.util.find_spec("venv") is not None,
            "hasEnsurepip": importlib.util.find_spec("ensurepip") is not None,
        }
    )
)
