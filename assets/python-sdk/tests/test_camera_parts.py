"""Cameras as Linux lists them, and frames as JPEG images."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from robot import _notice
from robot._camera import linux_devices
from robot._camera.jpeg import encode_jpeg


@pytest.fixture(autouse=True)
def no_notice_was_given() -> Iterator[None]:
    """Each test sees its notices."""
    _notice.forget()
    yield
    _notice.forget()


def list_camera(folder: Path, name: str, index: int, vendor: str, product: str) -> None:
    """Lists a camera as Linux does: a link to an interface of a USB device."""
    usb = folder / "usb" / name
    interface = usb / "1-0"
    interface.mkdir(parents=True)
    (usb / "idVendor").write_text(f"{vendor}\n")
    (usb / "idProduct").write_text(f"{product}\n")
    listed = folder / "listed" / name
    listed.mkdir(parents=True)
    (listed / "index").write_text(f"{index}\n")
    (listed / "device").symlink_to(interface)


@pytest.mark.skipif(sys.platform == "win32", reason="Linux lists its cameras by links")
def test_on_linux_the_robots_own_camera_is_chosen_else_the_first(tmp_path: Path) -> None:
    listed = tmp_path / "listed"
    assert linux_devices.find_camera(listed) == "/dev/video0"
    list_camera(tmp_path, "video10", 0, "1234", "5678")
    list_camera(tmp_path, "video2", 0, "1234", "5678")
    list_camera(tmp_path, "video1", 1, "1234", "5678")
    assert linux_devices.find_camera(listed) == "/dev/video2"
    list_camera(tmp_path, "video4", 1, "38fb", "1002")
    list_camera(tmp_path, "video5", 0, "38fb", "1002")
    assert linux_devices.find_camera(listed) == "/dev/video5"


def test_a_missing_permission_is_named_with_its_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "exists", lambda path: True)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(Path, "group", lambda self: "video")
    assert linux_devices.why_not("/dev/video0") == (
        "The permission for the camera /dev/video0 is missing. Add this user to the group "
        '"video", then log in again.'
    )


@pytest.mark.parametrize("library", ["cv2", "PIL"])
def test_a_frame_is_a_jpeg_by_either_library(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    numpy: Any = pytest.importorskip("numpy", reason="frames need numpy")
    why = f"{library} cannot be imported: its JPEG images were NOT tested"
    pytest.importorskip(library, reason=why, exc_type=ImportError)
    reader: Any = pytest.importorskip("PIL.Image", reason="nothing to read the JPEG image with")
    if library == "PIL":
        monkeypatch.setitem(sys.modules, "cv2", None)
    frame = numpy.zeros((48, 64, 3), "u1")
    frame[:, :, 0] = 250  # blue
    image = encode_jpeg(frame)
    assert image
    decoded = reader.open(BytesIO(image))
    assert (decoded.format, decoded.size) == ("JPEG", (64, 48))
    red, green, blue = decoded.getpixel((32, 24))
    assert blue > 200
    assert max(red, green) < 40


def test_without_both_libraries_there_is_no_jpeg_which_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert [encode_jpeg([]), encode_jpeg([])] == [None, None]
    (notice,) = caplog.messages
    assert notice.startswith("get_frame_jpeg() needs the library OpenCV or Pillow")
