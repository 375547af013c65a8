import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessTokens } from '../../../daemon/access/access-tokens.ts';
import { systemNow } from '../../../daemon/shared/clock.ts';
import { createLogger } from '../../../daemon/shared/logger.ts';
import {
  containerEngineForTests,
  NO_CONTAINER_ENGINE,
} from '../../../daemon/testing/containers/container-engine-for-tests.ts';
import { engineImage } from '../../../daemon/testing/containers/engine-images.ts';
import { endpointClient } from '../../../daemon/testing/endpoints/endpoint-client.ts';
import { createOwnFileEndpoint } from '../../../daemon/testing/endpoints/own-file-endpoint.ts';
import { writeContainerServer } from '../../../daemon/testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../../../daemon/testing/models/tiny-gguf.ts';
import { type BenchDaemon, startBenchDaemon } from '../../harness/bench-daemon.ts';
import { registerCleanup } from '../../harness/cleanup.ts';
import { type Figure, NotMeasurable, row } from '../../harness/figure.ts';
import { keepAliveClient } from '../../harness/keep-alive-client.ts';
import { alternate } from '../../harness/samples.ts';

const OVER_PROCESS_MS = 0.2;

/** The time that a container adds to an answer through the gateway. */
export const containerLatency: Figure = {
  name: 'container-latency',
  measures:
    'an answer of 0.1 kB through the gateway from a server in a container of Podman, to its last byte, on a keep-alive connection',
  beside: 'the same server as a process of the same daemon, requested in turns',
  measure: async ({ quick }) => {
    await using stack = new AsyncDisposableStack();
    const engine = await containerEngineForTests();
    if (engine === null) throw new NotMeasurable(NO_CONTAINER_ENGINE);
    stack.use(registerCleanup(async () => engine[Symbol.asyncDispose]()));
    const folder = await mkdtemp(join(tmpdir(), 'container-bench-'));
    stack.use(registerCleanup(() => rm(folder, { recursive: true, force: true })));
    const llamaServer = await writeContainerServer(folder);
    const options = ['--container-engine', engine.socket, '--llama-server', llamaServer];
    const daemon = stack.use(await startBenchDaemon(options));
    const inProcess = await endpointOf(daemon, 'process', 'engines/llamacpp:cpu');
    const inContainer = await endpointOf(daemon, 'container', engineImage('llamacpp'));
    using client = keepAliveClient();
    const ask = async (url: string) => (await client.get(`${url}/v1/models`)).tookMs;
    if (!quick) for (let turn = 0; turn < 500; turn++) await Promise.all([ask(inContainer), ask(inProcess)]);
    const taken = await alternate(
      quick ? 2 : 3_000,
      () => ask(inContainer),
      () => ask(inProcess),
    );
    const most = taken.beside.median + OVER_PROCESS_MS;
    return [row('container-latency', 'ms', taken, () => ({ text: `≤ process + ${OVER_PROCESS_MS} ms`, most }))];
  },
};

/** Deploys a public endpoint and waits until it runs. @returns its address */
async function endpointOf(daemon: BenchDaemon, name: string, image: string): Promise<string> {
  const tokens = new AccessTokens(join(daemon.dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
  const { text: token } = await tokens.create({ name: null, scopes: ['deploy'], namespaces: null });
  const modelPath = writeTinyGguf(join(daemon.dataDir, 'tiny.gguf'));
  const wanted = { name, modelPath, type: 'public', image: { url: image } } as const;
  await createOwnFileEndpoint(daemon.url, { authorization: `Bearer ${token}` }, wanted);
  await endpointClient(daemon.url, token, name).until('running');
  return `${daemon.url}/endpoints/lab/${name}`;
}
