"""The samples of a recorded move: read from its JSON, evaluated, and cut into messages."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from robot._arrays import Array, as_array, flatten
from robot._wire.messages import Message
from robot._wire.moves import MAX_MESSAGE_SAMPLES, move_samples
from robot.utils._rotations import Quaternion, pose_matrix, quaternion, turned

_DECIMALS = 6  # micrometres and microradians, so that a message stays small
_MAX_OFFSET_M = 1.0  # larger than the robot
_MAX_ANGLE_RAD = 100.0
_NUMBERS = {int, float}
_PLACE = (3, 7, 11)


class Samples(NamedTuple):
    """A value of each part at each time; a part that is None is not moved."""

    times_s: list[float]
    """Never falling; the first is 0."""

    heads: list[list[float]] | None
    antennas: list[list[float]] | None
    body_yaws: list[float] | None

    @classmethod
    def read(cls, move: object) -> Samples:
        """Reads `time` and `set_target_data` of a recorded move; other keys are ignored.

        Raises:
            ValueError: if they are missing or malformed; its text says where.
        """
        if not isinstance(move, Mapping):
            raise ValueError("a recorded move is an object with time and set_target_data.")
        times_s = _times(_list(move, "time"))
        targets = [
            target if isinstance(target, Mapping) else None
            for target in _list(move, "set_target_data")
        ]
        if len(times_s) != len(targets):
            raise ValueError(
                f"time has {len(times_s)} entries, and set_target_data {len(targets)}: "
                "each target needs a time."
            )
        if None in targets:
            raise ValueError(f"set_target_data[{targets.index(None)}] is not an object.")
        heads = _column(targets, "head", _head, "a 4x4 matrix: a rotation, and a place in metres")
        antennas = _column(
            targets, "antennas", _angles((2,)), "two angles in radians, [right, left]"
        )
        body_yaws = _column(targets, "body_yaw", _angles((), (1,)), "one angle in radians")
        if heads is None and antennas is None and body_yaws is None:
            raise ValueError("set_target_data moves nothing: no head, antennas or body_yaw.")
        return cls(
            times_s, heads, antennas, None if body_yaws is None else [yaw for yaw, in body_yaws]
        )

    def at(self, time_s: float) -> tuple[Array | None, Array | None, float | None]:
        """Head, antennas and body at a time, which is limited to that of the samples.

        Between two samples, places and angles are interpolated linearly, rotations on the shortest
        way, like the daemon does.
        """
        last = len(self.times_s) - 1
        before = max(0, bisect.bisect_right(self.times_s, time_s) - 1)
        after = min(before + 1, last)
        length_s = self.times_s[after] - self.times_s[before]
        share = (time_s - self.times_s[before]) / length_s if length_s > 0 else 0.0
        share = min(1.0, max(0.0, share))
        head, antennas, body_yaw = None, None, None
        if self.heads is not None:
            head = _pose_between(self.heads[before], self.heads[after], share)
        if self.antennas is not None:
            pair = zip(self.antennas[before], self.antennas[after])
            antennas = as_array([_mixed(start, end, share) for start, end in pair])
        if self.body_yaws is not None:
            body_yaw = _mixed(self.body_yaws[before], self.body_yaws[after], share)
        return head, antennas, body_yaw

    def messages(self, name: str) -> Iterator[Message]:
        """The messages that upload the samples under a name."""
        for start in range(0, len(self.times_s), MAX_MESSAGE_SAMPLES):
            end = start + MAX_MESSAGE_SAMPLES
            yield move_samples(
                name,
                _rounded(self.times_s[start:end]),
                self.heads and [_rounded(head) for head in self.heads[start:end]],
                self.antennas and [_rounded(pair) for pair in self.antennas[start:end]],
                self.body_yaws and _rounded(self.body_yaws[start:end]),
            )


def _list(move: Mapping[str, object], key: str) -> Sequence[object]:
    value = move.get(key)
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        raise ValueError(f"it has no list {key!r}." if value is None else f"{key} is not a list.")
    return value


def _times(given: Sequence[object]) -> list[float]:
    """The times since the first one."""
    if not given:
        raise ValueError("time is empty: a move has at least one target.")
    times_s: list[float] = []
    for index, value in enumerate(given):
        numbers = _numbers(value, ())
        if numbers is None:
            raise ValueError(f"time[{index}] is not a finite number.")
        times_s.append(float(numbers[0]))
        if times_s[index] < times_s[index - 1 if index else 0]:
            raise ValueError(
                f"time[{index}] falls from {times_s[index - 1]:g} to {times_s[index]:g}."
            )
    return [time_s - times_s[0] for time_s in times_s]


def _column(
    targets: Sequence[Mapping[str, object] | None],
    part: str,
    read: Callable[[object], list[float] | None],
    expected: str,
) -> list[list[float]] | None:
    """The values of a part; None if no target has it."""
    values: list[list[float]] = []
    for index, target in enumerate(targets):
        given = None if target is None else target.get(part)
        if given is None and values:
            raise _incomplete(part, index, 0)
        if given is None:
            continue
        if len(values) < index:
            raise _incomplete(part, 0, index)
        value = read(given)
        if value is None:
            raise ValueError(f"set_target_data[{index}].{part} is not {expected}.")
        values.append(value)
    return values or None


def _incomplete(part: str, without: int, having: int) -> ValueError:
    return ValueError(
        f"set_target_data[{without}] has no {part}, but set_target_data[{having}] has one: "
        "all targets of a move have the same parts."
    )


def _head(value: object) -> list[float] | None:
    if type(value) is list and [len(row) for row in value if type(row) is list] == [4] * len(value):
        value = [number for row in value for number in row]
    numbers = _numbers(value, (4, 4), (16,))
    if numbers is None or any(abs(numbers[at]) > _MAX_OFFSET_M for at in _PLACE):
        return None
    return _orthonormalised(numbers)


def _orthonormalised(pose: Sequence[float]) -> list[float] | None:
    """The pose with an exact rotation; None if its 3x3 is not close to a rotation.

    Recorded matrices are rounded, and some were averaged.
    """
    rows = [pose[0:3], pose[4:7], pose[8:11]]
    lengths = [math.hypot(*row) for row in rows]
    if not all(0.5 < length < 2 for length in lengths):
        return None
    x = [value / lengths[0] for value in rows[0]]
    along = sum(a * b for a, b in zip(x, rows[1]))
    y = [b - along * a for a, b in zip(x, rows[1])]
    length = math.hypot(*y)
    if length < 0.5:
        return None
    y = [value / length for value in y]
    z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    if sum(a * b for a, b in zip(z, rows[2])) < 0.5:  # a mirrored or sheared matrix
        return None
    return [*x, pose[3], *y, pose[7], *z, pose[11], 0.0, 0.0, 0.0, 1.0]


def _angles(*shapes: tuple[int, ...]) -> Callable[[object], list[float] | None]:
    def read(value: object) -> list[float] | None:
        numbers = _numbers(value, *shapes)
        if numbers is None or any(abs(angle) > _MAX_ANGLE_RAD for angle in numbers):
            return None
        return numbers

    return read


def _numbers(value: object, *shapes: tuple[int, ...]) -> list[float] | None:
    """The numbers in `value` row by row; None if it has another shape, or one is not finite."""
    numbers: list[float] = []
    if type(value) in _NUMBERS:  # the values of JSON, which may be very many
        shape: tuple[int, ...] = ()
        numbers.append(value)  # type: ignore[arg-type]
    elif type(value) is list and set(map(type, value)) <= _NUMBERS:
        shape = (len(value),)
        numbers += value
    else:
        try:
            shape = flatten(value, numbers)
        except (TypeError, ValueError, OverflowError, RecursionError):
            return None
    try:
        is_finite = all(map(math.isfinite, numbers))
    except OverflowError:  # a huge integer
        return None
    return numbers if shape in shapes and is_finite else None


def _pose_between(start: Sequence[float], end: Sequence[float], share: float) -> Array:
    rotation = turned(_rotation(start), _rotation(end), share)
    return pose_matrix(rotation, [_mixed(start[at], end[at], share) for at in _PLACE])


def _rotation(head: Sequence[float]) -> Quaternion:
    return quaternion([list(head[row : row + 3]) for row in (0, 4, 8)])


def _mixed(start: float, end: float, share: float) -> float:
    return start + (end - start) * share


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(number, _DECIMALS) for number in numbers]
