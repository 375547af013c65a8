"""Opens its robot by itself; the class is there for the entry point only."""

import time

from robot import Robot, RobotApp, create_head_pose


class Sway(RobotApp):
    def run(self, robot, stop_event):
        sway(robot)


def sway(robot):
    while True:
        robot.goto_target(head=create_head_pose(roll=12), antennas=[0.4, 0.4], duration=0.6)
        robot.goto_target(head=create_head_pose(roll=-12), antennas=[-0.4, -0.4], duration=0.6)
        print("swayed", flush=True)
        time.sleep(0.05)


def main():
    with Robot(media_backend="no_media", localhost_only=True, timeout=10.0, spawn_daemon=False) as mini:
        if mini.client.get_status().simulation_enabled:
            print("a simulated one", flush=True)
        try:
            sway(mini)
        except KeyboardInterrupt:
            print("interrupted", flush=True)


if __name__ == "__main__":
    main()
