"""From recorded speech to text, by an endpoint with OpenAI's interface."""

from __future__ import annotations

from array import array

from app_template.sound import wav_of
from robot.endpoints import Endpoint

_BOUNDARY = "----robot-app-speech"
_TIMEOUT_S = 30.0


def transcribed(endpoint: Endpoint, samples: array[float]) -> str:
    """The text of recorded speech; empty if there is none in it.

    Raises:
        EndpointError: if the endpoint cannot transcribe it; the text says why.
        AppStopping: if the app is asked to stop.
    """
    answer = endpoint.request(
        "audio/transcriptions",
        _form(endpoint.model, wav_of(samples)),
        content_type=f"multipart/form-data; boundary={_BOUNDARY}",
        timeout=_TIMEOUT_S,
    )
    text = answer.get("text") if isinstance(answer, dict) else None
    return text.strip() if isinstance(text, str) else ""


def _form(model: str, wav: bytes) -> bytes:
    fields = {"model": model, "response_format": "json"}
    parts = [
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
        if value
    ]
    file = (
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="speech.wav"\r\n'
        "Content-Type: audio/wav\r\n\r\n"
    )
    return "".join(parts).encode() + file.encode() + wav + f"\r\n--{_BOUNDARY}--\r\n".encode()
