"""Prints one line of JSON with the facts that the daemon needs about a Python interpreter."""

import importlib.util
import json
import os
import platform
import sys
import sysconfig

# Resolves a virtual environment's interpreter, or a version manager's shim, to the real interpreter.
executable = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
# Few packages are built for these, while a small board's system may be 32-bit as a whole.
is_32_bit_on_64 = sys.platform == "win32" and sys.maxsize < 2**32 and platform.machine().endswith("64")
print(
    json.dumps(
        {
            "executable": executable,
            "version": "%d.%d.%d" % sys.version_info[:3],
            "isFinal": sys.version_info[3] == "final",
            # Packages are built for this kind; other kinds would have to compile them.
            "isUsual": sys.implementation.name == "cpython"
            and not sysconfig.get_config_var("Py_GIL_DISABLED")
            and not is_32_bit_on_64,
            "standardModules": sorted(getattr(sys, "stdlib_module_names", ())),
            "hasVenv": importlib.util.find_spec("venv") is not None,
            "hasEnsurepip": importlib.util.find_spec("ensurepip") is not None,
        }
    )
)
