"""A voice with words, by an endpoint with OpenAI's interface for speech."""

from __future__ import annotations

import threading
import wave
from array import array
from collections.abc import Iterator

from app_template.sound import RATE_HZ, samples_in
from robot import EndpointError
from robot.endpoints import Endpoint

VOICE = "alloy"
"""One of those that your endpoint knows."""
_TIMEOUT_S = 30.0


def endpoint_voice(
    endpoint: Endpoint, text: str, interrupted: threading.Event
) -> Iterator[array[float]]:
    """The sound of a text: 16,000 samples a second, between -1 and 1.

    Raises:
        EndpointError: if the endpoint cannot speak it; the text says why.
        EndpointCancelled: if `interrupted` is set meanwhile.
        AppStopping: if the app is asked to stop.
    """
    if not any(letter.isalnum() for letter in text):
        return
    body = {"input": text, "voice": VOICE, "response_format": "wav"}
    if endpoint.model:
        body["model"] = endpoint.model
    wav = endpoint.until(interrupted).request("audio/speech", body, timeout=_TIMEOUT_S)
    try:
        samples = samples_in(wav)
    except (wave.Error, EOFError, TypeError, ValueError):
        what = "sent an answer that is not a WAV sound."
        raise EndpointError(endpoint.need, endpoint.name, what) from None
    for start in range(0, len(samples), RATE_HZ):
        yield samples[start : start + RATE_HZ]
