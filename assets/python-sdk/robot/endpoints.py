"""The models that an app uses: `robot.endpoints["chat"]`."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from robot._arrays import Array, as_array
from robot.errors import AppStopping, RobotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, overload

    from robot._endpoint.exchange import Outgoing

_VARIABLE = re.compile(r"ROBOT_ENDPOINT_([A-Z][A-Z0-9_]{0,31})_URL")
_NEED = re.compile(r"[a-z][a-z0-9_]{0,31}")
DEFAULT_TIMEOUT_S = 120.0


class EndpointError(RobotError):
    """A request to an endpoint failed. The text names the endpoint and says what happened."""

    def __init__(self, need: str, name: str, what: str, status: int | None = None) -> None:
        """Takes what happened as the rest of the sentence that begins with the endpoint."""
        super().__init__(f'The endpoint {name} (need "{need}") {what}')
        self.need = need
        self.name = name
        self.status = status
        """The HTTP status of the answer; None: there was none, or it was not the reason."""

    def __reduce__(self) -> tuple[object, ...]:
        """Keeps the parts when another process gets the error."""
        return _restored, (str(self), self.need, self.name, self.status)


def _restored(text: str, need: str, name: str, status: int | None) -> EndpointError:
    error = EndpointError(need, name, "", status)
    error.args = (text,)
    return error


class Endpoints(Mapping[str, "Endpoint"]):
    """The endpoints that are assigned to the needs of an app, by the names of the needs.

    The daemon sets them for the apps that it starts, from `[tool.robot.needs]` in `pyproject.toml`
    and the choice on the app's page. For a program that is started by hand, set
    `ROBOT_ENDPOINT_CHAT_URL`, such as `http://127.0.0.1:8080/v1`, and `ROBOT_ENDPOINT_CHAT_MODEL`;
    also `ROBOT_ENDPOINT_CHAT_KEY` if the server asks for one.
    """

    def __init__(self, environment: Mapping[str, str], stop_event: threading.Event) -> None:
        """Reads `environment` at each use."""
        self._environment = environment
        self._stop_event = stop_event

    def __getitem__(self, need: str) -> Endpoint:
        """The endpoint for a need.

        Raises:
            KeyError: if none is assigned to `need`; the text names those that are.
        """
        read = self._environment.get
        prefix = f"ROBOT_ENDPOINT_{need.upper()}" if _is_need(need) else ""
        url = read(f"{prefix}_URL") if prefix else None
        if not url:
            raise KeyError(self._missing(need))
        return Endpoint(
            need=need,
            name=read(f"{prefix}_NAME") or need,
            url=url.rstrip("/"),
            model=read(f"{prefix}_MODEL") or "",
            key=read(f"{prefix}_KEY") or "",
            stop_event=self._stop_event,
        )

    def __iter__(self) -> Iterator[str]:
        """The needs that have an endpoint."""
        found = {_VARIABLE.fullmatch(name): url for name, url in self._environment.items()}
        return iter(sorted(match[1].lower() for match, url in found.items() if match and url))

    def __len__(self) -> int:
        """The number of needs that have an endpoint."""
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        """Names the needs."""
        return f"<Endpoints {', '.join(self) or 'none'}>"

    def _missing(self, need: object) -> str:
        others = ", ".join(f'"{each}"' for each in self)
        has = (
            f"Endpoints are assigned for {others}." if others else "No endpoint is assigned to it."
        )
        name = need if _is_need(need) else "chat"
        return (
            f'This app has no endpoint for "{need}". {has} Declare {name} in [tool.robot.needs] of '
            "pyproject.toml, and choose an endpoint for it on the app's page in Robot Desktop."
        )


class Endpoint:
    """A model that answers requests. Safe to use from several threads.

    Any server with OpenAI's interface will do. A sleeping endpoint wakes with the first request,
    which waits meanwhile. When the app is asked to stop, calls that wait raise `AppStopping` within
    0.1 s; `RobotApp` takes that for the end of `run`.
    """

    def __init__(
        self,
        *,
        need: str,
        name: str,
        url: str,
        model: str,
        key: str,
        stop_event: threading.Event,
    ) -> None:
        """See the attributes. Sends nothing."""
        self.need = need
        """The name of the need."""
        self.name = name
        """The endpoint's name, `lab/chat`; of a server without one, the name of the need."""
        self.url = url
        """The base address of OpenAI's interface, without a "/" at its end; usually ends in `/v1`."""
        self.model = model
        """The name of the model for requests; empty: the server has one model only."""
        self.key = key
        """The key for requests, valid during this run only; empty: none is needed."""
        self._stop_event = stop_event

    def __repr__(self) -> str:
        """Without the key."""
        return f"<Endpoint {self.name} for {self.need}: {self.model} at {self.url}>"

    if TYPE_CHECKING:

        @overload
        def chat(
            self,
            messages: str | Sequence[Mapping[str, Any]],
            *,
            stream: Literal[False] = False,
            temperature: float | None = None,
            max_tokens: int | None = None,
            timeout: float = DEFAULT_TIMEOUT_S,
        ) -> str: ...
        @overload
        def chat(
            self,
            messages: str | Sequence[Mapping[str, Any]],
            *,
            stream: Literal[True],
            temperature: float | None = None,
            max_tokens: int | None = None,
            timeout: float = DEFAULT_TIMEOUT_S,
        ) -> Iterator[str]: ...

    def chat(
        self,
        messages: str | Sequence[Mapping[str, Any]],
        *,
        stream: bool = False,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
    ) -> str | Iterator[str]:
        """Asks a chat model.

        Args:
            messages: the user's text, or a conversation: `[{"role": "user", "content": "Hello"}]`,
                with the roles `system`, `user` and `assistant`.
            stream: True returns an iterator over the pieces of the reply, which arrive while the
                model writes. It sends the request when the first piece is asked for.
            temperature: 0 for the most likely reply, more for varied ones, at most 2. None: the
                server's default.
            max_tokens: the length at which the reply is cut off. None: the server's default.
            timeout: the longest wait for the whole reply, in seconds; with `stream`, for each piece.

        Returns:
            The reply.

        Raises:
            EndpointError: if the endpoint is paused, failed or unreachable, refuses the request,
                does not answer in time, or breaks off.
            AppStopping: if the app is asked to stop.
            ValueError: if an argument is invalid.
        """
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        body = {
            "messages": [dict(message) for message in messages],
            "stream": stream,
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        if not body["messages"]:
            raise ValueError("messages is empty")
        outgoing = self._outgoing("chat/completions", self._with_model(body))
        _check_timeout(timeout)
        if stream:
            return self._pieces(outgoing, timeout)
        from robot._endpoint.answers import reply_in

        with self._asked(outgoing, timeout) as answer:
            return reply_in(answer.json())

    def embed(self, texts: str | Sequence[str], *, timeout: float = DEFAULT_TIMEOUT_S) -> Array:
        """Turns texts into vectors, whose directions are alike for texts with a like meaning.

        Args:
            texts: a text, or several.
            timeout: the longest wait for the answer, in seconds.

        Returns:
            The vector of one text, or a row for each of several.

        Raises:
            EndpointError, AppStopping, ValueError: see `chat`.
        """
        several = [texts] if isinstance(texts, str) else list(texts)
        _check_timeout(timeout)
        if not several:
            return as_array([])
        outgoing = self._outgoing("embeddings", self._with_model({"input": several}))
        from robot._endpoint.answers import embeddings_in

        with self._asked(outgoing, timeout) as answer:
            vectors = embeddings_in(answer.json(), len(several))
        return as_array(vectors[0] if isinstance(texts, str) else vectors)

    def request(
        self,
        path: str,
        body: object = None,
        *,
        method: str | None = None,
        content_type: str = "application/octet-stream",
        timeout: float = DEFAULT_TIMEOUT_S,
    ) -> Any:
        """Sends any request, for the tasks that have no method here.

        Args:
            path: below `url`, such as `"rerank"`. One that begins with "/" is below the endpoint's
                own address, which is `url` without its `/v1`: `"/"`, `"/health"`.
            body: sent as JSON; bytes are sent as they are; None: no body. Nothing is added to it:
                include `model` if the server needs it.
            method: the HTTP method. None: POST with a body, else GET.
            content_type: the media type of bytes.
            timeout: the longest wait for the whole answer, in seconds.

        Returns:
            The answer: decoded if it is JSON, else bytes.

        Raises:
            EndpointError, AppStopping, ValueError: see `chat`.
            TypeError: if `body` cannot be expressed in JSON.
        """
        _check_timeout(timeout)
        outgoing = self._outgoing(path, body, method, content_type)
        with self._asked(outgoing, timeout) as answer:
            is_json = answer.content_type.endswith(("/json", "+json"))
            return answer.json() if is_json else answer.read()

    def _pieces(self, outgoing: Outgoing, timeout_s: float) -> Iterator[str]:
        from robot._endpoint.answers import pieces_of

        with self._asked(outgoing, timeout_s) as answer:
            yield from pieces_of(answer)

    def _with_model(self, body: dict[str, object]) -> dict[str, object]:
        named = {"model": self.model or None, **body}
        return {name: value for name, value in named.items() if value is not None}

    def _outgoing(
        self,
        path: str,
        body: object,
        method: str | None = None,
        content_type: str = "application/octet-stream",
    ) -> Outgoing:
        import json

        from robot._endpoint.exchange import Outgoing

        if not isinstance(body, (bytes, bytearray, type(None))):
            body, content_type = json.dumps(body, allow_nan=False).encode(), "application/json"
        return Outgoing(
            method=(method or ("GET" if body is None else "POST")).upper(),
            url=self._address(path),
            key=self.key,
            body=None if body is None else bytes(body),
            content_type=content_type,
        )

    def _address(self, path: str) -> str:
        # The key must not go to another endpoint or server.
        parts = path.partition("?")[0].split("/")
        if path.startswith("//") or ".." in parts or not re.fullmatch(r"[!-~]*", path):
            raise ValueError(f"{path!r} is not a path below the endpoint's address")
        if path.startswith("/"):
            return self.url.removesuffix("/v1") + path
        return f"{self.url}/{path}"

    @contextmanager
    def _asked(self, outgoing: Outgoing, timeout_s: float) -> Iterator[Any]:
        from robot._endpoint.exchange import exchanged
        from robot._endpoint.failure import Failure
        from robot._endpoint.sockets import Stopped

        try:
            with exchanged(outgoing, timeout_s, self._stop_event) as answer:
                yield answer
        except Stopped:
            text = f"The app was asked to stop while it waited for the endpoint {self.name}."
            raise AppStopping(text) from None
        except Failure as failure:
            what = str(failure)
            if self.key:  # a server may repeat it
                what = what.replace(self.key, "…")
            raise EndpointError(self.need, self.name, what, failure.status) from None


def _is_need(name: object) -> bool:
    return isinstance(name, str) and _NEED.fullmatch(name) is not None


def _check_timeout(timeout_s: float) -> None:
    if not 0 < timeout_s <= threading.TIMEOUT_MAX:
        raise ValueError(f"timeout must be a number of seconds above 0, not {timeout_s!r}")
