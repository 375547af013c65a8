"""An app that `record.py` runs."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Program:
    """A package `hello_wave`, and how it is run."""

    files: dict[str, str]
    module: str = "hello_wave.main"
    flags: tuple[str, ...] = ()
    python: str | None = None
    """Another Python than the one that records."""


def main_is(text: str, **how: object) -> Program:
    return Program({"main.py": dedent(text).lstrip()}, **how)  # type: ignore[arg-type]


# The address of the service that `record.py` runs.
CALL = """
        import os

        URL = f"http://127.0.0.1:{os.environ['PORT']}"
"""
