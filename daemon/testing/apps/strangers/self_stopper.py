"""A short show that stops itself through the daemon, like a button on its page would."""

import logging
import threading
import urllib.request

from robot import Robot, RobotApp


class Show(RobotApp):
    custom_app_url = None

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        self.logger.setLevel(logging.INFO)
        robot.goto_target(antennas=[0.8, -0.8], duration=0.5, method="minjerk")
        robot.goto_target(antennas=[-0.8, 0.8], body_yaw=0.4, duration=0.5)
        robot.media.play_sound("dance1.wav")
        print("the show is over", flush=True)

        def stop() -> None:
            request = urllib.request.Request("http://localhost:8000/api/apps/stop-current-app", method="POST")
            urllib.request.urlopen(request, timeout=10)

        threading.Thread(target=stop, daemon=True).start()
        while not stop_event.is_set():
            robot.set_target(antennas=[-0.8, 0.8])
            stop_event.wait(0.02)


if __name__ == "__main__":
    app = Show()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
