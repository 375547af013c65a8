"""The antennas are the two hands of a theremin: one is the pitch, the other the volume."""

import math
import threading
import time

import numpy as np

from robot import Robot, RobotApp, create_head_pose

ANTENNAS = ["right_antenna", "left_antenna"]
BLOCK = 0.1


class Theremin(RobotApp):
    custom_app_url = None

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        robot.enable_motors()
        robot.goto_target(head=create_head_pose(), antennas=[0.5, -0.5], duration=0.5)
        robot.disable_motors(ids=ANTENNAS)
        robot.media.start_playing()
        rate = robot.media.get_output_audio_samplerate()
        print("soft antennas:", robot.client.get_status().backend_status.motor_control_mode, flush=True)
        phase = 0.0
        blocks = 0
        try:
            while not stop_event.is_set():
                right, left = robot.get_present_antenna_joint_positions()
                frequency = 220 * 2 ** (abs(right) / math.pi * 3)
                volume = min(1.0, abs(left) / math.pi)
                t = np.arange(int(rate * BLOCK)) / rate
                block = volume * np.sin(phase + 2 * np.pi * frequency * t).astype(np.float32)
                phase = (phase + 2 * np.pi * frequency * BLOCK) % (2 * np.pi)
                robot.media.push_audio_sample(block)
                robot.set_target_head_pose(create_head_pose(roll=15 * math.sin(2 * time.time())))
                blocks += 1
                if blocks % 10 == 0:
                    print(f"{frequency:.0f} Hz at {volume:.2f}", flush=True)
                time.sleep(BLOCK * 0.9)
        finally:
            robot.media.stop_playing()
            robot.enable_motors(ids=ANTENNAS)
            print("hands off", flush=True)


if __name__ == "__main__":
    app = Theremin()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
