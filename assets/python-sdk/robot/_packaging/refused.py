"""The error of a refused build."""

from __future__ import annotations


class BuildRefused(SystemExit):
    """The project cannot be built; the argument is one sentence with the reason.

    It is a SystemExit, so that installers show only the sentence, without a traceback through the
    backend.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(f"robot.build: {sentence}")
