"""What can be set, and the file that keeps it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """How the robot looks around. What does not fit is refused, never bent."""

    model_config = ConfigDict(frozen=True, strict=True, allow_inf_nan=False)

    speed: float = Field(ge=2, le=20)
    """Rounds a minute."""
    amplitude: float = Field(ge=5, le=40)
    """Degrees to each side."""


DEFAULTS = Settings(speed=6, amplitude=30)


class SettingsFile:
    """The settings in force, kept in a file. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        """Takes what the file has; without a good one, the defaults."""
        self._path = path
        self._lock = threading.Lock()
        self.current = self._read()

    def change(self, settings: Settings) -> None:
        """Keeps `settings`, then puts them in force.

        Raises:
            OSError: if they cannot be kept; those before stay in force.
        """
        with self._lock:
            # Replaced in one step: whenever the app ends, there is a whole file.
            unfinished = self._path.with_suffix(".tmp")
            unfinished.write_text(settings.model_dump_json() + "\n", encoding="utf-8")
            os.replace(unfinished, self._path)
            self.current = settings

    def _read(self) -> Settings:
        try:
            return Settings.model_validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return DEFAULTS
        except (OSError, ValueError):
            print(f"{self._path.name} cannot be used. Starting with the defaults.", flush=True)
            return DEFAULTS
