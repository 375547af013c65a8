"""Serves a page that tries to get out of its window."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from robot import Robot, RobotApp

PORT = 27142
PAGE = Path(__file__).with_name("page.html").read_bytes()
WORKER = b"self.addEventListener('fetch', () => {}); self.addEventListener('activate', () => clients.claim());"


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        address = urlsplit(self.path)
        to = parse_qs(address.query).get("to", [""])[0]
        if address.path == "/redirect":
            self.answer(302, b"", {"Location": to})
        elif address.path == "/refresh":
            self.answer(200, PAGE, {"Refresh": f"0; url={to}"})
        elif address.path == "/file":
            self.answer(200, b"a file", {"Content-Disposition": 'attachment; filename="file.txt"'})
        elif address.path == "/worker.js":
            self.answer(200, WORKER, {"Content-Type": "text/javascript"})
        else:
            self.answer(200, PAGE, {})

    do_HEAD = do_GET
    do_POST = do_GET

    def answer(self, status, body, headers):
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *args):
        pass


class HostilePage(RobotApp):
    custom_app_url = f"http://0.0.0.0:{PORT}/"
    dont_start_webserver = True

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        server = ThreadingHTTPServer(("127.0.0.1", PORT), Page)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        stop_event.wait()
        server.shutdown()


if __name__ == "__main__":
    app = HostilePage()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
