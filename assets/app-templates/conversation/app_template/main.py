"""Puts the parts together: what it hears, who answers, how it speaks and moves."""

from __future__ import annotations

import threading
from functools import partial

from app_template.background import in_background
from app_template.board import Board
from app_template.conversation import Conversation, Voice
from app_template.hearing.ears import listen
from app_template.hearing.transcription import transcribed
from app_template.moving import gaze
from app_template.moving.fusion import Fusion, move
from app_template.moving.pose import Pose
from app_template.page import add_routes
from app_template.speaking.endpoint_voice import endpoint_voice
from app_template.speaking.own_voice import own_voice
from app_template.speaking.speaker import Speaker
from app_template.thinking.model_partner import ModelPartner
from app_template.thinking.partner import Partner
from app_template.thinking.scripted_partner import ScriptedPartner
from app_template.tools import actions
from app_template.tools.body import Body
from app_template.tools.toolbox import Toolbox
from robot import AudioUnavailable, Robot, RobotApp


class AppTemplate(RobotApp):
    """Talks, and moves while it does."""

    # The page in `static/`. None: no page.
    custom_app_url = "http://localhost:8042"
    request_media_backend = "default_no_video"

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        """Listens, thinks, speaks and moves. Returns when `stop_event` is set."""
        board, fusion, speaker = Board(), Fusion(), Speaker(robot.media)
        toolbox = Toolbox(actions, Body(fusion, robot.media, speaker))
        conversation = _conversation(robot, board, toolbox, speaker)
        add_routes(self.settings_app, conversation, board, fusion.wobble)
        ending = threading.Event()

        def hear() -> None:
            try:
                listen(robot.media, conversation, speaker.loudness, ending)
            except AudioUnavailable as error:
                board.show(microphone=str(error))

        def end() -> None:
            ending.set()
            conversation.close()
            board.close()

        def pose() -> Pose:
            board.show(state=conversation.state)
            return fusion.pose(_attention(conversation, board), speaker.loudness())

        with in_background(conversation.run, hear, end=end) as all_is_well:
            print(f"Talk to me at {self.custom_app_url}", flush=True)
            move(robot, pose, all_is_well, stop_event)


def _conversation(
    robot: Robot, board: Board, toolbox: Toolbox, speaker: Speaker
) -> Conversation:
    """With the models that are chosen on the app's page in Robot Desktop, or without them."""
    chat, hear, voice = (robot.endpoints.get(need) for need in ("chat", "hear", "voice"))
    partners: list[Partner] = [ScriptedPartner()]
    if chat is not None:
        partners.insert(0, ModelPartner(chat, toolbox.schemas, board.notice))
    voices: list[Voice] = [own_voice]
    if voice is not None:
        voices.insert(0, partial(endpoint_voice, voice))
    return Conversation(
        board,
        partners,
        toolbox,
        speaker,
        voices,
        transcribe=None if hear is None else partial(transcribed, hear),
    )


def _attention(conversation: Conversation, board: Board) -> Pose:
    """Where the robot looks, from what it does."""
    if board.hears:
        return gaze.LISTENING
    return gaze.THINKING if conversation.state == "thinking" else gaze.AT_PERSON


if __name__ == "__main__":
    app = AppTemplate()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
