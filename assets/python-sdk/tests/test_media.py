"""The devices that an app asks for, and gets: sound, camera, or neither."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Eventually
from peer import Peer
from programs import start_app
from tones import tone

from robot import Robot, RobotError, _notice
from robot._camera import camera as camera_module
from robot.media.media_backend import choose_backend
from robot.media.media_manager import MediaBackend, MediaManager

HEAD = [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


@pytest.fixture(autouse=True)
def no_notice_was_given() -> Iterator[None]:
    """Each test sees its notices."""
    _notice.forget()
    yield
    _notice.forget()


def new_media(backend: object = None, robot_backend: str = "simulation") -> MediaManager:
    return MediaManager(backend, robot_backend=robot_backend, head=lambda: HEAD)


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        (None, MediaBackend.DEFAULT),
        ("default", MediaBackend.DEFAULT),
        ("local", MediaBackend.DEFAULT),
        ("DEFAULT", MediaBackend.DEFAULT),
        ("sounddevice_opencv", MediaBackend.DEFAULT),
        ("default_no_video", MediaBackend.DEFAULT_NO_VIDEO),
        ("gstreamer_no_video", MediaBackend.DEFAULT_NO_VIDEO),
        ("gstreamer", MediaBackend.GSTREAMER),
        ("webrtc", MediaBackend.WEBRTC),
        ("no_media", MediaBackend.NO_MEDIA),
        (MediaBackend.NO_MEDIA, MediaBackend.NO_MEDIA),
        (MediaBackend.LOCAL, MediaBackend.DEFAULT),
    ],
)
def test_an_app_asks_for_media_by_name(asked: object, chosen: MediaBackend) -> None:
    assert choose_backend(asked) is chosen
    assert new_media(asked).backend is chosen


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    for unknown in ("opencv", 3, "", "missing"):
        with pytest.raises(ValueError, match="must be one of default, local, .*no_media, not "):
            choose_backend(unknown)


def clear_as_apps_do(media: Any) -> None:
    """Drops the queue as apps do, which compare the backend."""
    if media.backend == MediaBackend.GSTREAMER:
        media.audio.clear_player()
    elif media.backend in (MediaBackend.DEFAULT, MediaBackend.DEFAULT_NO_VIDEO):
        media.audio.clear_output_buffer()


@pytest.mark.parametrize("asked", [None, "local", "default_no_video", "gstreamer"])
def test_an_interrupted_app_drops_what_it_pushed_and_can_push_again(
    asked: object, eventually: Eventually
) -> None:
    media = new_media(asked)
    media.start_playing()
    media.push_audio_sample(tone(440, 30))
    eventually(lambda: len(media.played()) > 800)
    clear_as_apps_do(media)
    frames = len(media.played())
    assert frames < 20 * 16_000
    time.sleep(0.1)
    assert len(media.played()) == frames
    media.push_audio_sample([0.5] * 160)
    eventually(lambda: len(media.played()) == frames + 160)
    media.close()


def test_a_cleared_queue_keeps_the_sounds_of_files_and_opens_nothing(
    eventually: Eventually,
) -> None:
    media = new_media()
    media.clear_output_buffer()
    media.clear_player()
    assert media.audio
    assert media.audio._chosen_card is None
    media.play_sound("count")
    media.push_audio_sample([0.1] * 16_000)
    media.audio.clear_output_buffer()
    eventually(lambda: len(media.played()) == 32_000)
    media.close()


def test_audio_has_every_call_for_sound(eventually: Eventually) -> None:
    media = new_media()
    audio = media.audio
    assert audio
    assert audio is media.audio
    audio.start_recording()
    eventually(lambda: audio.get_audio_sample() is not None)
    audio.stop_recording()
    audio.start_playing()
    audio.push_audio_sample([0.5] * 160)
    audio.play_sound("wake_up.wav")
    audio.stop_playing()
    for door in (media, audio):
        assert (door.get_input_audio_samplerate(), door.get_output_audio_samplerate()) == (
            16_000,
            16_000,
        )
        assert (door.get_input_channels(), door.get_output_channels()) == (2, 1)
    media.close()


def test_no_robot_here_can_tell_the_direction_of_a_sound(caplog: pytest.LogCaptureFixture) -> None:
    media = new_media()
    assert [media.get_DoA(), media.get_DoA()] == [None, None]
    assert caplog.messages == [
        "get_DoA() returns None: this robot has no sensor for the direction of a sound."
    ]


def use_all_sound(media: MediaManager) -> list[object]:
    calls: list[Callable[[], object]] = [
        media.start_recording,
        media.get_audio_sample,
        media.stop_recording,
        media.start_playing,
        lambda: media.push_audio_sample([0.0]),
        lambda: media.play_sound("no such file"),
        media.clear_output_buffer,
        media.clear_player,
        media.stop_playing,
        media.get_DoA,
    ]
    return [call() for call in calls]


def test_without_media_calls_do_nothing_and_say_so_once(caplog: pytest.LogCaptureFixture) -> None:
    media = new_media("no_media")
    assert (media.audio, media.camera) == (None, None)
    for _ in range(2):
        assert use_all_sound(media) == [None] * 10
        assert (media.get_frame(), media.get_frame_jpeg()) == (None, None)
    assert caplog.messages == [
        'The media backend "no_media" has no sound: sound calls do nothing and return None.',
        'The media backend "no_media" has no camera: get_frame() returns None.',
    ]
    assert {record.levelno for record in caplog.records} == {logging.WARNING}
    assert (media.get_input_audio_samplerate(), media.get_output_channels()) == (16_000, 1)
    with pytest.raises(RobotError, match="no sound card"):
        media.played()
    media.close()


def test_without_video_there_is_sound(caplog: pytest.LogCaptureFixture) -> None:
    media = new_media("default_no_video")
    assert media.audio
    assert media.camera is None
    assert [media.get_frame(), media.get_frame()] == [None, None]
    assert caplog.messages == [
        'The media backend "default_no_video" has no camera: get_frame() returns None.'
    ]


def test_released_media_do_nothing_until_they_are_acquired(
    robot: Robot, caplog: pytest.LogCaptureFixture, eventually: Eventually
) -> None:
    pytest.importorskip("numpy", reason="the simulated camera needs numpy")
    assert robot.media_released is False
    robot.start_recording()
    assert robot.media.get_frame() is not None
    camera = robot.media.camera
    robot.release_media()
    robot.release_media()
    assert robot.media_released is True
    assert camera
    assert camera.read() is None
    assert use_all_sound(robot.media) == [None] * 10
    assert [robot.media.get_frame(), robot.get_audio_sample()] == [None, None]
    assert caplog.messages == [
        "The media are released: sound calls do nothing and return None until acquire_media().",
        "The media are released: get_frame() returns None until acquire_media().",
    ]
    robot.acquire_media()
    assert robot.media_released is False
    assert robot.media.get_frame() is not None
    robot.start_recording()
    eventually(lambda: robot.get_audio_sample() is not None)


@pytest.mark.parametrize("asked", ["no_media", "NO_MEDIA", MediaBackend.NO_MEDIA])
def test_a_robot_has_the_media_that_its_program_asks_for(peer: Peer, asked: str) -> None:
    with Robot(peer.url, media_backend=asked) as robot:
        assert robot.media.backend is MediaBackend.NO_MEDIA
        assert robot.client.get_status().no_media is True
        assert robot.client.get_status()["media_released"] is False
        robot.release_media()
        assert robot.client.get_status().media_released is True


def test_a_robot_with_unknown_media_is_refused(peer: Peer) -> None:
    with pytest.raises(ValueError, match="media_backend must be one of"):
        Robot(peer.url, media_backend="cinema")


def test_an_app_requests_its_media(peer: Peer, tmp_path: Path) -> None:
    source = """
    from robot.media.media_manager import MediaBackend

    class App(RobotApp):
        request_media_backend = "default_no_video"

        def run(self, robot, stop_event):
            print(robot.media.backend == MediaBackend.DEFAULT_NO_VIDEO, robot.media.get_frame())
    """
    output, errors = start_app(tmp_path, source, peer.url).communicate(timeout=30)
    assert output == "True None\n"
    assert errors.count("has no camera") == 1


@pytest.mark.parametrize(("robot_backend", "missing"), [("simulation", "numpy"), ("lite", "cv2")])
def test_without_its_library_there_is_no_camera_which_is_said_once(
    robot_backend: str,
    missing: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(camera_module, "_is_installed", lambda module: module != missing)
    media = new_media(robot_backend=robot_backend)
    assert media.camera is None
    assert [media.get_frame(), media.get_frame(), media.get_frame_jpeg()] == [None] * 3
    (notice,) = caplog.messages
    assert "which is not installed: get_frame() returns None. Depend on " in notice
    assert media.why_no_camera() == notice


def test_a_wrong_choice_of_the_camera_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOT_CAMERA", "front")
    with pytest.raises(ValueError, match="ROBOT_CAMERA .* must be 'device' or empty, not 'front'"):
        new_media().get_frame()


def test_closed_media_are_silent_and_blind() -> None:
    pytest.importorskip("numpy", reason="the simulated camera needs numpy")
    media = new_media()
    media.close()
    media.close()
    assert media.get_frame() is None
    assert media.get_audio_sample() is None


def test_a_robot_that_plays_a_sound_loads_no_numpy_for_its_camera() -> None:
    media = new_media()
    media.play_sound("wake_up")
    assert media._camera is None
    media.close()
