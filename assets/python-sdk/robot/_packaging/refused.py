"""How a build says no."""

from __future__ import annotations


class BuildRefused(SystemExit):
    """The project cannot be built; the argument says why, in one sentence.

    A SystemExit, because then installers show the sentence alone, without a traceback through a
    backend that the author of the project did not write.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(f"robot.build: {sentence}")
