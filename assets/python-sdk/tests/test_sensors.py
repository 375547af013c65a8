"""Calls for sensors that this robot does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from robot import Robot

MISSING: list[tuple[Callable[[Robot], object], str]] = [
    (lambda robot: robot.imu, "This robot has no sensor for acceleration"),
    (lambda robot: robot.get_DoA(), "This robot's microphone does not measure where"),
]
WITHOUT_EFFECT: list[tuple[Callable[[Robot], None], str | None]] = [
    (lambda robot: robot.start_head_tracking(), "This robot does not look for faces"),
    (lambda robot: robot.start_head_tracking(0.5), "This robot does not look for faces"),
    (lambda robot: robot.start_head_tracking(weight=0.5), "This robot does not look for faces"),
    (lambda robot: robot.stop_head_tracking(), None),
    (lambda robot: robot.enable_wobbling(), "This robot's head does not move along"),
    (lambda robot: robot.disable_wobbling(), None),
]


@pytest.mark.parametrize(("read", "sentence"), MISSING)
def test_a_missing_sensor_measures_none_and_that_is_said_once(
    robot: Robot,
    caplog: pytest.LogCaptureFixture,
    read: Callable[[Robot], object],
    sentence: str,
) -> None:
    assert [read(robot), read(robot)] == [None, None]
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith(sentence)


@pytest.mark.parametrize(("call", "sentence"), WITHOUT_EFFECT)
def test_a_call_without_effect_says_so_once(
    robot: Robot,
    caplog: pytest.LogCaptureFixture,
    call: Callable[[Robot], None],
    sentence: str | None,
) -> None:
    for _ in range(2):
        call(robot)
    assert len(caplog.messages) == (0 if sentence is None else 1)
    assert all(message.startswith(sentence or "?") for message in caplog.messages)


def test_a_tracked_face_is_never_detected(robot: Robot) -> None:
    for face in (
        robot.get_tracked_face(),
        robot.get_tracked_face(wait=False),
        robot.get_tracked_face(True, timeout=1.0),
    ):
        assert face.detected is False
        assert (face.x, face.y, face.roll, face.ts) == (None, None, None, None)
