"""Has a page with sliders and switches for its movement."""

import threading
import time

import numpy as np
from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel

from robot import Robot, RobotApp
from robot.utils import create_head_pose


class AntennaState(BaseModel):
    enabled: bool


class SettingsPanel(RobotApp):
    custom_app_url: str | None = "http://0.0.0.0:27142"
    request_media_backend: str | None = None

    def run(self, robot: Robot, stop_event: threading.Event):
        t0 = time.time()
        antennas_enabled = True
        requested_sound = threading.Event()

        @self.settings_app.post("/antennas")
        def update_antennas_state(state: AntennaState):
            nonlocal antennas_enabled
            antennas_enabled = state.enabled
            return {"antennas_enabled": antennas_enabled}

        @self.settings_app.post("/play_sound")
        def request_sound_play():
            requested_sound.set()

        @self.settings_app.get("/status")
        async def status() -> dict[str, object]:
            return {"folder": self._get_instance_path().parent.name, "antennas": antennas_enabled}

        @self.settings_app.websocket("/live")
        async def live(socket: WebSocket) -> None:
            await socket.accept()
            try:
                while True:
                    await socket.send_json({"yaw": float(robot.get_current_joint_positions()[0][0])})
                    await socket.receive_text()
            except WebSocketDisconnect:
                pass

        print("panel ready", flush=True)
        while not stop_event.is_set():
            t = time.time() - t0
            yaw_deg = 30.0 * np.sin(2.0 * np.pi * 0.2 * t)
            head_pose = create_head_pose(yaw=yaw_deg, degrees=True)
            if antennas_enabled:
                a = 25.0 * np.sin(2.0 * np.pi * 0.5 * t)
                antennas_deg = np.array([a, -a])
            else:
                antennas_deg = np.array([0.0, 0.0])
            if requested_sound.is_set():
                print("Playing sound...", flush=True)
                requested_sound.clear()
                robot.media.play_sound("wake_up.wav")
            antennas_rad = np.deg2rad(antennas_deg)
            robot.set_target(head=head_pose, antennas=antennas_rad)
            time.sleep(0.02)


if __name__ == "__main__":
    app = SettingsPanel()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
