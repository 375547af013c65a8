"""Why a request to an endpoint failed."""

from __future__ import annotations

import re

MAX_TEXT = 500
_TOO_LARGE = re.compile(
    r"input (?:\((\d+) tokens\) )?is too large to process\..*?(?:batch size: (\d+)\))?"
)
_UNSERVED = re.compile(r"This server does not support ([\w ]+)\. Start it with.*")


class Failure(Exception):
    """A failed request. The text goes on after "The endpoint lab/chat", without a full stop first."""

    def __init__(self, what: str, status: int | None = None) -> None:
        """Takes the HTTP status of the answer; None: there was none, or it was not the reason."""
        super().__init__(what)
        self.status = status


def refusal(status: int, code: str, message: str) -> Failure:
    """The failure that an answer with an error status stands for.

    Args:
        status: the HTTP status.
        code: the error's code, or an empty text.
        message: the server's sentence, or an empty text.
    """
    message = _for_users(message)
    said = f": {message}" if message else "."
    if status in (401, 403):
        key = "The key of an app is valid until its run ends: start the app again."
        return Failure(f"refused the request ({status}){said} {key}", status)
    if code == "endpoint_not_found":
        another = "Choose another one on the app's page in Robot Desktop."
        return Failure(f"does not exist any more. {another}", status)
    if status == 503:
        return Failure(f"cannot be used now{said}", status)
    if status == 429:
        return Failure(f"has too many requests{said}", status)
    verb = "refused the request" if status < 500 else "failed"
    return Failure(f"{verb} ({status}){said}", status)


def _for_users(message: str) -> str:
    """The sentence, without advice of llama-server for those who start it."""
    too_large = _TOO_LARGE.fullmatch(message)
    if too_large:
        tokens, most = too_large.groups()
        has = f"The text has {tokens} tokens" if tokens else "The text is too long"
        room = f", and the endpoint takes at most {most} tokens at once" if most else ""
        return f"{has}{room}. Shorten it, or send it in parts."
    unserved = _UNSERVED.fullmatch(message)
    if unserved:
        return f"It does not serve {unserved[1]}. Use an endpoint whose task it is."
    return message


def one_line(text: object) -> str:
    """The printable characters of `text` in one line, bounded."""
    line = " ".join(str(text)[: 2 * MAX_TEXT].split())
    shown = "".join(each for each in line if each.isprintable())
    return shown if len(shown) <= MAX_TEXT else f"{shown[:MAX_TEXT]}…"
