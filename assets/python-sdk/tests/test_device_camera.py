"""A camera of this computer, through OpenCV: the real library with a video file in place of a
camera, and a stand-in that is compared with it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import NewPeer, in_background
from peer import WELCOME

from robot import Robot, _notice

numpy: Any = pytest.importorskip("numpy", reason="frames need numpy")

import fake_opencv  # it needs numpy

from robot._camera import camera as camera_module
from robot._camera import device_camera, linux_devices
from robot._camera.device_camera import DeviceCamera

pytestmark = pytest.mark.torture  # in real time

try:
    import cv2

    WHY_NOT_REAL = None
    real_opencv: Any = cv2
except ImportError as missing:
    WHY_NOT_REAL = f"OpenCV cannot be imported ({missing}): the real library was NOT tested"
needs_opencv = pytest.mark.skipif(WHY_NOT_REAL is not None, reason=str(WHY_NOT_REAL))
LIBRARIES = ["stand-in", pytest.param("real", marks=needs_opencv)]

NewVideo = Callable[[], str]


@pytest.fixture(autouse=True)
def no_notice_was_given() -> Iterator[None]:
    """Each test sees its notices."""
    _notice.forget()
    yield
    _notice.forget()


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """OpenCV as the SDK uses it."""
    chosen = real_opencv if request.param == "real" else fake_opencv
    monkeypatch.setattr(device_camera, "camera_library", lambda: chosen)
    return chosen


@pytest.fixture
def new_video(library: Any, tmp_path: Path) -> NewVideo:
    """Makes a file with the frames of the stand-in."""

    def make() -> str:
        path = tmp_path / "camera.avi"
        if library is fake_opencv:
            path.touch()
            return str(path)
        writer = library.VideoWriter(str(path), library.VideoWriter_fourcc(*"MJPG"), 30, (320, 240))
        for number in range(fake_opencv.FRAMES):
            writer.write(numpy.full((240, 320, 3), 10 * number, "u1"))
        writer.release()
        return str(path)

    return make


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.slept_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds
        self.slept_s += seconds


def brightness(frame: Any) -> int:
    return round(float(frame.mean()) / 10)


def test_the_stand_in_does_what_the_library_does(library: Any, new_video: NewVideo) -> None:
    capture = library.VideoCapture(new_video())
    assert capture.isOpened() is True
    assert capture.get(library.CAP_PROP_FRAME_WIDTH) == 320.0
    assert capture.get(library.CAP_PROP_FRAME_HEIGHT) == 240.0
    for wanted in (library.CAP_PROP_BUFFERSIZE, library.CAP_PROP_FRAME_WIDTH):
        assert capture.set(wanted, 1) is False
    assert library.VideoWriter_fourcc(*"MJPG") == 0x47504A4D
    ok, frame = capture.read()
    assert ok is True
    assert (frame.shape, frame.dtype, brightness(frame)) == ((240, 320, 3), numpy.uint8, 0)
    assert capture.grab() is True
    assert brightness(capture.read()[1]) == 2
    while capture.grab():
        pass
    assert capture.read() == (False, None)
    capture.release()
    assert capture.isOpened() is False
    assert capture.read() == (False, None)
    missing = library.VideoCapture(new_video() + " is not here")
    assert missing.isOpened() is False
    missing.release()
    assert issubclass(library.error, Exception)


def test_a_camera_is_opened_by_the_first_frame_and_released_at_the_close(
    library: Any, new_video: NewVideo, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []

    def open_it(device: str) -> Any:
        opened.append(library.VideoCapture(device))
        return opened[-1]

    counted = SimpleNamespace(**{**vars(library), "VideoCapture": open_it})
    monkeypatch.setattr(device_camera, "camera_library", lambda: counted)
    camera = DeviceCamera(new_video())
    assert opened == []
    frames = [camera.read() for _ in range(3)]
    assert [brightness(frame) for frame in frames] == [0, 1, 2]
    assert len(opened) == 1
    camera.close()
    camera.close()
    assert opened[0].isOpened() is False
    assert camera.read() is None
    assert len(opened) == 1


def test_the_lens_is_that_of_the_robot_unless_it_is_set(library: Any, new_video: NewVideo) -> None:
    camera = DeviceCamera(new_video())
    assert camera.resolution == (320, 240)
    assert camera.K[0][2] == 160
    assert camera.K[0][0] == pytest.approx(137, abs=1)
    assert len(camera.D) == 5
    camera.K, camera.D = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0] * 5
    assert (camera.K[0][0], camera.D[0]) == (1, 0)


def test_frames_that_the_driver_kept_are_dropped(library: Any, new_video: NewVideo) -> None:
    clock = Clock()
    camera = DeviceCamera(new_video(), clock, clock.sleep)
    assert brightness(camera.read()) == 0
    assert brightness(camera.read()) == 1
    clock.now_s += 1
    assert brightness(camera.read()) == 6


def test_a_camera_that_stops_is_reported_once_and_opened_again_later(
    library: Any, new_video: NewVideo, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    camera = DeviceCamera(new_video(), clock, clock.sleep)
    frames = [camera.read() for _ in range(fake_opencv.FRAMES)]
    assert all(frame is not None for frame in frames)
    assert [camera.read() for _ in range(30)] == [None] * 30
    assert clock.slept_s == pytest.approx(29 / 30)  # a loop without a camera is not a busy one
    clock.now_s += 5
    assert brightness(camera.read()) == 0
    (notice,) = caplog.messages
    assert notice == (
        "The camera sends no frames any more. Check its cable; it is opened again 5 s later. "
        "Until then, get_frame() returns None."
    )


def test_a_camera_that_does_not_exist_is_reported_once(
    library: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    camera = DeviceCamera(str(tmp_path / "video7"), clock, clock.sleep)
    for _ in range(400):
        assert camera.read() is None
    assert camera.resolution == (1280, 720)
    (notice,) = caplog.messages
    if sys.platform == "linux":
        assert notice.startswith(f"There is no camera: {tmp_path / 'video7'} does not exist.")
    assert notice.endswith("Until then, get_frame() returns None.")


def test_attempts_to_open_a_camera_are_some_seconds_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    attempts: list[float] = []

    class Busy(fake_opencv.VideoCapture):
        def __init__(self, device: int | str) -> None:
            attempts.append(clock.now_s)
            super().__init__(-1)

    busy = SimpleNamespace(**{**vars(fake_opencv), "VideoCapture": Busy})
    monkeypatch.setattr(device_camera, "camera_library", lambda: busy)
    clock, device = Clock(), tmp_path / "camera"
    device.touch()
    camera = DeviceCamera(str(device), clock, clock.sleep)
    while clock.now_s < 112:
        camera.read()
    assert attempts == pytest.approx([100, 105, 110], abs=0.1)
    (notice,) = caplog.messages
    assert "cannot be opened. Another program may be using it" in notice


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files for cameras")
@pytest.mark.parametrize("device", ["3", "/dev/video3", "by-id"])
def test_opencv_gets_the_number_of_a_camera(
    device: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[object] = []

    class Camera(fake_opencv.VideoCapture):
        def __init__(self, given: object) -> None:
            asked.append(given)
            super().__init__(__file__)

    library = SimpleNamespace(**{**vars(fake_opencv), "VideoCapture": Camera})
    if device == "by-id":
        link = tmp_path / "camera"
        link.symlink_to("/dev/video3")
        device = str(link)
    monkeypatch.setattr(linux_devices, "why_not", lambda file: None)
    monkeypatch.setattr(device_camera, "camera_library", lambda: library)
    assert DeviceCamera(device).read() is not None
    assert asked == [3]


@pytest.mark.parametrize(
    ("cause", "todo"),
    [
        ("libGL.so.1: cannot open shared object file", "Install this library of the system; on "),
        ("numpy.core.multiarray failed to import", "Install opencv-python again."),
    ],
)
def test_a_broken_library_is_reported_once(
    cause: str,
    todo: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken() -> Any:
        raise ImportError(cause)

    monkeypatch.setattr(device_camera, "camera_library", broken)
    (tmp_path / "camera").touch()
    camera = DeviceCamera(str(tmp_path / "camera"))
    assert [camera.read(), camera.read()] == [None, None]
    (notice,) = caplog.messages
    assert notice.startswith(f"OpenCV cannot be imported ({cause}). {todo}")
    assert notice.endswith(" Until then, get_frame() returns None.")


def test_a_close_does_not_wait_for_a_read_that_hangs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hangs, end, released = threading.Event(), threading.Event(), threading.Event()

    class Hanging(fake_opencv.VideoCapture):
        def read(self) -> tuple[bool, Any]:
            hangs.set()
            end.wait(30)
            return super().read()

        def release(self) -> None:
            released.set()

    library = SimpleNamespace(**{**vars(fake_opencv), "VideoCapture": Hanging})
    monkeypatch.setattr(device_camera, "camera_library", lambda: library)
    (tmp_path / "camera").touch()
    camera = DeviceCamera(str(tmp_path / "camera"))
    frames: list[Any] = []
    reader = in_background(lambda: frames.append(camera.read()))
    assert hangs.wait(30)
    camera.close()
    assert not released.is_set()
    end.set()
    reader.join(30)
    assert released.is_set()
    assert frames == [None]


@pytest.mark.parametrize("backend", ["lite", "simulation"])
def test_a_robot_has_the_camera_of_the_environment(
    library: Any,
    new_video: NewVideo,
    new_peer: NewPeer,
    backend: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(camera_module, "_is_installed", lambda module: True)
    monkeypatch.setenv("ROBOT_CAMERA_DEVICE", new_video())
    if backend == "simulation":
        monkeypatch.setenv("ROBOT_CAMERA", "device")
    with Robot(new_peer(welcome={**WELCOME, "backend": backend}).url) as robot:
        frame = robot.media.get_frame()
        assert frame is not None
        assert frame.shape == (240, 320, 3)
        with pytest.raises(ValueError, match="from 0 to 320, not 321"):
            robot.look_at_image(321, 0)
