"""The results that calls are to give: conditions, each with a text for the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Names = Mapping[str, Any]
"""The names that a call can use."""

ANY_TEXT = ""
"""For `Call.says`: one sentence or none, as the robot and the machine are."""


@dataclass(frozen=True)
class Back:
    """The result that a call must give."""

    text: str
    fits: Callable[[Any, Names], bool]
    is_error: bool = False
    """Whether it is raised instead of returned."""


@dataclass(frozen=True)
class Call:
    """A call as an app writes it.

    The last line of `source` is the call whose result counts. A call whose `waits_s` is 0 must
    return at once, another one after that time. `then` is a condition on the robot that must
    come true within some seconds. `says` is a part of the one sentence that the output has,
    however often the call is made; by default it must have none. `needs` is a name that the
    call needs although it does not have it.
    """

    source: str
    back: Back = Back("None", lambda result, names: result is None)
    waits_s: float = 0.0
    then: str | None = None
    says: str | None = None
    needs: str | None = None


def equal(expression: str) -> Back:
    """Comes back equal to an expression, arrays within rounding."""

    def fits(result: Any, names: Names) -> bool:
        wanted = eval(expression, dict(names))
        return _close(result, wanted)

    return Back(expression, fits)


def like(condition: str) -> Back:
    """A condition on `result`."""
    return Back(condition, lambda result, names: bool(eval(condition, {**names, "result": result})))


def a(name: str) -> Back:
    """An instance of the class of that name."""
    return Back(f"a {name}", lambda result, names: isinstance(result, eval(name, dict(names))))


def one_of(*backs: Back) -> Back:
    """One of several."""
    text = " or ".join(back.text for back in backs)
    return Back(text, lambda result, names: any(back.fits(result, names) for back in backs))


def raises(name: str) -> Back:
    """The call raises an error of that class, with a sentence."""

    def fits(error: Any, names: Names) -> bool:
        return isinstance(error, eval(name, dict(names))) and len(str(error)) > 10

    return Back(f"{name} with a sentence", fits, is_error=True)


def _array(kind: str, *shape: int | None) -> Callable[[Any, Names], bool]:
    """An array of that type and shape; None in a shape is any length above 0."""

    def fits(result: Any, names: Names) -> bool:
        np = names.get("np")
        if np is None:  # nested lists
            return _is_nested(result, len(shape))
        return (
            isinstance(result, np.ndarray)
            and result.dtype == kind
            and result.ndim == len(shape)
            and all(has == wanted or (wanted is None and has > 0) for has, wanted in zip(result.shape, shape))
        )

    return fits


def _is_nested(value: Any, depth: int) -> bool:
    if depth == 0:
        return isinstance(value, float)
    return isinstance(value, list) and all(_is_nested(each, depth - 1) for each in value)


def _close(value: Any, wanted: Any) -> bool:
    value, wanted = (each.tolist() if hasattr(each, "tolist") else each for each in (value, wanted))
    if isinstance(wanted, float):
        return isinstance(value, (int, float)) and abs(value - wanted) < 1e-9
    if isinstance(wanted, list):
        return isinstance(value, list) and len(value) == len(wanted) and all(map(_close, value, wanted))
    return bool(value == wanted)


def _is_floats(value: Any, count: int) -> bool:
    return type(value) is list and len(value) == count and all(type(each) is float for each in value)


NOTHING = Back("None", lambda result, names: result is None)
POSE = Back("a 4x4 array of float64", _array("float64", 4, 4))
FRAME = Back("a (height, width, 3) array of uint8", _array("uint8", None, None, 3))
SAMPLES = Back("a (frames, 2) array of float32", _array("float32", None, 2))
PAIR = Back("a list of two floats", lambda result, names: _is_floats(result, 2))
JOINTS = Back(
    "a tuple of a list of seven floats and a list of two",
    lambda result, names: type(result) is tuple
    and len(result) == 2
    and _is_floats(result[0], 7)
    and _is_floats(result[1], 2),
)
