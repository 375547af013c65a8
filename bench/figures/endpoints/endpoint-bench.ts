import { join } from 'node:path';
import { AccessTokens } from '../../../daemon/access/access-tokens.ts';
import { systemNow } from '../../../daemon/shared/clock.ts';
import { createLogger } from '../../../daemon/shared/logger.ts';
import { type EndpointClient, endpointClient } from '../../../daemon/testing/endpoints/endpoint-client.ts';
import { createOwnFileEndpoint } from '../../../daemon/testing/endpoints/own-file-endpoint.ts';
import { writeTinyGguf } from '../../../daemon/testing/models/tiny-gguf.ts';
import { type BenchDaemon, startBenchDaemon } from '../../harness/bench-daemon.ts';

/** A daemon with one endpoint that serves a tiny model, ready. */
export interface EndpointBench extends AsyncDisposable {
  readonly daemon: BenchDaemon;
  readonly endpoint: EndpointClient;
  readonly modelPath: string;
  /** May deploy. */
  readonly token: string;
}

/** @param llamaServer the path of llama-server; `none`: the bundled program */
export async function startEndpointBench(llamaServer: string): Promise<EndpointBench> {
  const daemon = await startBenchDaemon(['--llama-server', llamaServer], async (dataDir) => {
    writeTinyGguf(join(dataDir, 'tiny.gguf'));
  });
  try {
    const tokens = new AccessTokens(join(daemon.dataDir, 'tokens.json'), {
      log: createLogger('error'),
      now: systemNow,
    });
    const { text: token } = await tokens.create({ name: null, scopes: ['deploy'], namespaces: null });
    const modelPath = join(daemon.dataDir, 'tiny.gguf');
    const endpoint = endpointClient(daemon.url, token, 'tiny');
    await createOwnFileEndpoint(daemon.url, { authorization: `Bearer ${token}` }, { name: 'tiny', modelPath });
    await endpoint.until('running');
    return { daemon, endpoint, modelPath, token, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
  } catch (error) {
    await daemon[Symbol.asyncDispose]();
    throw error;
  }
}
