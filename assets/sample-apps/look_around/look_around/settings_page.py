"""The routes of the settings page in `static/`."""

from __future__ import annotations

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from look_around.settings import Settings, SettingsFile


def add_routes(page: FastAPI, settings: SettingsFile) -> None:
    """Adds `GET` and `PUT /settings`. FastAPI runs them in its own threads."""

    @page.get("/settings")
    def read() -> Settings:
        return settings.current

    @page.put("/settings")
    def change(wanted: Settings) -> Settings:
        try:
            settings.change(wanted)
        except OSError as error:
            reason = error.strerror or str(error)
            raise HTTPException(500, f"The settings could not be saved: {reason}.") from error
        return settings.current

    # FastAPI's default answer repeats the input and fails for NaN, which JSON cannot express.
    @page.exception_handler(RequestValidationError)
    def refuse(_request: Request, _error: RequestValidationError) -> JSONResponse:
        detail = "Give a speed of 2 to 20 rounds a minute and an amplitude of 5 to 40 degrees."
        return JSONResponse({"detail": detail}, status_code=422)
