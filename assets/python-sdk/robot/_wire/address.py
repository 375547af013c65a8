"""The daemon's address."""

from __future__ import annotations

import os
from typing import NamedTuple
from urllib.parse import urlsplit

DEFAULT_DAEMON_URL = "http://127.0.0.1:8000"


class DaemonAddress(NamedTuple):
    """The daemon's URL and its parts."""

    url: str
    host: str
    port: int
    path: str
    """The path of the socket."""

    @property
    def host_header(self) -> str:
        """The value of the HTTP header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 80 else f"{host}:{self.port}"

    @classmethod
    def parse(cls, url: str) -> DaemonAddress:
        """Parses a URL such as `http://127.0.0.1:8000`.

        Raises:
            ValueError: if it is not an `http` URL with a host.
        """
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            host = port = None
        else:
            if parts.scheme != "http" or not url.isascii() or not url.isprintable():
                host = None
        if not host:
            raise ValueError(
                f"The daemon's address {url!r} does not have the form {DEFAULT_DAEMON_URL}. "
                "Check daemon_url, or ROBOT_DAEMON_URL in the environment."
            )
        return cls(url, host, 80 if port is None else port, parts.path.rstrip("/") + "/ws/sdk")

    @classmethod
    def choose(cls, url: str | None) -> DaemonAddress:
        """Parses `url` if given, else `ROBOT_DAEMON_URL`, else the default URL."""
        return cls.parse(url or os.environ.get("ROBOT_DAEMON_URL") or DEFAULT_DAEMON_URL)
