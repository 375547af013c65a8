/** Runs models with the hub's command line and library, unchanged except for the address: the real daemon and runner. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { type CommandFailed, runCommand } from '../shared/processes/run-command.ts';
import { projectDir } from './daemon/test-daemon.ts';
import { READABLE_SEED, startTinyModelsDaemon } from './endpoints/tiny-models-daemon.ts';
import { startFakeHub } from './fake-hub.ts';
import { writeSmallCatalog } from './models/small-catalog.ts';
import { tinyGguf } from './models/tiny-gguf.ts';
import { pythonFromIndex } from './python/python-from-index.ts';

/** The hub's client and a daemon that downloads from a hub for tests; null: the client cannot be had, and the test is skipped. */
async function setUp(context: TestContext) {
  const env = childEnvironment(process.env, randomUUID());
  const client = await pythonFromIndex('hub-client', env);
  if ('missing' in client) {
    console.warn(`SKIPPED: the hub's own client cannot be had: ${client.missing}`);
    return context.skip(client.missing);
  }
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const hub = await startFakeHub();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.addModel({ id: 'ada/Tiny-GGUF', files: { 'tiny-q4.gguf': { lfs: tinyGguf({ seed: READABLE_SEED }) } } });
  const daemon = await startTinyModelsDaemon({ catalogFile: await writeSmallCatalog(folder), hubUrl: hub.url });
  onTestFinished(() => daemon[Symbol.asyncDispose]());
  const { url } = daemon.checked.daemon;
  const token = await daemon.checked.newToken({ namespaces: ['lab'] });
  const python = (args: readonly string[]) =>
    runCommand(client.python, ['-B', ...args], {
      env,
      moreEnv: {
        ...{ HF_ENDPOINT: url, HF_TOKEN: token, HF_HOME: folder, NO_COLOR: '1' },
        ...{ HF_HUB_DISABLE_TELEMETRY: '1', HF_HUB_DISABLE_UPDATE_CHECK: '1' },
      },
      deadlineMs: 150_000,
    }).catch((error: CommandFailed) => error.lines);
  return { folder, daemon, url, python };
}

test.skipIf(process.platform === 'win32')(
  'the stock command line deploys a model, follows its start, pauses, resumes, lets it sleep, and deletes it',
  async (context) => {
    const { folder, daemon, url, python } = await setUp(context);
    const state = (name: string, more: object = {}) => ({ name: 'tiny', status: { state: name, ...more } });
    const steps: readonly (readonly [command: string, outcome: string | object])[] = [
      ['endpoints catalog deploy --recipe tiny-q4 --name tiny --json', state('pending')],
      ['wait tiny running', ''],
      [
        'endpoints describe tiny --json',
        state('running', {
          ...{ message: 'Ready.', url: `${url}/endpoints/lab/tiny` },
          ...{ readyReplica: 1, targetReplica: 1 },
        }),
      ],
      ['endpoints ls --json', [{ name: 'tiny', status: 'running', model: 'ada/Tiny-GGUF' }]],
      ['endpoints update tiny --max-replica 2 --json', state('updating')],
      ['wait tiny running', ''],
      ['endpoints pause tiny --json', state('paused')],
      ['endpoints describe tiny --json', state('paused')],
      ['endpoints resume tiny --json', state('pending')],
      ['wait tiny running', ''],
      ['endpoints resume tiny --json', state('running')],
      ['endpoints scale-to-zero tiny --json', state('scaledToZero')],
      ['endpoints describe tiny --json', state('scaledToZero')],
      ['endpoints resume tiny --json', state('initializing')],
      ['wait tiny running', ''],
      ['endpoints delete tiny --yes', "Deleted 'tiny'."],
      ['endpoints ls --json', []],
    ];
    const [commands, results] = [join(folder, 'commands.json'), join(folder, 'results.json')];
    await writeFile(commands, JSON.stringify(steps.map(([command]) => command.split(' '))));
    const program = join(projectDir, 'daemon', 'testing', 'hub-commands.py');
    const lines = await python([program, url, '/api/v1/catalog', commands, results]);
    const outcomes = JSON.parse(await readFile(results, 'utf8').catch(() => lines.join('\n')));
    for (const [at, [command, outcome]] of steps.entries()) {
      const { code, output } = outcomes[at] as { code: number; output: string };
      expect(code, `${command}\n${output}`).toBe(0);
      if (typeof outcome === 'string') expect(output, command).toContain(outcome);
      else expect(JSON.parse(/^[[{].*$/m.exec(output)?.[0] ?? 'null'), command).toMatchObject(outcome);
    }
    expect(await daemon.checked.daemon.children()).toEqual([]);
  },
  240_000,
);

test.skipIf(process.platform === 'win32')(
  'the stock library waits for a model, chats with it, streams, and wakes it',
  async (context) => {
    const { daemon, url, python } = await setUp(context);
    const { compute } = await (await daemon.serve('own')).get();
    const { accelerator, instanceType, instanceSize } = compute;
    const place = { vendor: 'local', region: 'this-machine', accelerator };
    const where = JSON.stringify({ ...place, instance_type: instanceType, instance_size: instanceSize });
    const lines = await python(['-c', stockLibrary, url, where]);
    expect(lines, lines.join('\n')).toEqual(expect.arrayContaining([expect.stringMatching(/^{/)]));
    const { text, ...seen } = JSON.parse(lines.at(-1) ?? '');
    expect(text).toMatch(/\d-\d/);
    expect(seen).toEqual({
      waited: ['running', `${url}/endpoints/lab/tiny`],
      chat: ['length', 8],
      streamed: text,
      asyncChat: text,
      byAddress: text,
      byOpenAiAddress: text,
      own: text,
      default: ['llamacpp'],
      byDefault: text,
      asleep: 'scaledToZero',
      woken: text,
      awake: 'running',
      stranger: 401,
      left: [],
    });
  },
  240_000,
);

/** A program for the real hub, without knowledge of the daemon. */
const stockLibrary = `
import asyncio, json, sys
from huggingface_hub import HfApi, InferenceClient, constants, get_token
from huggingface_hub.errors import HfHubHTTPError

base, where, seen = sys.argv[1], json.loads(sys.argv[2]), {}
constants.INFERENCE_ENDPOINTS_ENDPOINT = base + "/v2"
api = HfApi()
hello = dict(messages=[{"role": "user", "content": "Hello"}], max_tokens=8, temperature=0)

def text_of(answer):
    return answer.choices[0].message.content

tiny = api.create_inference_endpoint(
    "tiny", repository="ada/Tiny-GGUF", framework="llamacpp", task="text-generation", min_replica=0,
    custom_image={"llamacpp": {"url": "engines/llamacpp:cpu", "modelPath": "/repository/tiny-q4.gguf"}}, **where,
)
tiny.wait(timeout=90, refresh_every=0.1)
seen["waited"] = [tiny.status, tiny.url]

client = tiny.client
answer = client.chat_completion(**hello)
seen["text"] = text_of(answer)
seen["chat"] = [answer.choices[0].finish_reason, answer.usage.completion_tokens]
seen["streamed"] = "".join(chunk.choices[0].delta.content or "" for chunk in client.chat_completion(**hello, stream=True))
seen["asyncChat"] = text_of(asyncio.run(tiny.async_client.chat_completion(**hello)))
seen["byAddress"] = text_of(InferenceClient(base_url=tiny.url, api_key=get_token()).chat.completions.create(**hello))
seen["byOpenAiAddress"] = text_of(InferenceClient(base_url=tiny.url + "/v1", api_key=get_token()).chat.completions.create(**hello))
seen["own"] = text_of(api.get_inference_endpoint("own").wait(timeout=90).client.chat_completion(**hello))

default = api.create_inference_endpoint("default", repository="ada/Tiny-GGUF", framework="pytorch", **where)
seen["default"] = list(default.raw["model"]["image"])
seen["byDefault"] = text_of(default.wait(timeout=90, refresh_every=0.1).client.chat_completion(**hello))

seen["asleep"] = tiny.scale_to_zero().status
seen["woken"] = text_of(tiny.client.chat_completion(**hello))
seen["awake"] = tiny.fetch().status
try:
    seen["stranger"] = InferenceClient(base_url=tiny.url, api_key="nobody-knows-it").chat_completion(**hello)
except HfHubHTTPError as error:
    seen["stranger"] = error.response.status_code
for endpoint in api.list_inference_endpoints():
    endpoint.delete()
seen["left"] = api.list_inference_endpoints()
print(json.dumps(seen))
`;
