"""`read_settings_url` with the ways in which an app can define the address of its page."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

PROGRAM = Path(__file__).parents[1] / "read_settings_url"
SAMPLES = Path(__file__).parents[2] / "sample-apps"
URL = "http://localhost:8042"
UNKNOWN: dict[str, object] = {"known": False, "url": None}
NO_PAGE: dict[str, object] = {"known": True, "url": None}
KNOWN: dict[str, object] = {"known": True, "url": URL}


def load_reader() -> ModuleType:
    spec = spec_from_file_location("read_settings_url", PROGRAM / "__main__.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PROGRAM)  # like when the folder is run
        spec.loader.exec_module(module)
    return module


reader = load_reader()


def write_package(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in {"__init__.py": "", **files}.items():
        path = folder / "my_app" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else textwrap.dedent(content).encode())


def read(folder: Path, files: dict[str, str | bytes]) -> dict[str, object]:
    write_package(folder, files)
    found: dict[str, object] = reader.read(str(folder), "my_app.main", "App")
    return found


def run_program(folder: Path, result: Path, program: Path = PROGRAM) -> dict[str, object]:
    """Runs the program like the daemon does."""
    ended = subprocess.run(
        [sys.executable, "-I", "-B", program, folder, "my_app.main", "App", result],
        capture_output=True,
        cwd=folder,
        timeout=30,
        check=True,
    )
    assert (ended.stdout, ended.stderr) == (b"", b"")
    found: dict[str, object] = json.loads(result.read_text(encoding="utf-8"))
    return found


# The lines before the class, those in its body, and the expected result.
IN_ONE_FILE: dict[str, tuple[str, str, dict[str, object]]] = {
    "a string": ("", 'custom_app_url = "http://localhost:8042"', KNOWN),
    "strings side by side": ("", 'custom_app_url = ("http://" "localhost:8042")', KNOWN),
    "None": ("", "custom_app_url = None", NO_PAGE),
    "annotated": ("", 'custom_app_url: str | None = "http://localhost:8042"', KNOWN),
    "annotated None": ("", "custom_app_url: str | None = None", NO_PAGE),
    "annotated only": ("", "custom_app_url: str | None", NO_PAGE),
    "not set": ("", "pass", NO_PAGE),
    "two targets": ("", 'page = custom_app_url = "http://localhost:8042"', KNOWN),
    "the last one wins": ("", f'custom_app_url = None\nport = 1\ncustom_app_url = "{URL}"', KNOWN),
    "the last one wins, None": ("", f'custom_app_url = "{URL}"\ncustom_app_url = None', NO_PAGE),
    "a plain one after a branch": (
        "",
        f'if port():\n    custom_app_url = None\ncustom_app_url = "{URL}"',
        KNOWN,
    ),
    "a constant": (f'URL = "{URL}"', "custom_app_url = URL", KNOWN),
    "an annotated constant": (f'URL: str = "{URL}"', "custom_app_url = URL", KNOWN),
    "a constant of a constant": (f'A = "{URL}"\nB = A', "custom_app_url = B", KNOWN),
    "a constant set twice": (f'U = None\nU = "{URL}"', "custom_app_url = U", KNOWN),
    "a constant of the class": ("", f'u = "{URL}"\ncustom_app_url = u', KNOWN),
    "an f-string": ("PORT = 8042", 'custom_app_url = f"http://localhost:{PORT}"', KNOWN),
    "an f-string of several": (
        'HOST = "localhost"',
        'PORT: int = 8042\ncustom_app_url = f"http://{HOST}:{PORT!s}"',
        KNOWN,
    ),
    "+": ('PORT = "8042"', 'custom_app_url = "http://localhost:" + PORT', KNOWN),
    "+ and str()": ("PORT = 8042", 'custom_app_url = "http://localhost:" + str(PORT)', KNOWN),
    "+ of numbers": ("A = 8000", 'custom_app_url = f"http://localhost:{A + 42}"', KNOWN),
    "bound in other branches": (
        f'URL = "{URL}"\ntry:\n    import numpy\nexcept ImportError:\n    numpy = None',
        "custom_app_url = URL",
        KNOWN,
    ),
    "a method that only reads it": (
        "",
        f'custom_app_url = "{URL}"\ndef run(self):\n    print(self.custom_app_url)',
        KNOWN,
    ),
    "a local name in a method": (
        "",
        f'custom_app_url = "{URL}"\ndef run(self):\n    custom_app_url = 1',
        KNOWN,
    ),
    "empty text": ("", 'custom_app_url = ""', {"known": True, "url": ""}),
    "not ASCII": ("", 'custom_app_url = "http://röbi:1"', {"known": True, "url": "http://röbi:1"}),
    # Values known only at run time.
    "%": ("", 'custom_app_url = "http://localhost:%d" % 8042', UNKNOWN),
    "format()": ("", 'custom_app_url = "http://localhost:{}".format(8042)', UNKNOWN),
    "a format": ("P = 8042", 'custom_app_url = f"http://localhost:{P:04}"', UNKNOWN),
    "repr in an f-string": ("P = 'a'", 'custom_app_url = f"http://{P!r}:1"', UNKNOWN),
    "None in an f-string": ("P = None", 'custom_app_url = f"http://localhost:{P}"', UNKNOWN),
    "a number": ("", "custom_app_url = 8042", UNKNOWN),
    "a truth": ("", "custom_app_url = True", UNKNOWN),
    "bytes": ("", 'custom_app_url = b"http://localhost:8042"', UNKNOWN),
    "text + number": ("", 'custom_app_url = "http://localhost:" + 8042', UNKNOWN),
    "the environment": ("import os", 'custom_app_url = os.environ["URL"]', UNKNOWN),
    "the environment, get": ("import os", 'custom_app_url = os.getenv("URL", None)', UNKNOWN),
    "the environment, in a constant": (
        'import os\nPORT = os.environ.get("PORT", "8042")',
        'custom_app_url = f"http://localhost:{PORT}"',
        UNKNOWN,
    ),
    "a call": ("", "custom_app_url = address()", UNKNOWN),
    "a condition": ("A = 1", f'custom_app_url = "{URL}" if A else None', UNKNOWN),
    "or": ("A = None", f'custom_app_url = A or "{URL}"', UNKNOWN),
    "under if": ("A = 1", f'if A:\n    custom_app_url = "{URL}"', UNKNOWN),
    "under if, after a plain one": (
        "A = 1",
        f'custom_app_url = None\nif A:\n    custom_app_url = "{URL}"',
        UNKNOWN,
    ),
    "under try": ("", f'try:\n    custom_app_url = "{URL}"\nexcept E:\n    pass', UNKNOWN),
    "in a loop": ("", 'for custom_app_url in ("a", "b"):\n    pass', UNKNOWN),
    "unpacked": ("", f'custom_app_url, b = "{URL}", 1', UNKNOWN),
    "added to": ("", f'custom_app_url = "{URL}"\ncustom_app_url += "/"', UNKNOWN),
    "a walrus": ("", f'a = (custom_app_url := "{URL}")', UNKNOWN),
    "deleted": ("", f'custom_app_url = "{URL}"\ndel custom_app_url', UNKNOWN),
    "a property": ("", f'@property\ndef custom_app_url(self):\n    return "{URL}"', UNKNOWN),
    "an import in the class": ("", "from os import sep as custom_app_url", UNKNOWN),
    "a class in the class": ("", "class custom_app_url:\n    pass", UNKNOWN),
    "set in a method": (
        "",
        f'custom_app_url = None\ndef __init__(self):\n    self.custom_app_url = "{URL}"',
        UNKNOWN,
    ),
    "set in a method, by name": (
        "",
        'def __init__(self):\n    setattr(self, "custom_app_url", "a")',
        UNKNOWN,
    ),
    "a constant that is not there": ("", "custom_app_url = URL", UNKNOWN),
    "a constant under if": (f'if 1:\n    URL = "{URL}"', "custom_app_url = URL", UNKNOWN),
    "a constant set again under try": (
        f'URL = "{URL}"\ntry:\n    URL = None\nexcept E:\n    pass',
        "custom_app_url = URL",
        UNKNOWN,
    ),
    "a constant of a with": ("with a() as URL:\n    pass", "custom_app_url = URL", UNKNOWN),
    "a constant of an except": (
        f'URL = "{URL}"\ntry:\n    pass\nexcept E as URL:\n    pass',
        "custom_app_url = URL",
        UNKNOWN,
    ),
    "a constant of a match": (
        f'URL = "{URL}"\nmatch a:\n    case [*URL]:\n        pass',
        "custom_app_url = URL",
        UNKNOWN,
    ),
    "a constant that a function sets": (
        f'URL = "{URL}"\ndef f():\n    global URL\n    URL = None\nf()',
        "custom_app_url = URL",
        UNKNOWN,
    ),
    "a constant with a star import after it": (
        f'URL = "{URL}"\nfrom os import *',
        "custom_app_url = URL",
        UNKNOWN,
    ),
    "a str that is not Python's": (
        "from something import str",
        'custom_app_url = "http://localhost:" + str(8042)',
        UNKNOWN,
    ),
    "a constant of another package": ("from other import U", "custom_app_url = U", UNKNOWN),
    "a constant that is a class": ("class U:\n    pass", "custom_app_url = U", UNKNOWN),
    "too long": ("", f'custom_app_url = "{"x" * 3000}"', UNKNOWN),
}


@pytest.mark.parametrize(("before", "body", "expected"), IN_ONE_FILE.values(), ids=IN_ONE_FILE)
def test_an_address_in_the_class(before: str, body: str, expected: dict[str, object], tmp_path: Path) -> None:
    lines = textwrap.indent(body, "    ")
    source = f"from robot import RobotApp\n{before}\nclass App(RobotApp):\n{lines}\n"
    compile(source, "main.py", "exec")
    assert read(tmp_path, {"main.py": source}) == expected


def app(bases: str, imports: str = "from robot import RobotApp", after: str = "") -> str:
    return f"{imports}\nclass App({bases}):\n    pass\n{after}\n"


def with_page(imports: str, value: str = "URL") -> str:
    return f"from robot import RobotApp\n{imports}\nclass App(RobotApp):\n    custom_app_url = {value}\n"


BASE = f'from robot import RobotApp\nclass Base(RobotApp):\n    custom_app_url = "{URL}"\n'
HAS_URL = f'URL = "{URL}"\n'

PACKAGES: dict[str, tuple[dict[str, str | bytes], dict[str, object]]] = {
    # The base class.
    "RobotApp": ({"main.py": app("RobotApp")}, NO_PAGE),
    "robot.RobotApp": ({"main.py": app("robot.RobotApp", "import robot")}, NO_PAGE),
    "robot under an alias": ({"main.py": app("r.RobotApp", "import robot as r")}, NO_PAGE),
    "RobotApp under an alias": ({"main.py": app("A", "from robot import RobotApp as A")}, NO_PAGE),
    "robot.app": ({"main.py": app("RobotApp", "from robot.app import RobotApp")}, NO_PAGE),
    "robot.app, dotted": ({"main.py": app("robot.app.RobotApp", "import robot.app")}, NO_PAGE),
    "RobotApp under another name": (
        {"main.py": app("Base", "from robot import RobotApp\nBase = RobotApp")},
        NO_PAGE,
    ),
    "no base": ({"main.py": "class App:\n    pass\n"}, UNKNOWN),
    "another RobotApp": ({"main.py": app("RobotApp", "from other import RobotApp")}, UNKNOWN),
    "RobotApp or not": (
        {"main.py": app("R", "try:\n    from robot import RobotApp as R\nexcept E:\n    R = object")},
        UNKNOWN,
    ),
    "a base that is not there": ({"main.py": app("Base")}, UNKNOWN),
    "a base that is a call": ({"main.py": app("base()")}, UNKNOWN),
    "another base too": ({"main.py": app("RobotApp, Thread")}, UNKNOWN),
    "another base too, and set": (
        {"main.py": f'class App(Mixin, Other):\n    custom_app_url = "{URL}"\n'},
        KNOWN,
    ),
    "a metaclass": ({"main.py": app("RobotApp, metaclass=Meta")}, UNKNOWN),
    "a decorator": (
        {"main.py": "from robot import RobotApp\n@page\nclass App(RobotApp):\n    pass\n"},
        UNKNOWN,
    ),
    "a base here that sets it": ({"main.py": f"{BASE}\nclass App(Base):\n    pass\n"}, KNOWN),
    "a base here that does not": (
        {"main.py": "import robot\nclass B(robot.RobotApp): x = 1\nclass App(B): y = 2\n"},
        NO_PAGE,
    ),
    "a base here, overruled": (
        {"main.py": f"{BASE}\nclass App(Base):\n    custom_app_url = None\n"},
        NO_PAGE,
    ),
    "a base here that is made anew": (
        {"main.py": f"{BASE}\nBase = changed(Base)\nclass App(Base):\n    pass\n"},
        UNKNOWN,
    ),
    "a base elsewhere that sets it": (
        {"main.py": app("Base", "from .base import Base"), "base.py": BASE},
        KNOWN,
    ),
    "a base elsewhere, by its module": (
        {"main.py": app("base.Base", "from my_app import base"), "base.py": BASE},
        KNOWN,
    ),
    "a base elsewhere, overruled": (
        {
            "main.py": "from .base import Base\nclass App(Base):\n    custom_app_url = None\n",
            "base.py": BASE,
        },
        NO_PAGE,
    ),
    "a base elsewhere that changes it later": (
        {
            "main.py": "from .base import Base\nclass App(Base):\n    custom_app_url = None\n",
            "base.py": f'{BASE}\n    def __init__(self):\n        self.custom_app_url = "a"\n',
        },
        UNKNOWN,
    ),
    "bases in a circle": (
        {
            "main.py": app("B", "from .b import B"),
            "b.py": "from .main import App\nclass B(App):\n    pass\n",
        },
        UNKNOWN,
    ),
    # The class.
    "not there": ({"main.py": "from robot import RobotApp\n"}, UNKNOWN),
    "not a class": ({"main.py": "App = 3\n"}, UNKNOWN),
    "under if": ({"main.py": "if 1:\n    class App:\n        custom_app_url = None\n"}, UNKNOWN),
    "defined twice": (
        {"main.py": app("RobotApp") + f'class App(RobotApp):\n    custom_app_url = "{URL}"\n'},
        KNOWN,
    ),
    "defined elsewhere": (
        {"main.py": "from my_app.app import App\n", "app.py": with_page("", repr(URL))},
        KNOWN,
    ),
    "defined elsewhere, relative, under another name": (
        {"main.py": "from .app import Base as App\n", "app.py": BASE},
        KNOWN,
    ),
    "defined elsewhere, and named here": (
        {"main.py": "from . import app\nApp = app.App\n", "app.py": with_page("", repr(URL))},
        KNOWN,
    ),
    "defined in a package within": (
        {
            "main.py": "from .inner import App\n",
            "inner/__init__.py": "from .app import App\n",
            "inner/app.py": with_page("from ..constants import URL"),
            "constants.py": HAS_URL,
        },
        KNOWN,
    ),
    "defined in another package": ({"main.py": "from other.app import App\n"}, UNKNOWN),
    "imported in a circle": (
        {"main.py": "from .app import App\n", "app.py": "from .main import App\n"},
        UNKNOWN,
    ),
    "changed after it": (
        {"main.py": app("RobotApp", after='App.custom_app_url = "http://localhost:1"')},
        UNKNOWN,
    ),
    "changed when it is run": (
        {"main.py": app("RobotApp", after='if 1:\n    app = App()\n    app.custom_app_url = "a"')},
        UNKNOWN,
    ),
    # Constants.
    "bound again after the class": (
        {"main.py": HAS_URL + with_page("") + "URL = None\n"},
        KNOWN,
    ),
    "bound after the class only": ({"main.py": with_page("") + HAS_URL}, UNKNOWN),
    "from my_app.constants import": (
        {"main.py": with_page("from my_app.constants import URL"), "constants.py": HAS_URL},
        KNOWN,
    ),
    "from .constants import": (
        {"main.py": with_page("from .constants import URL"), "constants.py": HAS_URL},
        KNOWN,
    ),
    "from .constants import … as": (
        {"main.py": with_page("from .constants import URL as U", "U"), "constants.py": HAS_URL},
        KNOWN,
    ),
    "from . import constants": (
        {"main.py": with_page("from . import constants", "constants.URL"), "constants.py": HAS_URL},
        KNOWN,
    ),
    "import my_app.constants": (
        {
            "main.py": with_page("import my_app.constants", "my_app.constants.URL"),
            "constants.py": HAS_URL,
        },
        KNOWN,
    ),
    "import my_app.constants as": (
        {"main.py": with_page("import my_app.constants as c", "c.URL"), "constants.py": HAS_URL},
        KNOWN,
    ),
    "from my_app import, of the package itself": (
        {"main.py": with_page("from my_app import URL"), "__init__.py": HAS_URL},
        KNOWN,
    ),
    "a number from elsewhere": (
        {
            "main.py": with_page("from .constants import PORT", 'f"http://localhost:{PORT}"'),
            "constants.py": "from .more import FIRST\nPORT = FIRST + 42\n",
            "more.py": "FIRST = 8000\n",
        },
        KNOWN,
    ),
    "its last value counts": (
        {"main.py": with_page("from .constants import URL"), "constants.py": f"URL = 1\n{HAS_URL}"},
        KNOWN,
    ),
    "from .constants import *": (
        {"main.py": with_page("from .constants import *"), "constants.py": HAS_URL},
        UNKNOWN,
    ),
    "a module that is not there": ({"main.py": with_page("from .constants import URL")}, UNKNOWN),
    "a name that is not there": (
        {"main.py": with_page("from .constants import URL"), "constants.py": ""},
        UNKNOWN,
    ),
    "from above the package": ({"main.py": with_page("from ..constants import URL")}, UNKNOWN),
    "of the environment": (
        {
            "main.py": with_page("from .constants import URL"),
            "constants.py": 'import os\nURL = os.environ["URL"]\n',
        },
        UNKNOWN,
    ),
    "constants in a circle": (
        {
            "main.py": with_page("from .a import URL"),
            "a.py": "from .b import URL\n",
            "b.py": "from .a import URL\n",
        },
        UNKNOWN,
    ),
    "over too many modules": (
        {
            "main.py": with_page("from .m1 import URL"),
            **{f"m{n}.py": f"from .m{n + 1} import URL\n" for n in range(1, 40)},
            "m40.py": HAS_URL,
        },
        UNKNOWN,
    ),
    "doubled without end": (
        {
            "main.py": with_page("a0 = ''\n" + "\n".join(f"a{n + 1} = a{n} + a{n}" for n in range(60)), "a60"),
        },
        UNKNOWN,
    ),
    # Files.
    "a byte order mark": (
        {"main.py": codecs.BOM_UTF8 + with_page("", repr(URL)).encode()},
        KNOWN,
    ),
    "Latin-1": (
        {"main.py": ("# -*- coding: latin-1 -*-\n" + with_page("", "'http://röbi'")).encode("latin-1")},
        {"known": True, "url": "http://röbi"},
    ),
    "Latin-1 that does not say so": (
        {"main.py": with_page("", "'http://röbi'").encode("latin-1")},
        UNKNOWN,
    ),
    "an unknown encoding": ({"main.py": "# coding: klingon\n" + with_page("", "None")}, UNKNOWN),
    "Windows line ends": ({"main.py": with_page("", repr(URL)).replace("\n", "\r\n").encode()}, KNOWN),
    "a syntax error": ({"main.py": with_page("", repr(URL)) + "def"}, UNKNOWN),
    "a syntax error elsewhere": (
        {"main.py": with_page("from .constants import URL"), "constants.py": "URL = ="},
        UNKNOWN,
    ),
    "nothing": ({"main.py": ""}, UNKNOWN),
    "zeros": ({"main.py": b"\0" * 100}, UNKNOWN),
    "nested too deeply": ({"main.py": with_page("", "(" * 5000 + ")" * 5000)}, UNKNOWN),
    "too long a sum": ({"main.py": with_page("", "+".join(["'a'"] * 3000))}, UNKNOWN),
    "too large a number": ({"main.py": with_page("", "str(0x" + "f" * 9000 + ")")}, UNKNOWN),
    "a large file": ({"main.py": with_page("", repr(URL)) + "#" * 1_000_000}, KNOWN),
    "too large a file": ({"main.py": with_page("", repr(URL)) + "#" * 1_048_577}, UNKNOWN),
    "a module beside a package of its name": (
        {"main.py": with_page("", "None"), "main/__init__.py": with_page("", repr(URL))},
        KNOWN,
    ),
}


@pytest.mark.parametrize(("files", "expected"), PACKAGES.values(), ids=PACKAGES)
def test_an_address_in_a_package(files: dict[str, str | bytes], expected: dict[str, object], tmp_path: Path) -> None:
    assert read(tmp_path, files) == expected


def test_packages_are_found_in_the_folder_or_in_src(tmp_path: Path) -> None:
    write_package(tmp_path / "src", {"main.py": with_page("", repr(URL))})
    assert reader.read(str(tmp_path), "my_app.main", "App") == KNOWN
    (tmp_path / "my_app").mkdir()  # has no main.py
    assert reader.read(str(tmp_path), "my_app.main", "App") == KNOWN
    (tmp_path / "single.py").write_text(with_page("", "None"))
    assert reader.read(str(tmp_path), "single", "App") == NO_PAGE
    (tmp_path / "my_app" / "__init__.py").write_text(with_page("", "None"))
    assert reader.read(str(tmp_path), "my_app", "App") == NO_PAGE


@pytest.mark.parametrize("module", ["", ".", "..", "my_app.", "my_app..main", "../my_app.main", "my_app.nothing"])
def test_a_missing_module_is_unknown(module: str, tmp_path: Path) -> None:
    write_package(tmp_path, {"main.py": with_page("", repr(URL))})
    assert reader.read(str(tmp_path), module, "App") == UNKNOWN
    assert reader.read(str(tmp_path / "nowhere"), "my_app.main", "App") == UNKNOWN


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets only administrators make links")
def test_links_are_followed_within_the_package_only(tmp_path: Path) -> None:
    package = tmp_path / "app"
    write_package(package, {"main.py": with_page("from .constants import URL"), "real.py": HAS_URL})
    link = package / "my_app" / "constants.py"
    link.symlink_to("real.py")
    assert reader.read(str(package), "my_app.main", "App") == KNOWN
    (tmp_path / "outside.py").write_text(HAS_URL)
    (package / "beside.py").write_text(HAS_URL)
    for target in (tmp_path / "outside.py", package / "beside.py", tmp_path / "nowhere.py", link):
        link.unlink()
        link.symlink_to(target)
        assert reader.read(str(package), "my_app.main", "App") == UNKNOWN
    # The folder may be reached through a link; the package in it must not be a link.
    (tmp_path / "link").symlink_to(package)
    link.unlink()
    link.write_text(HAS_URL)
    assert reader.read(str(tmp_path / "link"), "my_app.main", "App") == KNOWN
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "my_app").symlink_to(package / "my_app")
    assert reader.read(str(tmp_path / "other"), "my_app.main", "App") == UNKNOWN


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_special_file_is_not_read(tmp_path: Path) -> None:
    write_package(tmp_path, {"main.py": with_page("from .constants import URL")})
    os.mkfifo(tmp_path / "my_app" / "constants.py")
    started_s = time.monotonic()
    assert reader.read(str(tmp_path), "my_app.main", "App") == UNKNOWN
    assert time.monotonic() - started_s < 2


@pytest.mark.parametrize("line", ["x = 1", "from os import *", "y = 1 + 1"])
def test_pathological_sources_end_soon(line: str, tmp_path: Path) -> None:
    source = f"{line}\n" * (900_000 // (len(line) + 1)) + with_page("", repr(URL))
    started_s = time.monotonic()
    assert read(tmp_path, {"main.py": source}) == KNOWN
    assert time.monotonic() - started_s < 30


def test_the_program_runs_no_code_of_the_app_and_leaves_no_files(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    ran = tmp_path / "ran"
    run_it = f"open({str(ran)!r}, 'w')\n"
    files = {
        "__init__.py": run_it,
        "main.py": run_it + with_page("from .constants import URL") + "    d = '\\d'\n",
        "constants.py": run_it + HAS_URL,
    }
    write_package(folder, {**files})
    # Modules that a program in the same folder would import.
    for name in ("ast", "json", "robot", "scopes", "sitecustomize"):
        (folder / f"{name}.py").write_text(run_it)
    before = sorted(folder.rglob("*"))
    assert run_program(folder, tmp_path / "result.json") == KNOWN
    assert not ran.exists()
    assert sorted(folder.rglob("*")) == before


def test_the_program_leaves_no_files_in_its_own_folder(tmp_path: Path) -> None:
    write_package(tmp_path, {"main.py": with_page("", repr(URL))})
    program = tmp_path / "program"
    shutil.copytree(PROGRAM, program, ignore=shutil.ignore_patterns("__pycache__"))
    before = sorted(program.rglob("*"))
    assert run_program(tmp_path, tmp_path / "result.json", program) == KNOWN
    assert sorted(program.rglob("*")) == before


@pytest.mark.parametrize(
    ("source", "expected"),
    [(with_page("", "None"), NO_PAGE), ("class App(", UNKNOWN), (app("Base"), UNKNOWN)],
)
def test_the_program_always_writes_a_result(source: str, expected: dict[str, object], tmp_path: Path) -> None:
    write_package(tmp_path, {"main.py": source})
    assert run_program(tmp_path, tmp_path / "result.json") == expected


def test_a_crash_of_the_interpreter_leaves_the_result_unknown(tmp_path: Path) -> None:
    # Python 3.10's parser crashes on this, later ones refuse it.
    write_package(tmp_path, {"main.py": with_page("x = " + "+".join(["1"] * 300_000), repr(URL))})
    result = tmp_path / "result.json"
    command = [sys.executable, "-I", "-B", str(PROGRAM), str(tmp_path), "my_app.main", "App", str(result)]
    ended = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert b"Traceback" not in ended.stderr
    assert json.loads(result.read_text()) == UNKNOWN


@pytest.mark.parametrize(
    ("name", "class_name", "expected"),
    [("hello_wave", "HelloWave", NO_PAGE), ("dance", "Dance", NO_PAGE), ("look_around", "LookAround", KNOWN)],
)
def test_the_samples_are_read(name: str, class_name: str, expected: dict[str, object]) -> None:
    assert reader.read(str(SAMPLES / name), f"{name}.main", class_name) == expected
