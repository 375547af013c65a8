"""The models that an app uses: `robot.endpoints["chat"]`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from robot._endpoint.endpoint import DEFAULT_TIMEOUT_S, Endpoint
from robot._endpoint.error import EndpointCancelled, EndpointError, EndpointMissing

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading

__all__ = [
    "DEFAULT_TIMEOUT_S",
    "Endpoint",
    "EndpointCancelled",
    "EndpointError",
    "EndpointMissing",
    "Endpoints",
]

_VARIABLE = re.compile(r"ROBOT_ENDPOINT_([A-Z][A-Z0-9_]{0,31})_URL")
_NEED = re.compile(r"[a-z][a-z0-9_]{0,31}")


class Endpoints(Mapping[str, Endpoint]):
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
            EndpointMissing: a `KeyError`, if there is none for `need`; the text names those that
                there are, and says what to do.
        """
        read = self._environment.get
        prefix = f"ROBOT_ENDPOINT_{need.upper()}" if _is_need(need) else ""
        url = read(f"{prefix}_URL") if prefix else None
        if not url:
            raise EndpointMissing(self._missing(need), need)
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
        has = f" It has one for {others}." if others else ""
        return (
            f'This app has no endpoint for "{need}".{has} Choose one on the app\'s page in Robot '
            "Desktop, which asks for the models that [tool.robot.needs] of pyproject.toml declares."
        )


def _is_need(name: object) -> bool:
    return isinstance(name, str) and _NEED.fullmatch(name) is not None
