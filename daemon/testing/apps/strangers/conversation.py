"""Talks with a (pretended) speech service over the robot's microphone and loudspeaker."""

import asyncio
import logging
import threading
import time

import numpy as np

from robot import Robot, RobotApp
from robot.media.media_manager import MediaBackend
from robot.utils import create_head_pose

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
logger = logging.getLogger("conversation")


class HeadWobbler:
    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.speaking = threading.Event()
        self.quit = threading.Event()
        self.thread = threading.Thread(target=self._loop, daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        self.quit.set()
        self.thread.join()

    def _loop(self) -> None:
        while not self.quit.is_set():
            t = time.time()
            size = 1.0 if self.speaking.is_set() else 0.1
            head = create_head_pose(0, 0, 0, 0, 4 * size * np.sin(9 * t), 10 * size * np.sin(3 * t))
            self.robot.set_target(head=head, antennas=np.deg2rad([10 * np.sin(2 * t), -10 * np.sin(2 * t)]))
            time.sleep(0.02)


class Conversation(RobotApp):
    custom_app_url = None
    dont_start_webserver = False
    request_media_backend = "default_no_video"

    def run(self, mini: Robot, stop_event: threading.Event) -> None:
        asyncio.run(self._converse(mini, stop_event))

    async def _converse(self, mini: Robot, stop_event: threading.Event) -> None:
        media = mini.media
        media.start_recording()
        media.start_playing()
        rate_in, rate_out = media.get_input_audio_samplerate(), media.get_output_audio_samplerate()
        logger.info("rates %d %d", rate_in, rate_out)
        status = mini.client.get_status(wait=False)
        if status["simulation_enabled"]:
            logger.info("simulated robot")
        wobbler = HeadWobbler(mini)
        wobbler.start()
        heard, turns = 0, 0
        try:
            while not stop_event.is_set():
                frame = media.get_audio_sample()
                if frame is not None:
                    heard += len(np.asarray(frame, dtype=np.float32).mean(axis=1))
                if heard > rate_in // 2:
                    heard = 0
                    turns += 1
                    wobbler.speaking.set()
                    voice = 0.2 * np.sin(2 * np.pi * 220 * np.arange(rate_out) / rate_out)
                    for chunk in np.array_split(voice.astype(np.float32), 10):
                        media.push_audio_sample(chunk.reshape(-1, 1))
                        await asyncio.sleep(0)
                    if turns % 2 == 0:  # the user interrupts
                        if media.backend == MediaBackend.GSTREAMER:
                            media.audio.clear_player()
                        elif media.backend in (MediaBackend.DEFAULT, MediaBackend.DEFAULT_NO_VIDEO):
                            media.audio.clear_output_buffer()
                        wobbler.speaking.clear()
                    logger.info("turn %d, frame %s", turns, media.get_frame())
                await asyncio.sleep(0.01)
        finally:
            wobbler.stop()
            media.stop_recording()
            media.stop_playing()
            mini.client.disconnect()
            logger.info("goodbye")


if __name__ == "__main__":
    app = Conversation()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
