"""Services and endpoints that refuse, sleep or do not answer."""

from __future__ import annotations

from .program import CALL, Program, main_is

SERVICES: dict[str, Program] = {
    "endpoint-of-app": main_is(
        CALL
        + """
        from threading import Event

        from robot.endpoints import Endpoints

        os.environ["ROBOT_ENDPOINT_CHAT_URL"] = f"{URL}/503/v1"
        os.environ["ROBOT_ENDPOINT_CHAT_NAME"] = "lab/chat"
        os.environ["ROBOT_ENDPOINT_CHAT_MODEL"] = "small"
        chat = Endpoints(os.environ, Event())["chat"]
        print(chat.chat("Hello", timeout=5))
        """
    ),
    "unauthorized-requests": main_is(
        CALL
        + """
        import requests


        def ask():
            requests.get(f"{URL}/401/whoami").raise_for_status()


        ask()
        """
    ),
    "unauthorized-httpx": main_is(
        CALL + '        import httpx\n\n        httpx.get(f"{URL}/401/v1").raise_for_status()\n'
    ),
    "forbidden-urllib": main_is(
        CALL
        + '        from urllib.request import urlopen\n\n        urlopen(f"{URL}/403/voices")\n'
    ),
    "unauthorized-model": main_is(
        CALL
        + """
        from openai import OpenAI

        client = OpenAI(api_key="sk-proj-a1b2c3d4e5f6", base_url=f"{URL}/401/v1")
        client.chat.completions.create(model="small", messages=[])
        """
    ),
    "unauthorized-hub": main_is(
        CALL
        + """
        from huggingface_hub import HfApi

        HfApi(endpoint=f"{URL}/401", token="hf_abcdefghijklmnopqrst").whoami()
        """
    ),
    "endpoint-paused": main_is(
        CALL
        + """
        from huggingface_hub import InferenceClient

        InferenceClient(f"{URL}/400", token="hf_abcdefghijklmnopqrst").text_generation("hello")
        """
    ),
    "endpoint-asleep": main_is(
        CALL
        + """
        from openai import OpenAI

        client = OpenAI(api_key="-", base_url=f"{URL}/503/v1", max_retries=0)
        client.chat.completions.create(model="small", messages=[])
        """
    ),
    "bad-gateway": main_is(
        CALL
        + "        import requests\n\n"
        + '        requests.post(f"{URL}/502/generate").raise_for_status()\n'
    ),
    "no-such-host": main_is(
        """
        import requests

        requests.get("https://speech.invalid/v1", timeout=5)
        """
    ),
    "connection-refused": main_is(
        'import requests\n\nrequests.get("http://127.0.0.1:9/v1", timeout=5)\n'
    ),
    "connection-refused-httpx": main_is('import httpx\n\nhttpx.get("http://127.0.0.1:9/v1")\n'),
    "connection-refused-asyncio": main_is(
        """
        import asyncio


        async def run():
            await asyncio.open_connection("127.0.0.1", 9)


        asyncio.run(run())
        """
    ),
    "service-timeout": main_is(
        """
        import socket

        import requests

        silent = socket.create_server(("127.0.0.1", 8711))
        requests.get("http://127.0.0.1:8711/v1", timeout=0.2)
        """
    ),
}
