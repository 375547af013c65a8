/** Uses endpoints with OpenAI's Python client, unchanged except for its address: the real daemon and bundled runner. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { type CommandFailed, runCommand } from '../shared/processes/run-command.ts';
import { startTinyModelsDaemon } from './endpoints/tiny-models-daemon.ts';
import { pythonFromIndex } from './python/python-from-index.ts';

/** The context in tokens: to fill it takes more than 20 s. */
const LONG = 8_192;

test.skipIf(process.platform === 'win32')(
  'OpenAI’s Python client lists models, chats, streams, embeds, and knows each error',
  async (context) => {
    const env = childEnvironment(process.env, randomUUID());
    const client = await pythonFromIndex('openai', env);
    if ('missing' in client) {
      console.warn(`SKIPPED: OpenAI's Python client cannot be had: ${client.missing}`);
      return context.skip(client.missing);
    }
    await using daemon = await startTinyModelsDaemon();
    await Promise.all([
      daemon.serve('chats', { model: { contextLength: LONG }, image: { ctxSize: LONG } }),
      daemon.serve('vectors', { image: { mode: 'embeddings' } }),
    ]);
    const lines = await runCommand(client.python, ['-B', '-c', stockClient, daemon.checked.daemon.url, daemon.token], {
      env,
      deadlineMs: 100_000,
    }).catch((error: CommandFailed) => error.lines);
    expect(lines, lines.join('\n')).toEqual(expect.arrayContaining([expect.stringMatching(/^{/)]));
    const { text, ...seen } = JSON.parse(lines.at(-1) ?? '');
    expect(text.whole).toMatch(/\d-\d/);
    expect(seen).toEqual({
      models: ['ada/chats'],
      model: 'ada/chats',
      chat: ['chat.completion', 'assistant', 'length', 8],
      streamed: [text.whole, 'length', 8],
      asyncStreamed: text.whole,
      helped: text.whole,
      soonAfterLeaving: true,
      completion: ['text_completion', 'length'],
      embeddings: [64, 64],
      isSameAsNumbers: true,
      errors: {
        stranger: ['AuthenticationError', 401, 'invalid_api_key'],
        invalid: ['BadRequestError', 400, 'temperature'],
        nowhere: ['NotFoundError', 404, 'endpoint_not_found'],
        otherMode: ['InternalServerError', 501, 'unsupported_mode'],
        paused: ['InternalServerError', 503, 'endpoint_unavailable'],
      },
      resumed: text.whole,
    });
  },
  240_000,
);

/** A program for the real service, apart from the management's commands. */
const stockClient = `
import asyncio, json, sys, time, urllib.request
from openai import APIStatusError, AsyncOpenAI, OpenAI

daemon, token = sys.argv[1:]

def manage(method, path):
    request = urllib.request.Request(f"{daemon}/v2/endpoint/lab/{path}", method=method)
    request.add_header("Authorization", f"Bearer {token}")
    return json.load(urllib.request.urlopen(request))

def client_of(name, key=token, make=OpenAI):
    return make(base_url=manage("GET", name)["status"]["url"] + "/v1", api_key=key)

def refused(ask, member="code"):
    try:
        return repr(ask())
    except APIStatusError as error:
        return [type(error).__name__, error.status_code, getattr(error, member)]

client, vectors, seen = client_of("chats"), client_of("vectors"), {}
short = dict(model="ada/chats", messages=[{"role": "user", "content": "Hello"}], max_tokens=8, temperature=0)

def text_of(answer):
    return answer.choices[0].message.content

seen["models"] = [model.id for model in client.models.list()]
seen["model"] = client.models.retrieve("ada/chats").id

answer = client.chat.completions.create(**short)
seen["text"] = {"whole": text_of(answer)}
seen["chat"] = [answer.object, answer.choices[0].message.role, answer.choices[0].finish_reason, answer.usage.completion_tokens]

chunks = list(client.chat.completions.create(**short, stream=True, stream_options={"include_usage": True}))
pieces = [chunk.choices[0] for chunk in chunks if chunk.choices]
seen["streamed"] = ["".join(piece.delta.content or "" for piece in pieces), pieces[-1].finish_reason, chunks[-1].usage.completion_tokens]

async def stream():
    async with client_of("chats", make=AsyncOpenAI) as other:
        parts = []
        async for chunk in await other.chat.completions.create(**short, stream=True):
            parts.append(chunk.choices[0].delta.content or "")
        return "".join(parts)
seen["asyncStreamed"] = asyncio.run(stream())

with client.chat.completions.stream(**short) as helper:
    seen["helped"] = "".join(event.delta for event in helper if event.type == "content.delta")

with client.chat.completions.create(**{**short, "max_tokens": ${LONG - 100}}, stream=True) as endless:
    next(iter(endless))
since = time.monotonic()
text_of(client.chat.completions.create(**short))
seen["soonAfterLeaving"] = time.monotonic() - since < 10

completion = client.completions.create(model="ada/chats", prompt="Hello", max_tokens=4, temperature=0)
seen["completion"] = [completion.object, completion.choices[0].finish_reason]

asked = dict(model="ada/vectors", input=["a robot", "a desk"])
encoded = [item.embedding for item in vectors.embeddings.create(**asked).data]
numbers = [item.embedding for item in vectors.embeddings.create(**asked, encoding_format="float").data]
seen["embeddings"] = [len(vector) for vector in encoded]
seen["isSameAsNumbers"] = all(abs(a - b) < 1e-6 for one, other in zip(encoded, numbers) for a, b in zip(one, other))

seen["errors"] = {
    "stranger": refused(client_of("chats", "nobody-knows-it").models.list),
    "invalid": refused(lambda: client.chat.completions.create(**{**short, "temperature": "warm"}), "param"),
    "nowhere": refused(OpenAI(base_url=f"{daemon}/endpoints/lab/nothing/v1", api_key=token).models.list),
    "otherMode": refused(lambda: client.embeddings.create(model="ada/chats", input="a")),
}
manage("POST", "chats/pause")
seen["errors"]["paused"] = refused(lambda: client.chat.completions.create(**short))
manage("POST", "chats/resume")
seen["resumed"] = text_of(client.chat.completions.create(**short))
print(json.dumps(seen))
`;
