"""Tells, as one line of JSON, what the daemon must know of a Python interpreter before it uses it."""

import importlib.util
import json
import os
import sys

# A virtual environment's interpreter, or a version manager's shim, leads to the one that it stands for.
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
