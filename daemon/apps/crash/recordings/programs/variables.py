"""Environment variables that are not set."""

from __future__ import annotations

from textwrap import dedent

from .program import CALL, Program, main_is

VARIABLES: dict[str, Program] = {
    "no-key-model": main_is("from openai import OpenAI\n\nclient = OpenAI()\n"),
    "no-key-environment": main_is('import os\n\nkey = os.environ["SPEECH_API_KEY"]\n'),
    "no-variable-pop": main_is('import os\n\nroom = os.environ.pop("room")\n'),
    "no-variable-format": main_is(
        'import os\n\nprint("hello {WAVE_TO}".format_map(os.environ))\n'
    ),
    "no-variable-copy": main_is('import os\n\nspoken = dict(os.environ)["SPEECH_API_KEY"]\n'),
    "no-variable-older": main_is(
        'import os\n\nkey = os.environ["SPEECH_API_KEY"]\n', python="python3.10"
    ),
    "no-variable-caused": main_is(
        """
        import os


        def key():
            try:
                return os.environ["SPEECH_API_KEY"]
            except KeyError as error:
                raise RuntimeError("cannot speak") from error


        key()
        """
    ),
    "no-variable-text": main_is(
        'import os\n\nheader = "Bearer " + os.getenv("SPEECH_API_KEY")\n'
    ),
    "no-variable-number": main_is('import os\n\nport = int(os.environ.get("WAVE_PORT"))\n'),
    "no-variable-method": main_is('import os\n\nkey = os.getenv("SPEECH_API_KEY").strip()\n'),
    "no-variable-assert": main_is('import os\n\nassert os.getenv("SPEECH_API_KEY")\n'),
    "no-variable-pretty": main_is(
        """
        import os

        from rich.traceback import install

        install(width=100)
        key = os.environ["SPEECH_API_KEY"]
        """
    ),
    "no-variable-own-words": Program(
        {
            "main.py": "from hello_wave.config import load\n\nload()\n",
            "config.py": dedent(
                """
                import os


                def load():
                    key = os.getenv("OPENAI_API_KEY")
                    if not key:
                        raise RuntimeError("OPENAI_API_KEY is required. Set it in your .env file.")
                """
            ).lstrip(),
        }
    ),
    "no-variable-exit": main_is(
        """
        import sys

        print("Hello wave 1.2")
        print("Error: missing environment variables: WAVE_TO, OPENAI_API_KEY", file=sys.stderr)
        print("See README.md", file=sys.stderr)
        sys.exit(1)
        """
    ),
    "no-variable-logged": main_is(
        """
        import logging
        import sys

        logging.basicConfig(level=logging.INFO)
        logging.info("starting")
        logging.error("ELEVENLABS_API_KEY not set!")
        sys.exit(1)
        """
    ),
    "no-variable-settings": main_is(
        """
        from pydantic_settings import BaseSettings


        class Settings(BaseSettings):
            openai_api_key: str
            wave_to: str


        Settings()
        """
    ),
    "no-variable-decouple": main_is('from decouple import config\n\nconfig("WAVE_TO")\n'),
    "no-variable-environs": main_is('from environs import Env\n\nEnv().str("WAVE_TO")\n'),
    "no-variable-starlette": main_is(
        'from starlette.config import Config\n\nConfig()("WAVE_TO")\n'
    ),
    "no-variable-option": main_is(
        """
        import typer


        def main(key: str = typer.Option(..., envvar="SPEECH_API_KEY")):
            pass


        typer.run(main)
        """
    ),
    "no-key-azure": main_is(
        'from openai import AzureOpenAI\n\nclient = AzureOpenAI(api_version="2026-01-01")\n'
    ),
    "no-key-anthropic": main_is(
        CALL
        + """
        from anthropic import Anthropic

        Anthropic(base_url=URL).messages.create(model="small", max_tokens=1, messages=[])
        """
    ),
    "no-key-genai": main_is("from google import genai\n\nclient = genai.Client()\n"),
    "no-key-generativeai": main_is(
        "import google.generativeai as genai\n\n"
        'genai.GenerativeModel("small").generate_content("hello")\n'
    ),
    "no-key-groq": main_is("from groq import Groq\n\nclient = Groq()\n"),
    "no-key-cohere": main_is("import cohere\n\nclient = cohere.ClientV2()\n"),
    "no-key-deepgram": main_is("from deepgram import DeepgramClient\n\nclient = DeepgramClient()\n"),
    "no-key-assemblyai": main_is("import assemblyai\n\nassemblyai.Transcriber()\n"),
    "no-key-langchain": main_is("from langchain_openai import ChatOpenAI\n\nChatOpenAI()\n"),
    "no-key-polly": main_is(
        'import boto3\n\nboto3.client("polly", region_name="eu-west-1").describe_voices()\n'
    ),
    "no-key-elevenlabs": main_is(
        CALL
        + """
        from elevenlabs.client import ElevenLabs

        list(ElevenLabs(base_url=f"{URL}/461").text_to_speech.convert(voice_id="a", text="b"))
        """
    ),
    "no-token-hub": main_is("from huggingface_hub import whoami\n\nwhoami()\n"),
    "no-token-inference": main_is(
        """
        from huggingface_hub import InferenceClient

        client = InferenceClient(provider="together")
        client.chat_completion(model="ada/small", messages=[])
        """
    ),
}
