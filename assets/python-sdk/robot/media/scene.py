"""The scene that a simulated camera shows, as data: for authors, and for their tests.

A plain room without walls: a floor of tiles, a sky, and balls. Positions are in the frame of the
neutral head, in metres: x forward, y left, z up. Colours are blue, green, red, from 0 to 255.
"""

from __future__ import annotations

from typing import NamedTuple

Colour = tuple[int, int, int]


class Ball(NamedTuple):
    """A target: a ball of one colour."""

    name: str
    position: tuple[float, float, float]
    """The centre, in metres."""

    radius: float
    """In metres."""

    colour: Colour
    """Every pixel of the ball has exactly this colour, and nothing else has it."""


TARGETS = (
    Ball("red", (5.0, 0.0, 0.3), 0.15, (40, 40, 220)),
    Ball("green", (4.6, 1.9, 0.5), 0.15, (60, 200, 40)),
    Ball("blue", (4.7, -1.6, 0.1), 0.15, (230, 90, 30)),
    Ball("yellow", (1.6, 1.2, 0.1), 0.08, (20, 220, 240)),
    Ball("magenta", (0.88, -0.47, 0.05), 0.05, (200, 30, 200)),
    Ball("cyan", (0.47, 0.12, -0.1), 0.02, (220, 220, 20)),
    Ball("orange", (-3.0, 0.5, 0.4), 0.15, (0, 130, 255)),
)
"""Three at 5 m, one each at 2 m, 1 m and 0.5 m, and one behind the robot."""

FLOOR_Z = -0.25
"""The height of the floor, in metres."""

TILE = 0.5
"""The side of a floor's tile, in metres: one corner is below the neutral head."""

SKY: tuple[Colour, Colour] = (250, 240, 225), (200, 150, 90)
"""The colours at the horizon and straight up."""

TILES: tuple[Colour, Colour] = (120, 135, 145), (90, 105, 115)
"""The colours of the floor's tiles nearby; they fade to their mean with the distance."""
