"""The actions that tools have the robot do."""

from __future__ import annotations

from app_template.moving.fusion import Fusion
from app_template.speaking.speaker import Speaker
from robot.media.media_manager import MediaManager
from robot.motion.recorded_move import RecordedMoves


class Body:
    """The first argument of every tool. Thread-safe; nothing here waits."""

    def __init__(self, fusion: Fusion, media: MediaManager, speaker: Speaker) -> None:
        self.gaze = fusion.gaze
        self.gestures = fusion.gestures
        self.moves = RecordedMoves()  # the robot's own
        self._media = media
        self._speaker = speaker

    def play_sound(self, name: str) -> None:
        """Plays a built-in sound or a file, beside the voice.

        Raises:
            FileNotFoundError, ValueError, AudioUnavailable: see `MediaManager.play_sound`.
        """
        self._media.play_sound(name)

    def stop(self) -> None:
        """Ends gestures, and all sound."""
        self.gestures.stop()
        self._media.stop_playing()
        self._speaker.stop()
