"""Follows the reddest thing that the camera sees; a worker takes the frames, another moves the head."""

import threading
import time

import numpy as np

from robot import Robot, RobotApp
from robot.utils import create_head_pose
from robot.utils.interpolation import compose_world_offset, linear_pose_interpolation


class CameraWorker:
    def __init__(self, robot: Robot):
        self.robot = robot
        self.lock = threading.Lock()
        self.latest = None
        self.frames = 0
        self.stopped = False
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.stopped:
            frame = self.robot.media.get_frame()
            if frame is None:
                time.sleep(0.1)
                continue
            with self.lock:
                self.latest = frame
                self.frames += 1
            time.sleep(0.01)


class FaceFollower(RobotApp):
    custom_app_url = None
    request_media_backend = "default"

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        robot.goto_target(head=create_head_pose(yaw=12, pitch=5), antennas=[0, 0], duration=0.5, body_yaw=0)
        camera = CameraWorker(robot)
        current = create_head_pose()
        target = current
        last = time.monotonic()
        while not stop_event.is_set():
            with camera.lock:
                frame = camera.latest
            if frame is not None:
                blue, green, red = (frame[:, :, i].astype(int) for i in range(3))
                ys, xs = np.nonzero((red > 150) & (green < 90) & (blue < 90))
                if len(xs):
                    target = robot.look_at_image(
                        int(xs.mean()), int(ys.mean()), duration=0.0, perform_movement=False
                    )
            current = linear_pose_interpolation(current, target, 0.15)
            breath = create_head_pose(z=2 * np.sin(2 * time.monotonic()), mm=True)
            robot.set_target(head=compose_world_offset(current, breath, reorthonormalize=True))
            if time.monotonic() - last > 1:
                last = time.monotonic()
                yaw = np.rad2deg(np.arctan2(current[1, 0], current[0, 0]))
                print(f"{camera.frames} frames of {frame.shape if frame is not None else None}, yaw {yaw:.1f}", flush=True)
            time.sleep(1 / 60)
        camera.stopped = True
        camera.thread.join(timeout=2.0)


if __name__ == "__main__":
    app = FaceFollower()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
