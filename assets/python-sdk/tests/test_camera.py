"""The simulated camera: its frames, and looks at what they show."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest
from conftest import Eventually, NewPeer, in_background
from peer import EXAMPLES, WELCOME, Peer

from robot import CameraUnavailable, Robot, create_head_pose

numpy: Any = pytest.importorskip("numpy", reason="the simulated camera needs numpy")

from robot._camera.renderer import Renderer  # it needs numpy
from robot._camera.simulated_camera import SimulatedCamera
from robot.media.scene import TARGETS, Ball
from robot.vision.look_at import CAMERA_IN_HEAD

pytestmark = pytest.mark.torture  # in real time

STATE = next(reply for reply in EXAMPLES["replies"] if reply["type"] == "state")
SIZE = (640, 480)
FOCAL_LENGTH = 500
NEUTRAL = create_head_pose().ravel().tolist()


def centre_of(frame: Any, ball: Ball) -> tuple[float, float] | None:
    """The mean pixel of a ball; None if it is not in the frame."""
    rows, columns = (frame == ball.colour).all(axis=2).nonzero()
    return (float(columns.mean()), float(rows.mean())) if len(rows) else None


def frame_of(robot: Robot) -> Any:
    """The next frame."""
    frame = robot.media.get_frame()
    assert frame is not None
    return frame


def target(name: str) -> Ball:
    return next(ball for ball in TARGETS if ball.name == name)


def off_centre_deg(pixel: tuple[float, float]) -> float:
    return math.degrees(math.atan(math.hypot(pixel[0] - 320, pixel[1] - 240) / FOCAL_LENGTH))


def show(peer: Peer, robot: Robot, head: Any) -> None:
    """Lets the robot measure a pose of the head."""
    pose = numpy.array(head).ravel().tolist()
    peer.reply(**{**STATE, "head": pose})
    while numpy.abs(robot.get_current_head_pose().ravel() - pose).max() > 1e-9:
        threading.Event().wait(0.002)


@pytest.mark.parametrize("backend", ["simulation", "emulator"])
def test_a_simulated_or_emulated_robot_has_frames(new_peer: NewPeer, backend: str) -> None:
    with Robot(new_peer(welcome={**WELCOME, "backend": backend}).url) as robot:
        frame = frame_of(robot)
        assert (frame.shape, frame.dtype) == ((480, 640, 3), numpy.uint8)
        frame[:] = 0  # the app may draw on it
        assert frame_of(robot).any()
        camera = robot.media.camera
        assert camera
        assert camera is robot.media.camera
        assert getattr(camera.read(), "shape", None) == frame.shape
        assert camera.resolution == SIZE
        assert camera.K.tolist() == [[500, 0, 320], [0, 500, 240], [0, 0, 1]]
        assert camera.D.tolist() == [0] * 5


def test_balls_are_where_the_lens_shows_them() -> None:
    renderer = Renderer(SIZE, FOCAL_LENGTH)
    seen = set()
    for yaw, pitch, roll in ((0, 0, 0), (30, 5, 0), (-25, -5, 20), (170, 0, -10), (5, 15, 0)):
        head = create_head_pose(yaw=yaw, pitch=pitch, roll=roll, z=5, mm=True)
        frame = renderer.render(head.ravel().tolist())
        camera = head @ numpy.array(CAMERA_IN_HEAD)
        for ball in TARGETS:
            x, y, z, _ = numpy.linalg.inv(camera) @ [*ball.position, 1]
            pixel = (FOCAL_LENGTH * x / z + 320, FOCAL_LENGTH * y / z + 240)
            margin = FOCAL_LENGTH * ball.radius / z + 2
            if z > 0 and margin < pixel[0] < 640 - margin and margin < pixel[1] < 480 - margin:
                seen.add(ball.name)
                assert centre_of(frame, ball) == pytest.approx(pixel, abs=1.5), ball.name
    assert seen == {ball.name for ball in TARGETS}


def test_a_ball_hides_what_is_behind_it_and_is_as_wide_as_its_distance_makes_it() -> None:
    far = Ball("far", (4.0, 0.0, 0.0512), 0.5, (1, 2, 3))
    near = Ball("near", (1.0437, 0.0, 0.0512), 0.1, (4, 5, 6))
    for order in ((far, near), (near, far)):
        frame = Renderer(SIZE, FOCAL_LENGTH, order).render(NEUTRAL)
        assert tuple(frame[240, 320]) == near.colour
        wide = (frame[240] == near.colour).all(axis=1).sum()
        assert wide == pytest.approx(2 * 500 * math.tan(math.asin(0.1)), abs=1.5)


def test_balls_behind_beside_and_around_the_camera_do_not_harm() -> None:
    around = [
        Ball("around", (0.05, 0.0, 0.05), 0.1, (1, 1, 1)),
        Ball("behind", (-1.0, 0.0, 0.05), 0.1, (2, 2, 2)),
        Ball("beside", (0.05, 0.2, 0.05), 0.1, (3, 3, 3)),
        Ball("below", (0.1, 0.0, -0.4), 0.2, (4, 4, 4)),
    ]
    frame = Renderer(SIZE, FOCAL_LENGTH, around).render(NEUTRAL)
    assert [ball.name for ball in around if centre_of(frame, ball)] == []


@pytest.mark.parametrize("roll", [0, 30, 90, 180])
def test_the_sky_is_above_the_horizon_and_the_floor_below(roll: float) -> None:
    frame = Renderer(SIZE, FOCAL_LENGTH, ()).render(create_head_pose(roll=roll).ravel().tolist())
    up = (-math.sin(math.radians(roll)), -math.cos(math.radians(roll)))
    for side in (1, -1):
        u, v = round(320 + side * 200 * up[0]), round(240 + side * 200 * up[1])
        blue, _, red = (int(part) for part in frame[v, u])
        assert (blue > red + 20) == (side == 1)


def test_extreme_poses_have_frames() -> None:
    renderer = Renderer(SIZE, FOCAL_LENGTH)
    for head in (
        create_head_pose(pitch=90),
        create_head_pose(pitch=-90),
        create_head_pose(z=-5),
        create_head_pose(z=1000, pitch=40),
        create_head_pose(x=1e6),
        numpy.zeros((4, 4)),
    ):
        assert renderer.render(head.ravel().tolist()).shape == (480, 640, 3)


def test_the_camera_moves_with_the_measured_head(peer: Peer, robot: Robot) -> None:
    show(peer, robot, numpy.eye(4))
    ahead = centre_of(frame_of(robot), target("red"))
    show(peer, robot, create_head_pose(yaw=10))
    turned = centre_of(frame_of(robot), target("red"))
    assert ahead
    assert turned
    assert turned[0] - ahead[0] == pytest.approx(500 * math.tan(math.radians(10)), abs=3)


@pytest.mark.parametrize("name", ["red", "green", "blue"])
@pytest.mark.parametrize("start", [{}, {"yaw": 5, "pitch": 5, "roll": 10, "z": 0.02}])
def test_a_look_brings_a_ball_5_m_away_to_the_centre(
    peer: Peer, robot: Robot, name: str, start: dict[str, Any]
) -> None:
    show(peer, robot, create_head_pose(**start))
    pixel = centre_of(frame_of(robot), target(name))
    assert pixel
    looks: list[Any] = []
    thread = in_background(lambda: looks.append(robot.look_at_image(*pixel, duration=0.2)))
    request = peer.next_message("goto_target")
    assert (request["bodyYaw"], request["durationS"]) == (None, 0.2)
    show(peer, robot, request["head"])
    peer.done(request)
    thread.join()
    assert looks[0].ravel().tolist() == pytest.approx(request["head"])
    seen = centre_of(frame_of(robot), target(name))
    assert seen
    assert off_centre_deg(seen) < 1


@pytest.mark.parametrize(("name", "most_deg"), [("yellow", 1.1), ("magenta", 1.1), ("cyan", 2.8)])
def test_looks_at_nearer_balls_miss_by_less_than_is_documented(
    peer: Peer, robot: Robot, name: str, most_deg: float
) -> None:
    show(peer, robot, create_head_pose(yaw=20 if name == "yellow" else 0))
    pixel = centre_of(frame_of(robot), target(name))
    assert pixel
    pose = robot.look_at_image(*pixel, perform_movement=False)
    show(peer, robot, pose)
    seen = centre_of(frame_of(robot), target(name))
    assert seen
    assert off_centre_deg(seen) < most_deg


def test_a_look_without_a_duration_is_a_target_and_one_without_movement_is_only_a_pose(
    peer: Peer, robot: Robot
) -> None:
    pose = robot.look_at_image(400, 200, 0)
    assert peer.next_message("set_target")["head"] == pose.ravel().tolist()
    assert robot.look_at_image(u=400, v=200, perform_movement=False).tolist() == pose.tolist()
    robot.set_target(body_yaw=0.5)
    assert peer.next_message("set_target") == {"type": "set_target", "bodyYaw": 0.5}
    assert robot.T_head_cam[:3, 3].tolist() == [0.0437, 0.0, 0.0512]


def test_a_look_outside_of_the_image_or_without_a_camera_is_refused(
    peer: Peer, robot: Robot
) -> None:
    for pixel in ((-1, 10), (10, 481)):
        with pytest.raises(ValueError, match="must be a pixel of the image"):
            robot.look_at_image(*pixel)
    with pytest.raises(ValueError, match="duration must be above 0"):
        robot.look_at_image(10, 10, -1)
    robot.release_media()
    with pytest.raises(CameraUnavailable, match="media are released"):
        robot.look_at_image(10, 10)


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now_s = 5.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def test_a_loop_gets_30_frames_a_second_and_a_single_frame_at_once() -> None:
    clock = Clock()
    camera = SimulatedCamera(lambda: NEUTRAL, clock, clock.sleep)
    camera.read()
    assert clock.now_s == 5.0
    for _ in range(30):
        camera.read()
    assert clock.now_s == pytest.approx(6.0, abs=0.002)
    clock.now_s += 10.01
    camera.read()
    assert clock.now_s == pytest.approx(16.01, abs=0.002)


def test_several_threads_share_the_frames(robot: Robot) -> None:
    counts = [0] * 4

    def watch(at: int) -> None:
        for _ in range(6):
            counts[at] += robot.media.get_frame() is not None

    threads = [in_background(lambda at=at: watch(at)) for at in range(4)]  # type: ignore[misc]
    for thread in threads:
        thread.join(30)
    assert counts == [6] * 4


def test_without_the_daemon_or_after_the_close_there_is_no_frame(
    peer: Peer, robot: Robot, eventually: Eventually
) -> None:
    assert robot.media.get_frame() is not None
    media = robot.media
    peer.kill()
    eventually(lambda: media.get_frame() is None)
    robot.close()
    assert media.get_frame() is None
    assert media.get_frame_jpeg() is None
