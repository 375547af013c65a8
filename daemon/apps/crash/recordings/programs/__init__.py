"""The apps that `record.py` runs: each crashes in one way."""

from __future__ import annotations

from .endings import ENDINGS
from .exceptions import EXCEPTIONS
from .imports import IMPORTS
from .misleading import MISLEADING
from .program import Program
from .resources import RESOURCES
from .services import SERVICES
from .variables import VARIABLES

__all__ = ["PROGRAMS", "Program"]

PROGRAMS: dict[str, Program] = {
    **IMPORTS,
    **RESOURCES,
    **SERVICES,
    **VARIABLES,
    **ENDINGS,
    **EXCEPTIONS,
    **MISLEADING,
}
