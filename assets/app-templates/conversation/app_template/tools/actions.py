"""The tools: plain functions. A model gets their names, their docstrings and their arguments.

Each takes the robot's body, and returns a sentence that the model reads.
"""

from __future__ import annotations

from typing import Literal

from app_template.moving import gestures
from app_template.moving.gaze import DIRECTIONS
from app_template.tools.body import Body
from app_template.tools.tool import tool


@tool
def nod(body: Body, times: int = 2) -> str:
    """Nods, to say yes.

    Args:
        times: how often, 1 to 4.
    """
    body.gestures.play(gestures.nod(_between(times, 1, 4)))
    return "The robot nods."


@tool
def shake_head(body: Body, times: int = 2) -> str:
    """Shakes the head, to say no.

    Args:
        times: how often, 1 to 4.
    """
    body.gestures.play(gestures.shake(_between(times, 1, 4)))
    return "The robot shakes its head."


@tool
def look(body: Body, direction: Literal["ahead", "left", "right", "up", "down"]) -> str:
    """Looks somewhere for some seconds. Left and right are the robot's own."""
    body.gaze.glance(DIRECTIONS[direction])
    return f"The robot looks {direction}."


@tool
def dance(body: Body, number: int = 1) -> str:
    """Dances for some seconds.

    Args:
        number: which of the dances, 1 to 5.
    """
    body.gestures.play(gestures.recorded(body.moves.get(f"dance{_between(number, 1, 5)}")))
    return "The robot dances."


@tool
def show_feeling(
    body: Body,
    feeling: Literal["cheerful", "confused", "curious", "proud", "sad", "shy", "surprised"],
) -> str:
    """Shows a feeling with the whole body."""
    body.gestures.play(gestures.recorded(body.moves.get(f"{feeling}1")))
    return f"The robot is {feeling}."


@tool
def play_sound(body: Body, name: Literal["confused1", "impatient1", "dance1", "count"]) -> str:
    """Plays a sound."""
    body.play_sound(name)
    return f"The robot plays {name}."


@tool
def stop(body: Body) -> str:
    """Stops moving and ends all sound."""
    body.stop()
    return "The robot has stopped."


def _between(number: int, least: int, most: int) -> int:
    return min(most, max(least, number))
