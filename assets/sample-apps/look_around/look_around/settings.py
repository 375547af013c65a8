"""The settings, and the file that stores them."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """The app's settings. Invalid values are refused, never clamped."""

    model_config = ConfigDict(frozen=True, strict=True, allow_inf_nan=False)

    speed: float = Field(ge=2, le=20)
    """Rounds a minute."""
    amplitude: float = Field(ge=5, le=40)
    """Degrees to each side."""


DEFAULTS = Settings(speed=6, amplitude=30)


class SettingsFile:
    """The current settings, stored in a file. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        """Reads the file; uses the defaults if it is missing or invalid."""
        self._path = path
        self._lock = threading.Lock()
        self.current = self._read()

    def change(self, settings: Settings) -> None:
        """Stores `settings`, then applies them.

        Raises:
            OSError: if they cannot be stored; the previous ones stay.
        """
        with self._lock:
            # Replaced atomically: whenever the app ends, the file is complete.
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
