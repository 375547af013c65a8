"""A model that answers the requests of an app."""

from __future__ import annotations

from contextlib import contextmanager

from robot._arrays import Array, as_array
from robot._endpoint.error import EndpointCancelled, EndpointError
from robot._endpoint.requests import check_timeout, outgoing_request
from robot.errors import AppStopping

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Literal, overload

    from robot._endpoint.exchange import Answer, Outgoing

DEFAULT_TIMEOUT_S = 120.0


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
        cancel: threading.Event | None = None,
    ) -> None:
        """See the attributes. Sends nothing.

        Args:
            need, name, url, model, key: see the attributes.
            stop_event: set when the app is asked to stop.
            cancel: see `until`.
        """
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
        self._cancel = cancel

    def until(self, cancel: threading.Event) -> Endpoint:
        """The same endpoint, for requests that end when the app sets `cancel`.

        From then on its calls raise `EndpointCancelled`, those that wait within 0.1 s: for an app
        that is interrupted while its model writes.
        """
        return Endpoint(
            need=self.need,
            name=self.name,
            url=self.url,
            model=self.model,
            key=self.key,
            stop_event=self._stop_event,
            cancel=cancel,
        )

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
            EndpointCancelled: if the event of `until` is set.
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
        outgoing = outgoing_request(self.url, self.key, "chat/completions", self._with_model(body))
        check_timeout(timeout)
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
            EndpointError, AppStopping, EndpointCancelled, ValueError: see `chat`.
        """
        several = [texts] if isinstance(texts, str) else list(texts)
        check_timeout(timeout)
        if not several:
            return as_array([])
        outgoing = outgoing_request(self.url, self.key, "embeddings", self._with_model({"input": several}))
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
            EndpointError, AppStopping, EndpointCancelled, ValueError: see `chat`.
            TypeError: if `body` cannot be expressed in JSON.
        """
        check_timeout(timeout)
        outgoing = outgoing_request(self.url, self.key, path, body, method, content_type)
        with self._asked(outgoing, timeout) as answer:
            is_json = answer.content_type.endswith(("/json", "+json"))
            return answer.json() if is_json else answer.read()

    def stream(
        self, path: str, body: object = None, *, timeout: float = DEFAULT_TIMEOUT_S
    ) -> Iterator[Any]:
        """Sends any request whose answer is streamed, such as a chat with tools.

        Args:
            path, body: see `request`. The body asks for the stream: `{"stream": True, …}`.
            timeout: the longest wait for each event, in seconds.

        Returns:
            An iterator over the server-sent events, decoded from JSON, when they arrive, without
            the `[DONE]` at their end; of a server that does not stream, its whole answer. It sends
            the request when the first one is asked for.

        Raises:
            EndpointError, AppStopping, EndpointCancelled, ValueError, TypeError: see `request`.
        """
        check_timeout(timeout)
        return self._events(outgoing_request(self.url, self.key, path, body), timeout)

    def _pieces(self, outgoing: Outgoing, timeout_s: float) -> Iterator[str]:
        from robot._endpoint.answers import pieces_of

        with self._asked(outgoing, timeout_s) as answer:
            yield from pieces_of(answer)

    def _events(self, outgoing: Outgoing, timeout_s: float) -> Iterator[Any]:
        from robot._endpoint.answers import events_of

        with self._asked(outgoing, timeout_s) as answer:
            yield from events_of(answer)

    @contextmanager
    def _asked(self, outgoing: Outgoing, timeout_s: float) -> Iterator[Answer]:
        """Sends a request, and gives its answer while the connection is open."""
        from robot._endpoint.exchange import exchanged
        from robot._endpoint.failure import Failure
        from robot._endpoint.sockets import Cancelled, Stopped

        try:
            with exchanged(outgoing, timeout_s, self._stop_event, self._cancel) as answer:
                yield answer
        except Stopped:
            text = f"The app was asked to stop while it waited for the endpoint {self.name}."
            raise AppStopping(text) from None
        except Cancelled:
            text = f"The app cancelled its request to the endpoint {self.name}."
            raise EndpointCancelled(text) from None
        except Failure as failure:
            reason = str(failure)
            if self.key:  # A server may repeat the key.
                reason = reason.replace(self.key, "…")
            raise EndpointError(self.need, self.name, reason, failure.status) from None

    def _with_model(self, body: dict[str, object]) -> dict[str, object]:
        named = {"model": self.model or None, **body}
        return {name: value for name, value in named.items() if value is not None}
