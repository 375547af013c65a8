"""Replies to what is written on its page, and nods meanwhile."""

from __future__ import annotations

import threading
import time

from chat_reply.motion import Motion, Pose
from robot import Robot, RobotApp, create_head_pose

TICK_S = 0.02
RAMP_IN_S = 1.0


class ChatReply(RobotApp):
    """Chats on its page."""

    custom_app_url = "http://localhost:8043"
    dont_start_webserver = True

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """Faces forward and serves the page; prints the model."""
        # The modules of the web server are not needed earlier.
        from chat_reply.conversation import NEED, Conversation
        from chat_reply.page import served

        model = robot.endpoints.get(NEED)
        who = f"{model.name} ({model.model})" if model else "no model yet"
        print(f"Chatting with {who}. Write to it at {self.custom_app_url}", flush=True)
        conversation = Conversation(robot.endpoints)
        with served(conversation, self.custom_app_url or ""):
            first = Pose()
            robot.goto_target(head=head_of(first), antennas=first.antennas, duration=RAMP_IN_S)
            motion = Motion()
            due_s = last_s = time.monotonic()
            while not stop_event.is_set():
                now_s = time.monotonic()
                pose = motion.step(now_s - last_s, conversation.mood)
                last_s = now_s
                robot.set_target(head=head_of(pose), antennas=pose.antennas)
                # Counts from the time this tick was due, so that delays do not add up; skips late ticks.
                due_s = max(due_s + TICK_S, now_s)
                stop_event.wait(due_s - time.monotonic())
        print("Talk to you later.", flush=True)


def head_of(pose: Pose) -> object:
    """The 4x4 matrix of the head."""
    return create_head_pose(pitch=pose.pitch_deg, yaw=pose.yaw_deg)


if __name__ == "__main__":
    app = ChatReply()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
