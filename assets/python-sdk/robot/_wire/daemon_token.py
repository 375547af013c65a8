"""The tokens for a daemon, from the environment."""

from __future__ import annotations

import os

from robot._wire.address import DaemonAddress


def run_token(address: DaemonAddress) -> str | None:
    """The token of this run: only for the daemon that gave it, as it is a secret."""
    return _from_environment("ROBOT_RUN_TOKEN", address)


def bearer_token(address: DaemonAddress) -> str | None:
    """The token to send with a request; None: none.

    That of the run, else the one in ROBOT_DAEMON_TOKEN, which a user sets for their own programs
    where the daemon requires a token of every request. It is for the daemon in ROBOT_DAEMON_URL,
    else for those of this machine. A text that no header can carry counts as none.
    """
    token = run_token(address) or _from_environment("ROBOT_DAEMON_TOKEN", address)
    if token and token.isascii() and token.isprintable() and " " not in token:
        return token
    return None


def _from_environment(name: str, address: DaemonAddress) -> str | None:
    url = os.environ.get("ROBOT_DAEMON_URL")
    if not (address.is_same(DaemonAddress.parse(url)) if url else address.is_this_machine):
        return None
    return (os.environ.get(name) or "").strip() or None
