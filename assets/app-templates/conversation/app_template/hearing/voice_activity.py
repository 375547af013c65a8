"""Notices when somebody begins and ends to speak, by loudness alone."""

from __future__ import annotations

from enum import Enum

FRAME_S = 0.02
"""One step."""

_FRAMES_TO_BEGIN = 5
_FRAMES_TO_END = 35
"""0.7 s: shorter pauses are within a sentence."""
_LEAST_LEVEL = 0.01
"""Quieter sounds are never a voice."""
_ABOVE_NOISE = 3.0
_ABOVE_ECHO = 2.0
"""How much louder than the noise of the room, and than itself, a voice is. Raise them if the robot
hears voices that are none, lower them if it does not hear yours."""

_FLOOR_FALLS = 0.2
_FLOOR_RISES = 0.01
_FLOOR_RISES_IN_SPEECH = 0.001
_FIRST_ECHO = 0.3
_ECHO_ADAPTS = 0.02
_ECHO_FADES = 0.9
_SILENT = 0.005


class Change(Enum):
    """The observation of one step."""

    BEGINS = "begins"
    ENDS = "ends"


class VoiceActivity:
    """Steps through the levels of a microphone."""

    def __init__(self) -> None:
        self.is_speech = False
        self._floor = _LEAST_LEVEL / _ABOVE_NOISE
        self._echo = _FIRST_ECHO
        """The share of the robot's own loudness that the microphone hears."""
        self._own_voice = 0.0
        self._loud = 0
        self._quiet = 0

    def step(self, level: float, own_voice: float = 0.0) -> Change | None:
        """Takes the next frame.

        Args:
            level: its loudness, the root mean square of its samples.
            own_voice: the loudness of what the robot itself plays now.
        """
        # The microphone hears it a little later, and for a little longer.
        self._own_voice = max(own_voice, _ECHO_FADES * self._own_voice)
        echo = _ABOVE_ECHO * self._echo * self._own_voice
        is_loud = level > max(_LEAST_LEVEL, _ABOVE_NOISE * self._floor, echo)
        self._adapt(level)
        self._loud = self._loud + 1 if is_loud else 0
        self._quiet = 0 if is_loud else self._quiet + 1
        if not self.is_speech and self._loud >= _FRAMES_TO_BEGIN:
            self.is_speech = True
            return Change.BEGINS
        if self.is_speech and self._quiet >= _FRAMES_TO_END:
            self.is_speech = False
            return Change.ENDS
        return None

    def _adapt(self, level: float) -> None:
        """Follows the room: its noise while the robot is silent, its echo while the robot speaks.

        The noise is followed quickly down, slowly up, and hardly while somebody speaks.
        """
        if self._own_voice > _SILENT:
            if not self.is_speech:
                self._echo += _ECHO_ADAPTS * (min(1.0, level / self._own_voice) - self._echo)
            return
        rises = _FLOOR_RISES_IN_SPEECH if self.is_speech else _FLOOR_RISES
        self._floor += (_FLOOR_FALLS if level < self._floor else rises) * (level - self._floor)
