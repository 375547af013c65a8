import { join } from 'node:path';
import { AccessTokens } from '../../../daemon/access/access-tokens.ts';
import { createLogger } from '../../../daemon/shared/logger.ts';
import { type EndpointClient, endpointClient } from '../../../daemon/testing/endpoints/endpoint-client.ts';
import { minimalRequest } from '../../../daemon/testing/models/some-endpoints.ts';
import { writeTinyGguf } from '../../../daemon/testing/models/tiny-gguf.ts';
import { type BenchDaemon, startBenchDaemon } from '../../harness/bench-daemon.ts';

/** A daemon with one endpoint that serves a tiny model, ready. */
export interface EndpointBench extends AsyncDisposable {
  readonly daemon: BenchDaemon;
  readonly endpoint: EndpointClient;
  readonly modelPath: string;
}

/** @param llamaServer the path of llama-server; `none`: the bundled program */
export async function startEndpointBench(llamaServer: string): Promise<EndpointBench> {
  const daemon = await startBenchDaemon(['--llama-server', llamaServer], async (dataDir) => {
    writeTinyGguf(join(dataDir, 'tiny.gguf'));
  });
  try {
    const tokens = new AccessTokens(join(daemon.dataDir, 'tokens.json'), { log: createLogger('error') });
    const { text: token } = await tokens.create({ name: null, scopes: ['deploy'], namespaces: null });
    const modelPath = join(daemon.dataDir, 'tiny.gguf');
    const endpoint = endpointClient(daemon.url, token, 'tiny');
    await create(daemon.url, token, modelPath);
    await endpoint.until('running');
    return { daemon, endpoint, modelPath, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
  } catch (error) {
    await daemon[Symbol.asyncDispose]();
    throw error;
  }
}

async function create(url: string, token: string, modelPath: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const hardware = await fetch(`${url}/v2/provider/lab`, { headers });
  const { vendors } = (await hardware.json()) as {
    vendors: { name: string; regions: { computes: { instanceType: string; instanceSize: string }[] }[] }[];
  };
  const here = vendors.find(({ name }) => name === 'local')?.regions[0]?.computes[0];
  const request = minimalRequest('tiny');
  const image = { llamacpp: { url: 'engines/llamacpp:cpu', modelPath, ctxSize: 512 } };
  const created = await fetch(`${url}/v2/endpoint/lab`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      ...request,
      compute: { ...request.compute, instanceType: here?.instanceType, instanceSize: here?.instanceSize },
      model: { repository: 'lab/tiny', framework: 'llamacpp', task: 'text-generation', image },
      experimentalFeatures: { skipRepoDownload: true },
    }),
  });
  if (!created.ok) throw new Error(await created.text());
}
