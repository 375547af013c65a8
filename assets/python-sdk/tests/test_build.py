"""The build backend: its wheels by content, and through a real installer."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

import pytest

from robot import __version__, build
from robot._packaging.refused import BuildRefused

SDK = Path(__file__).parents[1]
SAMPLES = SDK.parent / "sample-apps"

MINIMAL = """
[project]
name = "Two-Words"
version = "1.2.3"
"""

RICH = """
[project]
name = "two.words"
version = "1.2.0rc1"
description = "All there is"
readme = {file = "READ.txt", content-type = "text/plain"}
requires-python = ">=3.10"
license = {text = "Be kind.\\nAlways."}
authors = [{name = "Ada", email = "ada@example.org"}, {name = "Bo"}, {email = "c@example.org"}]
maintainers = [{name = "Di"}]
keywords = ["a", "b"]
classifiers = ["Typing :: Typed"]
dependencies = ["numpy>=1.26", "x @ https://example.org/x.whl"]

[project.optional-dependencies]
Fast_Mode = ["cython", "six; python_version < '3.11'", "y @ https://example.org/y;z ; os_name"]

[project.urls]
Home = "https://example.org"

[project.scripts]
go = "two_words:go"

[project.gui-scripts]
show = "two_words:show"

[project.entry-points.robot_apps]
two = "two_words.main:Two"
"""

NewProject = Callable[..., Path]


@pytest.fixture
def new_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NewProject:
    """Writes a project and changes into its folder."""

    def write(pyproject: str, *files: str) -> Path:
        folder = tmp_path / "project"
        for path in ("two_words/__init__.py", *files):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(f"# {path}\n")
        (folder / "pyproject.toml").write_text(pyproject)
        monkeypatch.chdir(folder)
        return folder

    return write


def wheel_of(folder: Path, out: Path) -> Path:
    """Builds the wheel of the project in `folder` in a process, like installers do."""
    out.mkdir(exist_ok=True)
    program = f"import robot.build; print(robot.build.build_wheel({str(out)!r}))"
    env = {**os.environ, "PYTHONPATH": str(SDK), "PYTHONDONTWRITEBYTECODE": "1"}
    name = subprocess.check_output([sys.executable, "-c", program], cwd=folder, env=env, text=True)
    return out / name.strip()


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def _unpack(archive: Path, folder: Path) -> None:
    if hasattr(tarfile, "data_filter"):
        shutil.unpack_archive(archive, folder, filter="data")
    else:  # Python before 3.11.4, such as that of Debian 12
        shutil.unpack_archive(archive, folder)


def _in_folder(files: dict[str, bytes], folder: str) -> list[tuple[PurePosixPath, bytes]]:
    paths = [(PurePosixPath(path), data) for path, data in files.items()]
    return [(path, data) for path, data in paths if str(path.parent) == folder]


def metadata(wheel: Path) -> Message:
    return message_from_bytes(
        next(content for path, content in contents(wheel).items() if path.endswith("/METADATA"))
    )


@pytest.mark.parametrize("project", [SDK, SAMPLES / "hello_wave", SAMPLES / "dance"])
def test_the_record_lists_every_file_with_its_hash(project: Path, tmp_path: Path) -> None:
    files = contents(wheel_of(project, tmp_path))
    record = next(path for path in files if path.endswith(".dist-info/RECORD"))
    expected = {
        path: (
            "sha256="
            + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode(),
            str(len(content)),
        )
        for path, content in files.items()
    }
    expected[record] = ("", "")
    rows = csv.reader(io.StringIO(files[record].decode()))
    assert {path: (digest, size) for path, digest, size in rows} == expected


def test_the_same_files_give_the_same_bytes_wherever_and_whenever(tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "copy"
    shutil.copytree(SAMPLES / "dance", copy, copy_function=shutil.copyfile)
    for path in copy.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    first = wheel_of(SAMPLES / "dance", tmp_path / "a")
    second = wheel_of(copy, tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()


def test_the_sdks_wheel_has_its_metadata(tmp_path: Path) -> None:
    wheel = wheel_of(SDK, tmp_path)
    assert wheel.name == f"robot_sdk-{__version__}-py3-none-any.whl"
    files = contents(wheel)
    assert {"robot/__init__.py", "robot/py.typed", "robot/build.py"} <= set(files)
    assert not [path for path in files if not path.startswith(("robot/", "robot_sdk-"))]
    moves = {path.name: path.read_bytes() for path in (SDK.parent / "moves").iterdir()}
    shipped = {path.name: data for path, data in _in_folder(files, "robot/motion/moves")}
    assert shipped == moves and len(moves) == 15
    described = metadata(wheel)
    assert described["Version"] == __version__
    assert described["License-Expression"] == "Apache-2.0"
    requirements = described.get_all("Requires-Dist", [])
    baseline = [each for each in requirements if each.endswith('extra == "baseline"')]
    audio = [each for each in requirements if each.endswith('; extra == "audio"')]
    opencv = [each for each in requirements if each.endswith('; extra == "opencv"')]
    assert (len(requirements), len(baseline), len(audio), len(opencv)) == (10, 8, 1, 1)
    assert not any("headless" in each for each in requirements)  # both have the module cv2


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("hello_wave", "hello_wave.main:HelloWave"),
        ("dance", "dance.main:Dance"),
        ("chat_reply", "chat_reply.main:ChatReply"),
    ],
)
def test_a_sample_declares_its_app(name: str, target: str, tmp_path: Path) -> None:
    files = contents(wheel_of(SAMPLES / name, tmp_path))
    assert (f"{name}/static/index.html" in files) == (name == "chat_reply")
    entry_points = f"{name}-1.0.0.dist-info/entry_points.txt"
    assert files[entry_points].decode() == f"[robot_apps]\n{name} = {target}\n"


def test_every_field_of_a_project_is_written_down(new_project: NewProject, tmp_path: Path) -> None:
    (new_project(RICH) / "READ.txt").write_text("Read me.\nZwei Wörter.\n", encoding="utf-8")
    wheel = tmp_path / build.build_wheel(str(tmp_path))
    assert wheel.name == "two_words-1.2.0rc1-py3-none-any.whl"
    described = metadata(wheel)
    assert described.items() == [
        ("Metadata-Version", "2.1"),
        ("Name", "two.words"),
        ("Version", "1.2.0rc1"),
        ("Summary", "All there is"),
        ("Keywords", "a,b"),
        ("Author", "Bo"),
        ("Author-email", "Ada <ada@example.org>, c@example.org"),
        ("Maintainer", "Di"),
        ("License", "Be kind.\n        Always."),
        ("Classifier", "Typing :: Typed"),
        ("Project-URL", "Home, https://example.org"),
        ("Requires-Python", ">=3.10"),
        ("Requires-Dist", "numpy>=1.26"),
        ("Requires-Dist", "x @ https://example.org/x.whl"),
        ("Provides-Extra", "fast-mode"),
        ("Requires-Dist", 'cython ; extra == "fast-mode"'),
        ("Requires-Dist", "six ; (python_version < '3.11') and extra == \"fast-mode\""),
        (
            "Requires-Dist",
            'y @ https://example.org/y;z ; (os_name) and extra == "fast-mode"',
        ),
        ("Description-Content-Type", "text/plain"),
    ]
    body = described.get_payload(decode=True)
    assert isinstance(body, bytes)
    assert body.decode() == "Read me.\nZwei Wörter.\n"
    assert contents(wheel)["two_words-1.2.0rc1.dist-info/entry_points.txt"].decode() == (
        "[console_scripts]\ngo = two_words:go\n\n"
        "[gui_scripts]\nshow = two_words:show\n\n"
        "[robot_apps]\ntwo = two_words.main:Two\n"
    )


def test_the_wheel_has_the_packages_with_their_data_and_nothing_else(
    new_project: NewProject, tmp_path: Path
) -> None:
    new_project(
        MINIMAL,
        "two_words/static/index.html",
        "two_words/static/deep/main.js",
        "two_words/.hidden",
        "two_words/.cache/file",
        "two_words/__pycache__/x.cpython-313.pyc",
        "extra/__init__.py",
        "tests/__init__.py",
        "docs/__init__.py",
        "plain_folder/file.py",
        "with-dash/__init__.py",
        "setup.py",
    )
    files = contents(tmp_path / build.build_wheel(str(tmp_path)))
    assert list(files) == [
        "extra/__init__.py",
        "two_words/__init__.py",
        "two_words/static/deep/main.js",
        "two_words/static/index.html",
        "two_words-1.2.3.dist-info/METADATA",
        "two_words-1.2.3.dist-info/WHEEL",
        "two_words-1.2.3.dist-info/RECORD",
    ]


DATA = MINIMAL + '[tool.robot-build.package-data]\n"two_words/songs" = "../songs"\n'


def test_a_folder_from_elsewhere_becomes_data_of_a_package(
    new_project: NewProject, tmp_path: Path
) -> None:
    folder = new_project(DATA)
    for name in ("songs/one.txt", "songs/deep/two.txt", "songs/.hidden"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    files = contents(tmp_path / build.build_wheel(str(tmp_path)))
    assert [path for path in files if "dist-info" not in path] == [
        "two_words/__init__.py",
        "two_words/songs/deep/two.txt",
        "two_words/songs/one.txt",
    ]
    # The source archive has the files in the package, and does not look elsewhere.
    _unpack(tmp_path / build.build_sdist(str(tmp_path)), tmp_path)
    (tmp_path / "songs" / "late.txt").write_text("late")
    again = wheel_of(tmp_path / "two_words-1.2.3", tmp_path / "again")
    assert contents(again) == files
    shutil.rmtree(tmp_path / "songs")
    assert (folder / "two_words" / "songs").exists() is False
    with pytest.raises(BuildRefused, match="'../songs' is not a folder"):
        build.build_wheel(str(tmp_path))


@pytest.mark.parametrize("target", ["other/songs", "two_words/../x", "two_words/", "/two_words/x"])
def test_data_can_only_go_into_a_package(
    new_project: NewProject, tmp_path: Path, target: str
) -> None:
    new_project(DATA.replace("two_words/songs", target))
    with pytest.raises(BuildRefused, match="is not a folder of a package"):
        build.build_wheel(str(tmp_path))


def test_with_a_src_folder_only_its_packages_are_built(
    new_project: NewProject, tmp_path: Path
) -> None:
    new_project(MINIMAL, "src/inside/__init__.py")
    files = contents(tmp_path / build.build_wheel(str(tmp_path)))
    assert [path for path in files if "dist-info" not in path] == ["inside/__init__.py"]


def test_prepared_metadata_are_those_of_the_wheel(new_project: NewProject, tmp_path: Path) -> None:
    folder = new_project(RICH + '\n[tool.x]\n"anything" = 1\n', "LICENSE")
    (folder / "READ.txt").write_text("Read me.")
    text = (folder / "pyproject.toml").read_text()
    licensed = text.replace(
        'license = {text = "Be kind.\\nAlways."}', 'license = "MIT"\nlicense-files = ["LIC*"]'
    )
    (folder / "pyproject.toml").write_text(licensed)
    (tmp_path / "prepared").mkdir()
    name = build.prepare_metadata_for_build_wheel(str(tmp_path / "prepared"))
    prepared = {
        path.relative_to(tmp_path / "prepared").as_posix(): path.read_bytes()
        for path in (tmp_path / "prepared").rglob("*")
        if path.is_file()
    }
    built = contents(tmp_path / build.build_wheel(str(tmp_path)))
    assert f"{name}/licenses/LICENSE" in prepared
    assert prepared == {
        path: content
        for path, content in built.items()
        if path.startswith(name) and not path.endswith("RECORD")
    }


@pytest.mark.torture
def test_a_wheel_from_the_source_archive_is_the_same(tmp_path: Path) -> None:
    program = f"import robot.build; print(robot.build.build_sdist({str(tmp_path)!r}))"
    env = {**os.environ, "PYTHONPATH": str(SDK)}
    for project, stem in ((SDK, "robot_sdk-1.0.0"), (SAMPLES / "dance", "dance-1.0.0")):
        subprocess.run([sys.executable, "-c", program], cwd=project, env=env, check=True)
        _unpack(tmp_path / f"{stem}.tar.gz", tmp_path)
        again = wheel_of(tmp_path / stem, tmp_path / "again")
        assert again.read_bytes() == wheel_of(project, tmp_path / "direct").read_bytes()


def test_an_editable_wheel_points_to_the_sources(new_project: NewProject, tmp_path: Path) -> None:
    folder = new_project(MINIMAL)
    files = contents(tmp_path / build.build_editable(str(tmp_path)))
    assert files["_two_words.pth"].decode() == f"{folder}\n"
    assert "two_words/__init__.py" not in files


@pytest.mark.parametrize(
    ("pyproject", "sentence"),
    [
        ("[project", "not valid TOML"),
        ("[tool.x]", r"no \[project\] table"),
        (MINIMAL + 'dynamic = ["version"]', r'"dynamic" \(version\) is not supported'),
        (MINIMAL.replace("1.2.3", "v1"), "needs a \"version\" in the usual form.* not 'v1'"),
        (MINIMAL.replace("Two-Words", "-"), 'needs a "name"'),
        (MINIMAL + "description = 7", '"description" in .project. must be text'),
        (MINIMAL + 'dependencies = "numpy"', '"dependencies" in .project. must be an array'),
        (MINIMAL + 'colour = "red"', '"colour" in .project. is not supported'),
        (MINIMAL + 'readme = "../secret.md"', "which is not inside the project"),
        (MINIMAL + 'readme = "missing.md"', "which cannot be read as text"),
        (MINIMAL + 'license-files = ["LIC*"]', "matches no file"),
        (MINIMAL + 'description = """a\nb"""', "Summary must be one line"),
        (MINIMAL + 'authors = ["Ada"]', "project.authors. must be a table"),
        (MINIMAL + "[project.entry-points.console_scripts]\na='b:c'", 'go into "scripts"'),
    ],
)
def test_a_refused_build_is_one_sentence(
    new_project: NewProject, tmp_path: Path, pyproject: str, sentence: str
) -> None:
    new_project(pyproject)
    with pytest.raises(BuildRefused, match=sentence) as caught:
        build.build_wheel(str(tmp_path))
    assert str(caught.value).startswith("robot.build: ")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.glob("*.whl"))


def test_no_package_and_compiled_files_are_refused(new_project: NewProject, tmp_path: Path) -> None:
    folder = new_project(MINIMAL, "two_words/fast.so")
    with pytest.raises(BuildRefused, match="fast.so is compiled; only pure Python"):
        build.build_wheel(str(tmp_path))
    shutil.rmtree(folder / "two_words")
    with pytest.raises(BuildRefused, match="no package found: expected a folder 'two_words'"):
        build.build_wheel(str(tmp_path))


def test_without_a_toml_reader_the_one_in_the_bundled_pip_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from robot._packaging import toml

    if not toml._bundled_pips():
        pytest.skip("this Python bundles no pip (ensurepip): the fall-back was NOT tested")
    for name in ("tomllib", "tomli", "pip._vendor.tomli"):
        monkeypatch.setitem(sys.modules, name, None)
    reader = toml._toml_reader()
    assert ".whl" in (reader.__file__ or "")
    assert reader.loads("a = [1, 2]") == {"a": [1, 2]}


@pytest.mark.torture
@pytest.mark.skipif(
    find_spec("pip") is None, reason="this Python has no pip: the installation was NOT tested"
)
def test_pip_installs_a_sample_with_no_index_and_the_sdk_of_the_constraint(
    tmp_path: Path,
) -> None:
    sdk = wheel_of(SDK, tmp_path)
    decoy = tmp_path / "decoy"
    shutil.copytree(SDK / "robot", decoy / "robot")
    (decoy / "pyproject.toml").write_text('[project]\nname = "robot-sdk"\nversion = "99.0"\n')
    wheel_of(decoy, decoy)
    (tmp_path / "constraints.txt").write_text(f"robot-sdk @ {sdk.as_uri()}\n")
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    settings = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_CONSTRAINT": str(tmp_path / "constraints.txt"),
        "PIP_BUILD_CONSTRAINT": str(tmp_path / "constraints.txt"),
        "PIP_FIND_LINKS": str(decoy),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    subprocess.run(
        [*pip, "install", "--quiet", "--no-index", "--no-compile", str(SAMPLES / "hello_wave")],
        env={**os.environ, **settings},
        check=True,
    )
    program = (
        "from importlib.metadata import entry_points, version\n"
        "(app,) = entry_points(group='robot_apps')\n"
        "print(app.name, app.load().__name__, version('robot-sdk'))\n"
        "from robot.motion.recorded_move import RecordedMoves\n"
        "print(len([RecordedMoves().get(name) for name in RecordedMoves().list_moves()]))"
    )
    assert (
        subprocess.check_output([python, "-c", program], text=True)
        == f"hello_wave HelloWave {__version__}\n15\n"
    )
