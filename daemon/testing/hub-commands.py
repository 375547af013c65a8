"""Runs commands of the hub's stock client one after the other, unchanged except for the service's address.

Arguments: the daemon's address, the catalog's path there, and two files. The first has a JSON array of command lines,
each an array of words without the `hf`. The second is written: a JSON array of {"code", "output"}, with both streams
in `output`. `wait` with an endpoint's name and a state is no command of the client: it waits until the endpoint is in
the state. One process runs all commands, because its start takes a second.
"""

import contextlib
import io
import json
import sys
import time
from pathlib import Path

from huggingface_hub import constants

base, catalog_path, commands_file, results_file = sys.argv[1:]
constants.INFERENCE_CATALOG_ENDPOINT = base + catalog_path
constants.INFERENCE_ENDPOINTS_ENDPOINT = base + "/v2"

from huggingface_hub import HfApi  # noqa: E402  (these read the constants above)
from huggingface_hub.cli.hf import main  # noqa: E402


def wait(name, state):
    if state == "running":
        HfApi().get_inference_endpoint(name).wait(timeout=90, refresh_every=0.1)
        return {"code": 0, "output": ""}
    deadline = time.monotonic() + 30
    while HfApi().get_inference_endpoint(name).status != state:
        if time.monotonic() > deadline:
            return {"code": 1, "output": f"{name} is not {state}"}
        time.sleep(0.05)
    return {"code": 0, "output": ""}


def run(words):
    if words[0] == "wait":
        return wait(*words[1:])
    sys.argv = ["hf", *words]
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
    return {"code": code, "output": output.getvalue()}


results = [run(words) for words in json.loads(Path(commands_file).read_text())]
Path(results_file).write_text(json.dumps(results))
