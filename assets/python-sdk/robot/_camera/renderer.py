"""Renders the scene that a simulated camera sees, with numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from robot.media.scene import FLOOR_Z, SKY, TARGETS, TILE, TILES, Ball, Colour
from robot.vision.look_at import CAMERA_IN_HEAD

_SKY_SHADES = 128
_TILE_SHADES = 64  # of each of the two colours
_FADE = 0.08
"""Tiles have their full colour where the ray falls by more than this share of its length; nearer to
the horizon they are too small to draw, and fade."""

_MIN_FALL = 1e-4

_FAR_TILE = 1 << 12
"""Added to the numbers of tiles, so that those that are drawn are positive."""

_Floats = Any
"""A numpy array of float32: without types, because the types of numpy's results depend on its
version."""


class Renderer:
    """Renders frames of one size with one lens. For one thread at a time."""

    def __init__(
        self,
        resolution: tuple[int, int],
        focal_length: float,
        targets: Sequence[Ball] = TARGETS,
    ) -> None:
        """Prepares what all frames have in common.

        Args:
            resolution: width and height in pixels; the optical centre is in the middle.
            focal_length: in pixels.
            targets: the balls of the scene.
        """
        self._width, self._height = resolution
        self._focal_length = focal_length
        self._targets = targets
        # The rays of the pixels, on the plane at distance 1 before the camera.
        self._across = _ramp(self._width) / focal_length
        self._down = _ramp(self._height)[:, None] / focal_length
        squares: _Floats = 1 + self._across**2 + self._down**2
        self._squares = squares
        self._scale: _Floats = 1 / numpy.sqrt(squares)
        self._palette = _palette()
        # Reused, because fresh memory of this size costs more than the arithmetic.
        self._rise, self._reach, self._part = (numpy.empty_like(squares) for _ in range(3))
        self._tiles = numpy.empty(squares.shape, "i4")
        self._shades, self._floor = (numpy.empty(squares.shape, "u1") for _ in range(2))

    def render(self, head: Sequence[float]) -> Any:
        """Renders a frame.

        Args:
            head: the pose of the head, 16 numbers, row by row, in metres.

        Returns:
            A new array of uint8 with the shape (height, width, 3): blue, green, red.
        """
        camera = numpy.array(head, float).reshape(4, 4) @ numpy.array(CAMERA_IN_HEAD)
        turn, position = camera[:3, :3].astype("f4"), camera[:3, 3]
        pixels = numpy.take(self._palette, self._background(turn, position), mode="clip")
        frame = pixels.view("u1").reshape(self._height, self._width, 3)
        balls = [(turn.T @ (ball.position - position), ball) for ball in self._targets]
        for centre, ball in sorted(balls, key=lambda each: -float(each[0] @ each[0])):
            self._draw(frame, centre, ball)
        return frame

    def _background(self, turn: Any, position: Any) -> Any:
        """The shade of each pixel, an index of the palette: floor or sky."""
        # How steeply each ray rises: the sine of its elevation.
        rise, shades = self._rise, self._shades
        self._along(turn[2], slice(None), rise)
        rise *= self._scale
        numpy.multiply(rise, _SKY_SHADES - 1, out=self._part)
        numpy.copyto(shades, self._part, casting="unsafe")
        with_floor = numpy.flatnonzero(numpy.minimum(rise[:, 0], rise[:, -1]) < 0)
        height = float(position[2]) - FLOOR_Z
        if not len(with_floor) or height <= 0:
            return shades
        rows = slice(int(with_floor[0]), int(with_floor[-1]) + 1)
        fall, reach, part = rise[rows], self._reach[rows], self._part[rows]
        tiles, floor = self._tiles[rows], self._floor[rows]
        numpy.negative(fall, out=fall)
        is_floor = fall > 0
        numpy.maximum(fall, _MIN_FALL, out=fall)
        # The point where each ray meets the floor, in tiles.
        numpy.divide(self._scale[rows], fall, out=reach)
        reach *= height / TILE
        for axis in (0, 1):
            self._along(turn[axis], rows, part)
            part *= reach
            part += float(position[axis]) / TILE + _FAR_TILE
            if axis == 0:
                numpy.copyto(tiles, part, casting="unsafe")
            else:
                numpy.add(tiles, part, out=tiles, casting="unsafe")
        fall *= _TILE_SHADES / _FADE
        numpy.minimum(fall, _TILE_SHADES - 1, out=fall)
        numpy.copyto(floor, fall, casting="unsafe")
        tiles &= 1
        tiles *= _TILE_SHADES
        tiles += _SKY_SHADES
        numpy.add(floor, tiles, out=floor, casting="unsafe")
        numpy.copyto(shades[rows], floor, where=is_floor)
        return shades

    def _along(self, axis: Any, rows: slice, out: _Floats) -> None:
        """The component of the rays of some rows along an axis of the camera's frame."""
        a, b, c = (float(part) for part in axis)
        numpy.add(a * self._across + c, b * self._down[rows], out=out)

    def _draw(self, frame: Any, centre: Any, ball: Ball) -> None:
        """Draws a ball whose centre is given in the camera's frame."""
        square = float(centre @ centre) - ball.radius**2
        if centre[2] <= ball.radius or square <= 0:
            return  # behind the camera, beside it, or around it
        columns = self._extent(float(centre[0]), float(centre[2]), ball.radius, self._width)
        rows = self._extent(float(centre[1]), float(centre[2]), ball.radius, self._height)
        # A ray meets the ball if the angle to its centre is at most that to its rim.
        towards: _Floats = centre[0] * self._across[columns] + centre[1] * self._down[rows]
        towards += centre[2]
        meets = (towards > 0) & (towards * towards >= square * self._squares[rows, columns])
        frame[rows, columns][meets] = ball.colour

    def _extent(self, aside: float, ahead: float, radius: float, size: int) -> slice:
        """The columns, or rows, that a ball covers."""
        # The tangents of the ball in the plane of this axis and the optical axis.
        square = ahead**2 - radius**2
        half = radius * max(aside**2 + square, 0.0) ** 0.5
        ends = (
            (aside * ahead + side * half) / square * self._focal_length + size / 2
            for side in (-1, 1)
        )
        first, last = (int(min(max(end, -1), size)) for end in ends)
        return slice(max(first, 0), min(last + 2, size))


def _ramp(size: int) -> _Floats:
    """The distance of each column, or row, from the optical centre, in pixels."""
    return numpy.arange(size, dtype="f4") - size / 2


def _palette() -> Any:
    """The colours of the shades, three bytes each, as one element, which is quick to look up."""
    sky = _blend(SKY[0], SKY[1], numpy.linspace(0, 1, _SKY_SHADES) ** 0.5)
    mean = tuple((a + b) // 2 for a, b in zip(*TILES))
    fades = numpy.linspace(0, 1, _TILE_SHADES)
    tiles = [_blend(mean, colour, fades) for colour in TILES]
    return numpy.concatenate([sky, *tiles]).astype("u1").view("V3")[:, 0]


def _blend(start: Colour | tuple[int, ...], end: Colour, shares: Any) -> Any:
    return numpy.array(start) + shares[:, None] * (numpy.array(end) - numpy.array(start))
