"""Serves a page with its own server, which starts a while after the app."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from robot import Robot, RobotApp

PORT = 27042
STARTS_AFTER_S = 2.0

PAGE = b"""<!doctype html><html lang="en"><title>A name of its own</title><h1>The page of own_page</h1>
<a href="/more">More</a> <a href="https://evil.test/">Elsewhere</a>
<a href="http://127.0.0.1:8000/" target="_blank">The robot</a></html>"""


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(PAGE)

    do_HEAD = do_GET

    def log_message(self, *args):
        pass


class OwnPage(RobotApp):
    custom_app_url = f"http://0.0.0.0:{PORT}/"
    dont_start_webserver = True

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        print("ready", flush=True)
        stop_event.wait(STARTS_AFTER_S)
        try:
            server = ThreadingHTTPServer(("127.0.0.1", PORT), Page)
        except OSError as error:
            print(f"no page: {error}", flush=True)
            stop_event.wait()
            return
        threading.Thread(target=server.serve_forever, daemon=True).start()
        stop_event.wait()
        server.shutdown()


if __name__ == "__main__":
    app = OwnPage()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
