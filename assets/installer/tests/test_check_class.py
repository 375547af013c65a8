"""`check_class` with the ways in which an app can define its class, each compared with the import check."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

INSTALLER = Path(__file__).parents[1]
PROGRAM = INSTALLER / "check_class"
ASSETS = INSTALLER.parent
NO_APP = "App in my_app.main is not a subclass of robot.RobotApp"
NO_CLASS = "my_app.main has no class App, which the entry point names"


def load_checker() -> ModuleType:
    spec = spec_from_file_location("check_class", PROGRAM / "__main__.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PROGRAM)  # like when the folder is run
        spec.loader.exec_module(module)
    return module


checker = load_checker()


def write_package(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in {"__init__.py": "", **files}.items():
        path = folder / "my_app" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else textwrap.dedent(content).encode())


def check(folder: Path, module: str = "my_app.main") -> str | None:
    problem: str | None = checker.read(str(folder), module, "App")[0]
    return problem


def check_by_import(folder: Path, *places: Path) -> str | None:
    """The problem that the install would find after it has built the environment; None also when the import fails."""
    result = folder / "import.json"
    subprocess.run(
        [sys.executable, "-B", INSTALLER / "import_check.py", "my_app.main", "App", result],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ASSETS / "python-sdk", *places)))},
        capture_output=True,
        timeout=30,
        check=False,
    )
    if not result.exists():
        return None
    problem: str | None = json.loads(result.read_text(encoding="utf-8"))["problem"]
    return problem


def run_program(folder: Path, result: Path, program: Path = PROGRAM) -> str | None:
    """Runs the program like the daemon does."""
    ended = subprocess.run(
        [sys.executable, "-I", "-B", program, folder, "my_app.main", "App", result],
        capture_output=True,
        cwd=folder,
        timeout=30,
        check=True,
    )
    assert (ended.stdout, ended.stderr) == (b"", b"")
    found: dict[str, str | None] = json.loads(result.read_text(encoding="utf-8"))
    assert list(found) == ["problem", "customAppUrl"]
    return found["problem"]


APP = """
class App(RobotApp):
    settings_app = None
    def run(self, robot, stop_event): pass
    def wrapped_run(self, *args, **kwargs): super().wrapped_run(*args, **kwargs)
"""

# Certainly no app: the install is refused before anything is fetched.
REFUSED: dict[str, tuple[str, str]] = {
    "no base": ("class App: pass", NO_APP),
    "object": ("class App(object): pass", NO_APP),
    "a class of the standard library": ("import threading\nclass App(threading.Thread): pass", NO_APP),
    "an abstract class": ("from abc import ABC\nclass App(ABC): pass", NO_APP),
    "several": ("import enum\nfrom json import JSONDecoder as D\nclass App(D, enum.Enum): pass", NO_APP),
    "a builtin": ("class App(Exception): pass", NO_APP),
    "the robot": ("from robot import Robot\nclass App(Robot): pass", NO_APP),
    "a class of its own": ("class Base: pass\nclass App(Base): pass", NO_APP),
    "an alias": ("class Base: pass\nOther = Base\nApp = Other", NO_APP),
    "a function": ("def App(): return 1", NO_APP),
    "a coroutine": ("async def App(): return 1", NO_APP),
    "a number": ("App = 5", NO_APP),
    "a text": ("App = f'x'", NO_APP),
    "a lambda": ("App = lambda: 1", NO_APP),
    "bound again": (f"from robot import RobotApp\n{APP}\nclass App: pass", NO_APP),
    "another name": (f"from robot import RobotApp\n{APP.replace('App(', 'Other(')}", NO_CLASS),
    "nothing": ("", NO_CLASS),
    "annotated only": ("App: type", NO_CLASS),
    "in a function": ("from robot import RobotApp\ndef make():\n    class App(RobotApp): pass", NO_CLASS),
    "in a class": ("from robot import RobotApp\nclass Other:\n    class App(RobotApp): pass", NO_CLASS),
    "usual code": (
        "import atexit, torch\natexit.register(print)\nclass App:\n"
        "    def __init__(self, **more):\n        self.model.eval()\n        setattr(self, 'a', 1)\n"
        "        self.name = self.__class__.__name__\n        for name in self.__dict__: print(name)\n",
        NO_APP,
    ),
    "generics": ("from typing import Protocol\nclass App(Protocol): pass", NO_APP),
}

# An app, or only the import can tell.
ACCEPTED: dict[str, str] = {
    "from robot": f"from robot import RobotApp\n{APP}",
    "an attribute of robot": f"import robot\n{APP.replace('RobotApp', 'robot.RobotApp')}",
    "robot by another name": f"import robot as r\n{APP.replace('RobotApp', 'r.RobotApp')}",
    "RobotApp by another name": f"from robot import RobotApp as Base\n{APP.replace('RobotApp', 'Base')}",
    "its own module": f"from robot.apps.app import RobotApp\n{APP}",
    "an assigned name": f"import robot\nBase = robot.RobotApp\n{APP.replace('RobotApp', 'Base')}",
    "None": "App: object = None",
    "a star import": f"from robot import *\n{APP}",
    "a star import of another module": "from .base import *",
    "a star import after it": "class App: pass\nfrom .base import *",
    "a base in another module": "from .base import Base\nclass App(Base): pass",
    "a base in an absolute module": "import my_app.base\nclass App(my_app.base.Base): pass",
    "imported": "from .base import App",
    "a second base": "from robot import RobotApp\nclass App(list, RobotApp):\n    def run(self, r, s): pass",
    "a base in a branch": "try:\n    from robot import RobotApp as B\nexcept ImportError:\n    B = object\nclass App(B):\n"
    "    def run(self, r, s): pass",
    "in a branch": "from .base import Base\nif True:\n    class App(Base): pass\nelse:\n    class App: pass",
    "after a branch": "class App: pass\nif True:\n    from .base import Base as App",
    "made by a call": "from .base import Base\nApp = type('App', (Base,), {})",
    "replaced by a call": "from .base import Base\nclass App: pass\nApp = (lambda _: Base)(App)",
    "a base made by a call": "from .base import Base\ndef base(): return Base\nclass App(base()): pass",
    "an element": "from .base import Base\nApp = [Base][0]",
    "unpacked": "from .base import Base\nApp, other = Base, 1",
    "a loop": "from .base import Base\nfor App in [Base]: pass",
    "a with block": "from contextlib import nullcontext\nfrom .base import Base\nwith nullcontext(Base) as App: pass",
    "a walrus": "from .base import Base\nprint(App := Base)",
    "a walrus in a decorator": "from .base import Base\n@(lambda f: (App := f))\ndef x(): pass\nApp = (App := Base)",
    "a walrus among bases": "from .base import Base\nclass App: pass\nclass X((App := Base)): pass",
    "a decorator": "from .base import Base\ndef to_app(_): return Base\n@to_app\nclass App: pass",
    "a decorated function": "from .base import Base\ndef to_app(_): return Base\n@to_app\ndef App(): pass",
    "a metaclass": "from .base import Base\nclass M(type):\n    def __new__(m, n, b, d): return Base\nclass App(metaclass=M): pass",
    "registered": "from robot import RobotApp\nclass App:\n    def run(self): pass\nRobotApp.register(App)",
    "registered by its class": "from .base import Base\nclass App: pass\nBase.register(App)",
    "bases of an object": "from .base import Base\nclass O:\n    def __mro_entries__(self, bases): return (Base,)\nclass App(O()): pass",
    "bases of a named object": "from .base import Base\nclass O:\n    def __mro_entries__(self, bases): return (Base,)\n"
    "o = O()\nclass App(o): pass",
    "new bases": "from .base import Base\nclass Old: pass\nclass App(Old): pass\nApp.__bases__ = (Base,)",
    "new bases by name": "from .base import Base\nclass Old: pass\nclass App(Old): pass\nsetattr(App, '__bases__', (Base,))",
    "set by a function": "from .base import Base\nApp = None\ndef make():\n    global App\n    App = Base\nmake()",
    "set by globals": "from .base import Base\nclass App: pass\nglobals()['App'] = Base",
    "set by exec": "class App: pass\nexec('from my_app.base import Base as App')",
    "set by vars": "import sys\nfrom .base import Base\nvars(sys.modules[__name__])['App'] = Base",
    "set by the module": "import sys\nfrom .base import Base\nclass App: pass\nsetattr(sys.modules[__name__], 'App', Base)",
    "set in the module": "import my_app.main as me\nfrom .base import Base\nclass App: pass\nme.App = Base",
    "set by another module": "class App: pass\nfrom . import setter",
    "on demand": "def __getattr__(name):\n    from .base import Base\n    return Base",
    "replaced module": "import sys\nfrom .base import Base\nclass N: App = Base\nsys.modules[__name__] = N",
    "a changed library": "import threading\nfrom .base import Base\nthreading.Thread = Base\nclass App(threading.Thread): pass",
    "a module of its own, named like a library": "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\n"
    "from wave import Base\nclass App(Base): pass",
    "changed builtins": "import builtins\nfrom .base import Base\nbuiltins.Exception = Base\nclass App(Exception): pass",
    "deleted": "class App: pass\nfrom .base import Base\ndel App\nApp = Base if True else None",
    "a package that is not here": "from other_package import Base\nclass App(Base): pass",
    "broken": "class App(",
    "itself": "class App(App): pass",
    "a chain without an end": "A = B\nB = A\nclass App(A): pass",
    "too many steps": "class A0: pass\n" + "".join(f"class A{n + 1}(A{n}): pass\n" for n in range(300)) + "App = A300",
}
BESIDE: dict[str, str | bytes] = {
    "base.py": """
        from robot import RobotApp

        class Base(RobotApp):
            def run(self, robot, stop_event): pass

        App = Base
    """,
    "wave.py": "from my_app.base import Base",
}
# Beside one case only: code like this leaves every class of the package to the import.
SETTER = """
    import sys
    from .base import Base
    main = sys.modules["my_app.main"]
    main.App = Base
"""


@pytest.mark.parametrize(("source", "problem"), REFUSED.values(), ids=REFUSED)
def test_a_class_that_is_certainly_no_app_is_named(source: str, problem: str, tmp_path: Path) -> None:
    write_package(tmp_path, {"main.py": source})
    (tmp_path / "stand-ins").mkdir()
    (tmp_path / "stand-ins" / "torch.py").touch()
    assert check(tmp_path) == problem
    assert check_by_import(tmp_path, tmp_path, tmp_path / "stand-ins") == problem


@pytest.mark.parametrize("source", ACCEPTED.values(), ids=ACCEPTED)
def test_a_class_that_may_be_an_app_is_left_to_the_import(source: str, tmp_path: Path) -> None:
    setter = {"setter.py": SETTER} if "setter" in source else {}
    write_package(tmp_path, {**BESIDE, **setter, "main.py": source})
    assert check(tmp_path) is None
    check_by_import(tmp_path, tmp_path)


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": "[tool.setuptools.package-dir]\n'' = 'lib'"},
        {"pyproject.toml": "[build-system]\nbackend-path = ['.']"},
        {"pyproject.toml": "[tool.hatch.build.hooks.custom]"},
        {"setup.py": "setup(cmdclass={})"},
        {"setup.cfg": "[options]\npackage_dir ="},
        {"src/my_app/main.py": "class App: pass"},
        {"robot/__init__.py": ""},
        {"my_app/main.cpython-311-x86_64-linux-gnu.so": ""},
    ],
)
def test_a_build_that_may_install_other_code_is_left_to_it(files: dict[str, str], tmp_path: Path) -> None:
    write_package(tmp_path, {"main.py": "from robot import Robot\nclass App(Robot): pass"})
    assert check(tmp_path) == NO_APP
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert check(tmp_path) is None


def test_packages_are_found_in_the_folder_or_in_src(tmp_path: Path) -> None:
    write_package(tmp_path / "src", {"main.py": "class App: pass"})
    assert check(tmp_path) == NO_APP
    (tmp_path / "single.py").write_text("class App: pass")
    assert check(tmp_path, "single") == "App in single is not a subclass of robot.RobotApp"
    (tmp_path / "src" / "my_app" / "__init__.py").write_text("from .main import App")
    assert check(tmp_path, "my_app") == "App in my_app is not a subclass of robot.RobotApp"
    (tmp_path / "src" / "my_app" / "__init__.py").write_text("")
    assert check(tmp_path, "my_app") == "my_app has no class App, which the entry point names"


@pytest.mark.parametrize("module", ["", ".", "..", "my_app.", "my_app..main", "../my_app.main", "my_app.nothing"])
def test_a_missing_module_is_unknown(module: str, tmp_path: Path) -> None:
    write_package(tmp_path, {"main.py": "class App: pass"})
    assert check(tmp_path, module) is None
    assert check(tmp_path / "nowhere") is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets only administrators make links")
def test_links_are_followed_within_the_package_only(tmp_path: Path) -> None:
    package = tmp_path / "app"
    no_base = "class Base: pass"
    write_package(package, {"main.py": "from .bases import Base\nclass App(Base): pass", "real.py": no_base})
    link = package / "my_app" / "bases.py"
    link.symlink_to("real.py")
    assert check(package) == NO_APP
    (tmp_path / "outside.py").write_text(no_base)
    (package / "beside.py").write_text(no_base)
    for target in (tmp_path / "outside.py", package / "beside.py", tmp_path / "nowhere.py", link):
        link.unlink()
        link.symlink_to(target)
        assert check(package) is None
    # The folder may be reached through a link; the package in it must not be a link.
    (tmp_path / "link").symlink_to(package)
    link.unlink()
    link.write_text(no_base)
    assert check(tmp_path / "link") == NO_APP
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "my_app").symlink_to(package / "my_app")
    assert check(tmp_path / "other") is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_special_file_is_not_read(tmp_path: Path) -> None:
    write_package(tmp_path, {"main.py": "class App: pass"})
    os.mkfifo(tmp_path / "my_app" / "pipe.py")
    found: list[str | None] = []
    reader = threading.Thread(target=lambda: found.append(check(tmp_path)), daemon=True)
    reader.start()
    reader.join(60)  # opening the pipe would wait for ever
    assert found == [None]


@pytest.mark.torture
@pytest.mark.parametrize("line", ["x = 1", "from os import path"])
def test_pathological_sources_end_soon(line: str, tmp_path: Path) -> None:
    source = f"{line}\n" * (900_000 // (len(line) + 1)) + "class App: pass\n"
    write_package(tmp_path, {"main.py": source})
    began_s = time.process_time()
    ast.parse(source)
    parsed_s = time.process_time()
    assert check(tmp_path) == NO_APP
    # CPU time, which other programs do not lengthen: two to four times that of parsing.
    assert time.process_time() - parsed_s < 10 * (parsed_s - began_s)


def test_the_program_runs_no_code_of_the_app_and_leaves_no_files(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    ran = tmp_path / "ran"
    run_it = f"open({str(ran)!r}, 'w')\n"
    write_package(folder, {"__init__.py": run_it, "main.py": f"{run_it}class App:\n    d = '\\d'\n"})
    # Modules that a program in the same folder would import.
    for name in ("ast", "json", "scopes", "sitecustomize"):
        (folder / f"{name}.py").write_text(run_it)
    before = sorted(folder.rglob("*"))
    assert run_program(folder, tmp_path / "result.json") == NO_APP
    assert not ran.exists()
    assert sorted(folder.rglob("*")) == before


def test_the_program_leaves_no_files_in_its_own_folder(tmp_path: Path) -> None:
    write_package(tmp_path, {"main.py": "class App: pass"})
    program = tmp_path / "program"
    shutil.copytree(PROGRAM, program, ignore=shutil.ignore_patterns("__pycache__"))
    before = sorted(program.rglob("*"))
    assert run_program(tmp_path, tmp_path / "result.json", program) == NO_APP
    assert sorted(program.rglob("*")) == before


@pytest.mark.parametrize("source", ["class App(", f"from robot import RobotApp\n{APP}"])
def test_the_program_always_writes_a_result(source: str, tmp_path: Path) -> None:
    write_package(tmp_path, {"main.py": source})
    assert run_program(tmp_path, tmp_path / "result.json") is None


def test_a_crash_of_the_interpreter_leaves_the_result_unknown(tmp_path: Path) -> None:
    # Python 3.10's parser crashes on this, later ones refuse it.
    write_package(tmp_path, {"main.py": f"class App: x = {'+'.join(['1'] * 300_000)}"})
    result = tmp_path / "result.json"
    command = [sys.executable, "-I", "-B", str(PROGRAM), str(tmp_path), "my_app.main", "App", str(result)]
    ended = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert b"Traceback" not in ended.stderr
    assert json.loads(result.read_text()) == {"problem": None, "customAppUrl": None}


@pytest.mark.parametrize(
    ("body", "page"),
    [
        ("custom_app_url = 'http://localhost:8042'", "http://localhost:8042"),
        ("custom_app_url: str = 'http://a:1'\n    custom_app_url: 'str | None' = 'http://b:2'", "http://b:2"),
        ("custom_app_url = None", None),
        ("custom_app_url: str", None),
        ("custom_app_url = f'http://localhost:{PORT}'", None),
        ("pass", None),
    ],
)
def test_the_page_of_an_app_that_cannot_be_imported_yet(body: str, page: str | None, tmp_path: Path) -> None:
    source = f"import os\nfrom robot import RobotApp\nos.environ['KEY']\nclass App(RobotApp):\n    {body}\n"
    write_package(tmp_path, {"main.py": source})
    assert checker.read(str(tmp_path), "my_app.main", "App") == (None, page)


@pytest.mark.parametrize("name", ["hello_wave", "dance", "look_around", "chat_reply"])
def test_the_samples_are_apps(name: str) -> None:
    folder = ASSETS / "sample-apps" / name
    class_name = "".join(part.title() for part in name.split("_"))
    assert checker.read(str(folder), f"{name}.main", class_name)[0] is None
    missing = f"{name}.main has no class Other, which the entry point names"
    assert checker.read(str(folder), f"{name}.main", "Other")[0] == missing
