/** Runs the hub's command line, unchanged except for the address, on the daemon: both versions that support catalogs. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AccessTokens } from '../access/access-tokens.ts';
import { cpuOffer, measureHost } from '../catalog/compute/this-machine.ts';
import { systemNow } from '../shared/clock.ts';
import { dataPaths } from '../shared/files/data-paths.ts';
import { createLogger } from '../shared/logger.ts';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { runCommand } from '../shared/processes/run-command.ts';
import { projectDir, startTestDaemon } from './daemon/test-daemon.ts';
import { pythonFromIndex } from './python/python-from-index.ts';

/** The arguments of `hf`, or `wait` with a name and a state; its exit code, and its output: a part of the text, or members of the printed JSON. */
type Step = readonly [words: readonly string[], code: number, says: string | object];

const words = (text: string) => text.split(' ');
const { id, instanceType, instanceSize } = cpuOffer(measureHost());
const here = words(
  `--vendor local --region this-machine --accelerator cpu --instance-type ${instanceType} --instance-size ${instanceSize}`,
);
const MODEL = 'Qwen/Qwen3-0.6B-GGUF';
const GGUF = 'Qwen3-0.6B-Q8_0.gguf';
const RECIPE = 'qwen--qwen3-0.6b-gguf--llamacpp-cpu-q80';
const pending = { state: 'pending', message: 'Waiting to start.' };
/** Nothing here runs the images of these endpoints: each fails once that is found out, and stays so. */
const failed = {
  state: 'failed',
  message: expect.stringMatching(/^(Its image is still open|Only the hub runs|No image .*is known)/),
};

/** The endpoint commands of both versions; endpoints from the catalog are named `by-repo` and so on. */
const endpointSteps: readonly Step[] = [
  [
    words('endpoints hardware --vendor local --accelerator cpu --json'),
    0,
    [{ id, vendor: 'local', region: 'this-machine', instance_type: 'host', instance_size: instanceSize, quota: '0/1' }],
  ],
  [words('endpoints hardware --vendor aws'), 0, "Use '--all' to also show hardware that cannot be deployed on"],
  [words('endpoints hardware --vendor aws --all'), 0, 'None of these can be deployed on right now'],
  [
    [...words('endpoints deploy whole --repo ada/poet --framework pytorch --json'), ...here],
    0,
    {
      ...{
        name: 'whole',
        type: 'authenticated',
        status: pending,
        provider: { vendor: 'local', region: 'this-machine' },
      },
      compute: { id, scaling: { minReplica: 1, maxReplica: 1, scaleToZeroTimeout: null, measure: null } },
      model: { repository: 'ada/poet', revision: null, framework: 'pytorch', fromCatalog: false, image: { hub: {} } },
    },
  ],
  [
    [...words('endpoints deploy whole --repo ada/poet --framework pytorch'), ...here],
    1,
    'There is already an endpoint "whole".',
  ],
  [
    [
      ...words('endpoints deploy served --repo ada/poet --framework custom --type public --json'),
      ...words('--engine vllm --custom-image engines/vllm:1 --port 8000 --health-route /up --tensor-parallel-size 2'),
      ...words('--env A=1 --secrets B=hush --revision main --task text-generation --min-replica 0'),
      ...words('--scale-to-zero-timeout 20 --scaling-metric pendingRequests --scaling-threshold 2.5'),
      ...['--container-command', 'python -m server', '--container-args', '--a b'],
      ...here,
    ],
    0,
    {
      ...{ type: 'public', healthRoute: '/up' },
      compute: {
        scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 20, measure: { pendingRequests: 2.5 } },
      },
      model: {
        ...{ revision: 'main', task: 'text-generation', env: { A: '1' }, secrets: { B: null } },
        ...{ command: ['python', '-m', 'server'], args: ['--a', 'b'] },
        image: { vLLM: { url: 'engines/vllm:1', port: 8000, healthRoute: '/up', tensorParallelSize: 2 } },
      },
    },
  ],
  [
    [
      ...words('endpoints deploy own --repo ada/poet --framework custom --custom-image engines/own:1 --json'),
      ...words('--container-registry-username ada --container-registry-password hush'),
      ...here,
    ],
    0,
    { model: { image: { custom: { url: 'engines/own:1', credentials: { username: 'ada', password: null } } } } },
  ],
  [
    words(
      `endpoints deploy away --repo ada/poet --framework pytorch --vendor aws --region us-east-1 --accelerator gpu --instance-type nvidia-l4 --instance-size x1`,
    ),
    1,
    'No account for aws is configured: nothing can be created there.',
  ],
  [
    words('endpoints update whole --min-replica 0 --max-replica 2 --json'),
    0,
    { compute: { scaling: { minReplica: 0, maxReplica: 2, scaleToZeroTimeout: 15 } }, status: pending },
  ],
  [words('endpoints update whole --min-replica 3'), 400, 'minReplica, 3, is more than maxReplica, 2'],
  [
    // The client reads the image and sends it back with one more member.
    words('endpoints update served --data-parallel-size 3 --json'),
    0,
    {
      model: {
        args: ['--a', 'b'],
        secrets: { B: null },
        image: {
          vLLM: {
            ...{ url: 'engines/vllm:1', port: 8000, healthRoute: '/up', tensorParallelSize: 2, dataParallelSize: 3 },
          },
        },
      },
    },
  ],
  [
    [...words('endpoints update served --scaling-metric hardwareUsage --json'), '--container-args', ''],
    0,
    {
      compute: { scaling: { measure: { hardwareUsage: null } } },
      model: { args: [], command: ['python', '-m', 'server'] },
    },
  ],
  [
    words(
      'endpoints update whole --custom-image engines/tei:1 --engine tei --repo ada/ranker --task text-ranking --json',
    ),
    0,
    { model: { repository: 'ada/ranker', task: 'text-ranking', image: { tei: { url: 'engines/tei:1' } } } },
  ],
  [
    words('endpoints update whole --custom-image engines/own:1 --engine hf-serve --port 80 --json'),
    0,
    { model: { image: { hubServe: { url: 'engines/own:1', port: 80 } } } },
  ],
  [
    words('endpoints update whole --accelerator gpu --instance-type nothing'),
    400,
    `There is no nothing ${instanceSize} (gpu) at local, this-machine.`,
  ],
  [words('wait whole failed'), 0, ''],
  [words('endpoints scale-to-zero whole'), 400, 'The endpoint "whole" cannot sleep now: it has failed.'],
  [words('endpoints pause whole --json'), 0, { name: 'whole', status: { state: 'paused' } }],
  [words('endpoints scale-to-zero whole'), 400, 'The endpoint "whole" cannot sleep now: it is paused.'],
  [words('endpoints resume whole --json'), 0, { name: 'whole', status: pending }],
  ...['own', 'served', 'whole'].map((name): Step => [words(`wait ${name} failed`), 0, '']),
  [words('endpoints describe whole --json'), 0, { name: 'whole', status: failed }],
  [
    words('endpoints ls --json'),
    0,
    ['own', 'served', 'whole'].map((name) => ({ name, status: 'failed', instance: 'host', vendor: 'local' })),
  ],
  [words('endpoints ls --namespace elsewhere'), 404, 'There is no namespace "elsewhere" for this token.'],
  [words('endpoints ls --namespace robots --token nobody-knows-it'), 401, 'A valid bearer token of this daemon'],
  [words('endpoints describe none'), 404, 'There is no endpoint "none".'],
  [words('endpoints delete whole --yes'), 0, "Deleted 'whole'."],
  [words('endpoints delete whole --yes'), 404, 'There is no endpoint "whole".'],
  [words('endpoints delete served --yes'), 0, "Deleted 'served'."],
  [words('endpoints delete own --yes'), 0, "Deleted 'own'."],
];

const fromCatalog = (name: string) => ({
  ...{ name, type: 'authenticated', healthRoute: '/health', status: pending },
  compute: { id, accelerator: 'cpu', scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15 } },
  model: { repository: MODEL, fromCatalog: true, image: { llamacpp: { modelPath: `/repository/${GGUF}` } } },
});

const catalogSteps: readonly Step[] = [
  [
    words('endpoints catalog ls --engine llamacpp --accelerator cpu --task text-generation --search 0.6b --json'),
    0,
    ['cpu', 'gpu'].map((accelerator) => ({
      ...{ repo_id: MODEL, task: 'text-generation', license: 'apache-2.0', accelerator, engine: 'llamacpp' },
      ...{ gguf_file: GGUF, recipe_id: RECIPE.replace('cpu', accelerator) },
    })),
  ],
  [
    words('endpoints catalog ls --license mit --limit 1 --json'),
    0,
    ['vllm', 'sglang'].map((engine) => ({ license: 'mit', engine })),
  ],
  [words('endpoints catalog ls --limit 0'), 400, 'Catalog fetch failed'],
  [words(`endpoints catalog deploy --recipe ${RECIPE} --name by-recipe --json`), 0, fromCatalog('by-recipe')],
  [words(`endpoints catalog deploy --repo ${MODEL} --name by-repo --json`), 0, fromCatalog('by-repo')],
  [
    words(`endpoints catalog deploy --repo ${MODEL} --name by-file --accelerator cpu --gguf-file ${GGUF} --json`),
    0,
    fromCatalog('by-file'),
  ],
  [words(`endpoints catalog deploy --repo ${MODEL} --name by-repo`), 400, 'There is already an endpoint "by-repo".'],
  [
    words(`endpoints catalog deploy --repo ${MODEL} --gguf-file none`),
    404,
    `"${MODEL}" has no recipe with the file "none".`,
  ],
  [words('endpoints catalog deploy --recipe none'), 404, 'The catalog has no recipe "none".'],
  [words('endpoints catalog deploy --repo ada/none'), 404, 'The catalog has no model "ada/none".'],
  [
    words('endpoints catalog deploy --repo Qwen/Qwen3-8B --accelerator neuron'),
    409,
    'No compatible compute found for the model: needs a Neuron accelerator; this machine has none.',
  ],
  ...['by-recipe', 'by-repo', 'by-file'].map(
    (name): Step => [words(`endpoints delete ${name} --yes`), 0, `Deleted '${name}'.`],
  ),
];

const olderCatalogSteps: readonly Step[] = [
  [words('endpoints catalog ls --json'), 0, { models: expect.arrayContaining([MODEL, 'Qwen/Qwen3-8B']) }],
  [words(`endpoints catalog deploy --repo ${MODEL} --name by-repo --json`), 0, fromCatalog('by-repo')],
  [
    words(`endpoints catalog deploy --repo ${MODEL} --name by-accelerator --accelerator cpu --json`),
    0,
    fromCatalog('by-accelerator'),
  ],
  [words(`endpoints catalog deploy --repo ${MODEL} --name by-repo`), 400, 'There is already an endpoint "by-repo".'],
  [words('endpoints catalog deploy --repo ada/none'), 404, 'The catalog has no model "ada/none".'],
  [
    words('endpoints catalog deploy --repo Qwen/Qwen3-8B --accelerator neuron'),
    409,
    'No compatible compute found for the model: needs a Neuron accelerator; this machine has none.',
  ],
  ...['by-repo', 'by-accelerator'].map(
    (name): Step => [words(`endpoints delete ${name} --yes`), 0, `Deleted '${name}'.`],
  ),
];

test.skipIf(process.platform === 'win32').for([
  ['hub-client', '/api/v1/catalog', catalogSteps],
  ['older-hub-client', '/api/catalog', olderCatalogSteps],
] as const)(
  'every command of the stock command line works with the daemon: %s at %s',
  { timeout: 240_000 },
  async ([name, catalogPath, ofCatalog], context) => {
    const env = childEnvironment(process.env, randomUUID());
    const client = await pythonFromIndex(name, env);
    if ('missing' in client) {
      console.warn(`SKIPPED: the hub's own command line cannot be had: ${client.missing}`);
      return context.skip(client.missing);
    }
    const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await using daemon = await startTestDaemon();
    const tokens = new AccessTokens(dataPaths(daemon.dataDir).tokensFile, {
      log: createLogger('error'),
      now: systemNow,
    });
    const { text: token } = await tokens.create({ name: 'ada', scopes: ['deploy'], namespaces: ['robots'] });

    const steps = [...ofCatalog, ...endpointSteps];
    const [commands, results] = [join(folder, 'commands.json'), join(folder, 'results.json')];
    await writeFile(commands, JSON.stringify(steps.map(([command]) => command)));
    await runCommand(
      client.python,
      ['-B', join(projectDir, 'daemon', 'testing', 'hub-commands.py'), daemon.url, catalogPath, commands, results],
      {
        env,
        moreEnv: {
          ...{ HF_ENDPOINT: daemon.url, HF_TOKEN: token, HF_HOME: folder, NO_COLOR: '1' },
          ...{ HF_HUB_DISABLE_TELEMETRY: '1', HF_HUB_DISABLE_UPDATE_CHECK: '1' },
        },
        deadlineMs: 100_000,
      },
    );
    const outcomes = JSON.parse(await readFile(results, 'utf8')) as { code: number; output: string }[];
    for (const [at, [command, code, says]] of steps.entries()) {
      const { output = '', ...ended } = outcomes[at] ?? {};
      expect(ended, `${command.join(' ')}\n${output}`).toEqual({ code });
      if (typeof says === 'string') expect(output, command.join(' ')).toContain(says);
      else expect(jsonIn(output), command.join(' ')).toMatchObject(says);
    }
    expect(outcomes.map(({ output }) => output).join('\n')).not.toContain('hush');
  },
);

/** Hints and warnings surround the JSON. */
function jsonIn(output: string): unknown {
  return JSON.parse(output.split('\n').find((line) => /^[[{]/.test(line)) ?? 'null');
}
