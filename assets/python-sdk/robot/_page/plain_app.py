"""The routes of an app's page where FastAPI is not installed."""

from __future__ import annotations

import inspect
import json
import sys
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from robot._page.plain_files import read_file

_JSON = "application/json"
_TEXT = "text/plain; charset=utf-8"
_NEEDED = (
    "This app has a settings page, which needs FastAPI for {what}. Depend on "
    'robot-sdk[baseline], or on fastapi and uvicorn, in the "dependencies" of pyproject.toml.'
)

Handler = TypeVar("Handler", bound=Callable[..., Any])


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    content_type: str
    body: bytes
    is_file: bool = False
    """Whether it is a file of the `static/` folder."""


class PlainApp:
    """The part of FastAPI's interface that a small page needs, with the same meaning.

        @app.get("/settings")
        def settings() -> dict[str, float]: ...

        @app.put("/settings")
        def change(wanted: dict[str, float]) -> dict[str, float]: ...

    A route has a fixed path. Its function takes nothing, or a dictionary, which is the JSON object
    of the body, and returns what becomes JSON. It is called in a thread of its own. All else
    raises an error that says to depend on FastAPI.
    """

    def __init__(self, static_folder: str) -> None:
        """Serves the files of `static_folder`, if it exists, for paths without a route."""
        self._static_folder = static_folder
        self._routes: dict[str, dict[str, tuple[Callable[..., Any], bool]]] = {}

    def get(self, path: str, **options: object) -> Callable[[Handler], Handler]:
        """Adds a route for `GET`."""
        return self._route("GET", path, options)

    def post(self, path: str, **options: object) -> Callable[[Handler], Handler]:
        """Adds a route for `POST`."""
        return self._route("POST", path, options)

    def put(self, path: str, **options: object) -> Callable[[Handler], Handler]:
        """Adds a route for `PUT`."""
        return self._route("PUT", path, options)

    def patch(self, path: str, **options: object) -> Callable[[Handler], Handler]:
        """Adds a route for `PATCH`."""
        return self._route("PATCH", path, options)

    def delete(self, path: str, **options: object) -> Callable[[Handler], Handler]:
        """Adds a route for `DELETE`."""
        return self._route("DELETE", path, options)

    def __getattr__(self, name: str) -> Any:
        """Raises an AttributeError that says what to do: this is a part of FastAPI only."""
        raise AttributeError(_NEEDED.format(what=f"settings_app.{name}"))

    def answer(self, method: str, path: str, body: bytes) -> Answer:
        """Answers a request. An error of a route is printed, and the status is 500.

        Args:
            method: `GET`.
            path: decoded, without a query.
            body: the body of the request.
        """
        read = "GET" if method == "HEAD" else method
        route = self._routes.get(path)
        if route is None or read not in route:
            found = read_file(self._static_folder, path) if read == "GET" else None
            if found is not None:
                return Answer(200, *found, is_file=True)
            return _refused(404, "Not Found") if route is None else _refused(405, "Wrong method")
        handler, takes_body = route[read]
        try:
            values = (_object_in(body),) if takes_body else ()
        except ValueError:
            return _refused(422, "The body must be a JSON object.")
        try:
            return Answer(200, _JSON, _json(handler(*values)))
        except Exception:  # noqa: BLE001 - whatever the app raises
            print(traceback.format_exc(), end="", file=sys.stderr, flush=True)
            return Answer(500, _TEXT, b"Internal Server Error")

    def _route(
        self, method: str, path: str, options: dict[str, object]
    ) -> Callable[[Handler], Handler]:
        if options:
            raise ImportError(_NEEDED.format(what=f"the option {next(iter(options))} of a route"))
        if "{" in path:
            raise ImportError(_NEEDED.format(what=f"the path {path}"))

        def add(handler: Handler) -> Handler:
            by_method = self._routes.setdefault(path, {})
            # The first one counts, as with FastAPI.
            by_method.setdefault(method, (handler, _takes_body(handler, path)))
            return handler

        return add


def _takes_body(handler: Callable[..., Any], path: str) -> bool:
    if inspect.iscoroutinefunction(handler):
        raise ImportError(_NEEDED.format(what=f"the async function of the route {path}"))
    parameters = list(inspect.signature(handler).parameters.values())
    if not parameters:
        return False
    kind = parameters[0].annotation
    text = kind if isinstance(kind, str) else getattr(kind, "__name__", "")
    if len(parameters) > 1 or text.split("[")[0] not in ("dict", "Dict", "typing.Dict"):
        raise ImportError(_NEEDED.format(what=f"the parameters of the route {path}"))
    return True


def _object_in(body: bytes) -> dict[str, Any]:
    """The JSON object in a body.

    Raises:
        ValueError: if it is none.
    """
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("it is not an object")  # noqa: TRY004
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _json(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def _refused(status: int, detail: str) -> Answer:
    return Answer(status, _JSON, _json({"detail": detail}))
