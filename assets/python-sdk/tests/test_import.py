"""The cost of imports. Times are printed (pytest -s), not asserted, because machines differ."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import robot
from conftest import NewPeer
from programs import environment

MEASURE = """
import sys, time
before = set(sys.modules)
started = time.perf_counter()
{statement}
took_ms = (time.perf_counter() - started) * 1000
print(took_ms, *(set(sys.modules) - before))
"""


def run(statement: str) -> tuple[float, set[str]]:
    program = MEASURE.format(statement=statement)
    out = subprocess.check_output(
        [sys.executable, "-c", program], env=environment("http://127.0.0.1:9"), text=True
    )
    took_ms, *modules = out.split()
    return float(took_ms), set(modules)


def test_importing_loads_no_socket_numpy_sound_or_web_server() -> None:
    for statement in ("import robot", "from robot import Robot, RobotApp, create_head_pose"):
        runs = [run(statement) for _ in range(3)]
        print(f"\n{statement}: {statistics.median(took for took, _ in runs):.1f} ms")
        heavy = {"socket", "ssl", "asyncio", "json", "logging", "numpy", "fastapi", "uvicorn"}
        sound = {"robot._audio", "wave", "array", "miniaudio"}
        camera = {"robot.media", "robot._camera", "robot.vision", "cv2"}
        assert not (heavy | sound | camera) & runs[0][1]


def test_importing_the_choice_of_media_loads_no_numpy_and_no_camera() -> None:
    for statement in (
        "from robot.media.media_manager import MediaBackend, MediaManager",
        "from robot.media.scene import TARGETS",
        "from robot.vision.look_at import look_at_image_pose",
    ):
        took_ms, modules = run(statement)
        print(f"\n{statement}: {took_ms:.1f} ms")
        assert not {"numpy", "cv2", "logging", "socket", "robot._camera.renderer"} & modules


def test_importing_the_build_backend_loads_nothing_heavy() -> None:
    took_ms, modules = run("import robot.build")
    print(f"\nimport robot.build: {took_ms:.1f} ms")
    assert not {"socket", "zipfile", "tarfile", "hashlib", "robot._daemon.link"} & modules


def test_the_modules_are_attributes_without_an_import_of_their_own() -> None:
    statement = """import robot
assert robot.utils.create_head_pose is robot.create_head_pose
assert robot.robot.Robot is robot.Robot
assert robot.errors.RobotError is robot.RobotError
assert robot.apps.__name__ == "robot.apps"
assert robot.motion.recorded_move.RecordedMoves
assert issubclass(robot.motion.goto.GotoMove, robot.motion.move.Move)
assert not hasattr(robot.motion, "dance")
"""
    run(statement)


def test_every_public_name_exists_and_others_raise_an_attribute_error() -> None:
    import robot

    assert [name for name in robot.__all__ if getattr(robot, name) is None] == []
    assert set(robot.__all__) <= set(dir(robot))
    assert not hasattr(robot, "Robbot")


def test_the_endpoints_have_one_public_module() -> None:
    from robot import endpoints

    names = ["DEFAULT_TIMEOUT_S", "Endpoint", "EndpointError", "EndpointMissing", "Endpoints"]
    assert [name for name in names if not hasattr(endpoints, name)] == []
    # The name in tracebacks, by which the daemon knows why an app crashed.
    assert endpoints.EndpointError.__module__ == "robot.endpoints"
    assert endpoints.EndpointMissing.__module__ == "robot.endpoints"


APP = """
import sys
before = set(sys.modules)
from robot import RobotApp

class App(RobotApp):
    def run(self, robot, stop_event):
        print(*(set(sys.modules) - before))

App().wrapped_run()
"""


def test_an_app_reaches_its_run_without_modules_that_take_milliseconds(new_peer: NewPeer) -> None:
    peer = new_peer()
    out = subprocess.check_output(
        [sys.executable, "-c", APP], env=environment(peer.url), text=True, timeout=60
    )
    slow = {"typing", "urllib.parse", "ipaddress", "hashlib", "secrets", "random", "base64"}
    assert not (slow | {"encodings.idna", "logging", "numpy"}) & set(out.split())


def test_no_modules_import_each_other() -> None:
    """Imports for type checkers count, and those within functions."""
    package = Path(robot.__file__).parent
    files = {_module_name(path, package): path for path in package.rglob("*.py")}
    files.pop("robot")  # It names what it offers, and every module may import from it.
    imports = {module: _imported(path, files.keys() - {module}) for module, path in files.items()}
    assert sum(map(len, imports.values())) > 150
    TopologicalSorter(imports).prepare()  # raises CycleError, with the modules of a circle


def _module_name(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _imported(path: Path, modules: set[str]) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names & modules or {node.module}
    return found & modules
