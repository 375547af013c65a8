"""Uses the daemon's REST interface from inside, as if it were a page in a browser."""

import json
import threading
import time
import urllib.request

from robot import Robot, RobotApp

API = "http://localhost:8000/api"


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        API + path, data=data, method=method, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=5) as response:
        return json.load(response)


class RestCaller(RobotApp):
    dont_start_webserver = True

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        print("daemon", call("GET", "/daemon/status")["version"], flush=True)
        call("POST", "/motors/set_mode/enabled")
        print("motors", call("GET", "/motors/status")["mode"], flush=True)
        volume = call("GET", "/volume/current")["volume"]
        print("volume", call("POST", "/volume/set", {"volume": volume})["volume"] == volume, flush=True)
        while not stop_event.is_set():
            for yaw in (0.3, -0.3):
                move = call(
                    "POST",
                    "/move/goto",
                    {
                        "head_pose": {"x": 0, "y": 0, "z": 0, "roll": 0, "pitch": 0.1, "yaw": yaw},
                        "antennas": [yaw, -yaw],
                        "body_yaw": yaw / 2,
                        "duration": 0.6,
                        "interpolation": "minjerk",
                    },
                )
                while any(m["uuid"] == move["uuid"] for m in call("GET", "/move/running")):
                    time.sleep(0.05)
            state = call("GET", "/state/full?with_control_mode=true")
            print("state", state["control_mode"], len(state["antennas_position"]), flush=True)
            target = {"target_head_pose": {"roll": 0.2}, "target_antennas": [0.4, -0.4]}
            print("target", call("POST", "/move/set_target", target)["status"], flush=True)
            move = call("POST", "/move/play/recorded-move-dataset/someone/emotions-library/curious1")
            time.sleep(0.3)
            print("stopped:", call("POST", "/move/stop", {"uuid": move["uuid"]})["message"], flush=True)
            robot.goto_target(antennas=[0, 0], duration=0.3)


if __name__ == "__main__":
    app = RestCaller()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
