"""Reads datasets of the hub over HTTP, within time and size limits."""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, NamedTuple
from urllib.parse import quote, urlsplit

from robot._interrupts import has_app, is_stopping
from robot._stoppable import iterated

_DEFAULT_ADDRESS = "https://huggingface.co"
_YES = ("1", "true", "yes", "on")
_STALL_S = 5.0
"""The longest wait to connect, and for the next bytes."""

_LIST_S = 20.0
_FILE_S = 120.0
_MAX_LIST_BYTES = 16 * 1024**2
MAX_FILE_BYTES = 128 * 1024**2
_CHUNK_BYTES = 1 << 16
_MAX_FILES = 20_000


class HubUnreachable(Exception):
    """The hub cannot be reached, or does not answer as a hub; the text is the reason."""


class NotOnHub(Exception):
    """The hub has no such dataset or file, or does not show it to this program."""


class Listing(NamedTuple):
    """The files of a dataset at one revision."""

    revision: str
    paths: list[str]


class Hub:
    """The hub in the environment: `ROBOT_HUB_URL`, else `HF_ENDPOINT`, else the public one.

    The daemon sets the first for the apps that it starts, if it was given another hub.
    """

    def __init__(self) -> None:
        """Reads the environment; sends nothing."""
        given = os.environ.get("ROBOT_HUB_URL") or os.environ.get("HF_ENDPOINT")
        self.address = (given or _DEFAULT_ADDRESS).rstrip("/")
        self._is_offline = os.environ.get("HF_HUB_OFFLINE", "").lower() in _YES
        self._token = os.environ.get("HF_TOKEN", "").strip()

    def list_files(self, dataset: str) -> Listing:
        """The files of a dataset.

        Raises:
            NotOnHub: if there is no such dataset.
            HubUnreachable: if the hub does not answer in time, or not as expected.
        """
        path = f"/api/datasets/{quote(dataset)}/revision/main"
        content = b"".join(self._read(path, _LIST_S, _MAX_LIST_BYTES))
        try:
            answer = json.loads(content)
            revision = answer.get("sha") or "main"
            paths = [str(file["rfilename"]) for file in answer["siblings"][:_MAX_FILES]]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise HubUnreachable(f"{self.address} does not answer like a hub") from None
        return Listing(str(revision), paths)

    def download(self, dataset: str, revision: str, path: str, to: IO[bytes]) -> None:
        """Writes a file of a dataset into `to`.

        Raises:
            NotOnHub: if there is no such file.
            HubUnreachable: if the hub does not send all of it in time.
            OSError: if it cannot be written.
        """
        at = f"/datasets/{quote(dataset)}/resolve/{quote(revision, '')}/{quote(path)}"
        for chunk in self._read(at, _FILE_S, MAX_FILE_BYTES):
            to.write(chunk)

    def _read(self, path: str, within_s: float, max_bytes: int) -> Iterator[bytes]:
        """The bytes of an answer, in chunks.

        Raises:
            AppStopping: if an app of this program is asked to stop.
        """
        chunks = self._received(path, within_s, max_bytes)
        return iterated(chunks, is_stopping) if has_app() else chunks

    def _received(self, path: str, within_s: float, max_bytes: int) -> Iterator[bytes]:
        deadline_s = time.monotonic() + within_s
        received = 0
        with self._opened(path) as answer:
            expected = answer.headers.get("Content-Length")
            while chunk := _receive(answer):
                received += len(chunk)
                if received > max_bytes:
                    raise HubUnreachable(f"{path} is larger than {max_bytes // 1024**2} MB")
                if time.monotonic() > deadline_s:
                    raise HubUnreachable(f"it did not send {path} within {within_s:g} s")
                yield chunk
            if expected is not None and expected.isdigit() and int(expected) != received:
                raise HubUnreachable(f"it sent {received} of {expected} bytes of {path}")

    @contextmanager
    def _opened(self, path: str) -> Iterator[HTTPResponse]:
        if self._is_offline:
            raise HubUnreachable("HF_HUB_OFFLINE is set")
        try:
            if urlsplit(self.address).scheme not in ("http", "https"):
                raise ValueError("its address does not begin with http:// or https://")
            request = urllib.request.Request(f"{self.address}{path}")
            if self._token:
                # Unredirected: files may be at another address, which must not get the token.
                request.add_unredirected_header("Authorization", f"Bearer {self._token}")
            answer = urllib.request.build_opener(_Redirects).open(request, timeout=_STALL_S)
        except urllib.error.HTTPError as error:
            with error:
                if error.code in (401, 403, 404, 410) and error.headers.get("X-Error-Code"):
                    raise NotOnHub(error.headers["X-Error-Code"]) from None
                if error.code in (401, 404):
                    raise NotOnHub(f"status {error.code}") from None
                raise HubUnreachable(f"{self.address} answers with status {error.code}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise HubUnreachable(f"{self.address}: {_reason(error)}") from None
        with answer:
            yield answer


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but not from https to http, nor away from HTTP."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        scheme = urlsplit(newurl).scheme
        if scheme != "https" and (scheme != "http" or req.type == "https"):
            raise urllib.error.URLError("it redirects to an address that is not secure")
        # Python 3.10 does not know 308, which is a permanent 307.
        return super().redirect_request(req, fp, 307 if code == 308 else code, msg, headers, newurl)

    http_error_308 = urllib.request.HTTPRedirectHandler.http_error_302


def _receive(answer: HTTPResponse) -> bytes:
    try:
        return answer.read1(_CHUNK_BYTES)
    except (OSError, HTTPException) as error:
        raise HubUnreachable(_reason(error)) from None


def _reason(error: Exception) -> str:
    cause = getattr(error, "reason", None) or error
    if isinstance(cause, TimeoutError):
        return f"no answer within {_STALL_S:g} s"
    return str(getattr(cause, "strerror", None) or cause or type(cause).__name__)
