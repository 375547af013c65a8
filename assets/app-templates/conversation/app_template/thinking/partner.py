"""The interface of a partner."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Literal, Protocol

from app_template.tools.toolbox import Result

CallTool = Callable[[str, str], Result]
"""Calls a tool by its name, with arguments in JSON."""

PartnerKind = Literal["model", "script"]


class Partner(Protocol):
    """Answers a person."""

    @property
    def kind(self) -> PartnerKind:
        """Whether a model answers, or a script."""
        ...

    @property
    def name(self) -> str:
        """For the page."""
        ...

    def reply(
        self, text: str, call_tool: CallTool, interrupted: threading.Event
    ) -> Iterator[str]:
        """The pieces of the answer, as they come. Calls tools in between.

        Raises:
            PartnerFailed: if there is no answer, or not all of it; its text says why.
            EndpointCancelled: if `interrupted` is set while it waits for a model.
            AppStopping: if the app is asked to stop.
        """
        ...


class PartnerFailed(Exception):
    """The partner cannot answer now. The text is for people."""
