"""The daemon's address."""

from __future__ import annotations

import os

from robot._record import Record

DEFAULT_DAEMON_URL = "http://127.0.0.1:8000"
_PATH = "/ws/sdk"


class DaemonAddress(Record):
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

    @property
    def is_this_machine(self) -> bool:
        """Whether the host is a name of this machine, as far as the name tells."""
        return is_this_machine(self.host)

    def is_same(self, other: DaemonAddress) -> bool:
        """Whether both lead to the same daemon, as far as their names tell."""
        same_host = self.host == other.host or (self.is_this_machine and other.is_this_machine)
        return same_host and (self.port, self.path) == (other.port, other.path)

    @classmethod
    def of(cls, host: str, port: int) -> DaemonAddress:
        """The address of a host and a port.

        Raises:
            ValueError: if they make no address.
        """
        return cls.parse(f"http://{f'[{host}]' if ':' in host else host}:{port}")

    @classmethod
    def parse(cls, url: str) -> DaemonAddress:
        """Parses a URL such as `http://127.0.0.1:8000`.

        Raises:
            ValueError: if it is not an `http` URL with a host.
        """
        simple = _simple_parts(url)
        if simple:
            return cls(url, *simple, _PATH)
        from urllib.parse import urlsplit  # takes milliseconds

        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise _not_an_address(url) from error
        is_plain = url.isascii() and url.isprintable() and " " not in url
        if not host or not is_plain or parts.scheme != "http":
            raise _not_an_address(url)
        return cls(url, host, 80 if port is None else port, parts.path.rstrip("/") + _PATH)

    @classmethod
    def choose(cls, url: str | None) -> DaemonAddress:
        """Parses `url` if given, else `ROBOT_DAEMON_URL`, else the default URL."""
        return cls.parse(url or os.environ.get("ROBOT_DAEMON_URL") or DEFAULT_DAEMON_URL)


def _simple_parts(url: str) -> tuple[str, int] | None:
    """The host and port of `http://host:port`, whose host is a name or an IPv4 address; else None."""
    scheme, _, rest = url.partition("://")
    host, _, port = rest.partition(":")
    is_host = host.isascii() and host.replace(".", "").replace("-", "").isalnum()
    is_port = port.isascii() and port.isdecimal() and len(port) < 6 and int(port) < 1 << 16
    return (host.lower(), int(port)) if scheme == "http" and is_host and is_port else None


def _not_an_address(url: str) -> ValueError:
    return ValueError(
        f"The daemon's address {url!r} does not have the form {DEFAULT_DAEMON_URL}. "
        "Check daemon_url, host and port, or ROBOT_DAEMON_URL in the environment."
    )


def is_this_machine(host: str) -> bool:
    """Whether a host name or address is one of this machine itself."""
    name = host.lower().rstrip(".")
    return (
        name in ("localhost", "::1", "0.0.0.0", "::")
        or name.endswith(".localhost")
        or (name.startswith("127.") and name.replace(".", "").isdigit())
    )
