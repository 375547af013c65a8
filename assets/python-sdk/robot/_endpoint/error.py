"""Requests to an endpoint that failed or were cancelled, and a need without an endpoint."""

from __future__ import annotations

from robot.errors import RobotError


class EndpointError(RobotError):
    """A request to an endpoint failed. The text names the endpoint and says what happened."""

    __module__ = "robot.endpoints"  # its public place, which tracebacks name

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


class EndpointCancelled(RobotError):
    """The app itself ended a request to an endpoint, see `Endpoint.until`. Nothing failed."""

    __module__ = "robot.endpoints"


class EndpointMissing(RobotError, KeyError):
    """No endpoint is there for a need of the app. The text says what to do."""

    __module__ = "robot.endpoints"

    def __init__(self, text: str, need: object) -> None:
        """Takes the text for people."""
        super().__init__(text, need)
        self.need = need

    def __str__(self) -> str:
        """The text as it is: a plain `KeyError` shows its Python form, with backslashes."""
        return str(self.args[0])


def _restored(text: str, need: str, name: str, status: int | None) -> EndpointError:
    error = EndpointError(need, name, "", status)
    error.args = (text,)
    return error
