/**
 * `node gateway-daemon.ts <socket> [cached]`: the daemon, whose one public endpoint is served by the model server on that
 * socket, and keeps its answers or not. Prints the endpoint's address when it answers.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newDataDir, startTestDaemon } from '../../daemon/testing/daemon/test-daemon.ts';
import { createOwnFileEndpoint } from '../../daemon/testing/endpoints/own-file-endpoint.ts';
import { writeLinkedLlamaServer } from '../../daemon/testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../../daemon/testing/models/tiny-gguf.ts';

const dataDir = await newDataDir();
const llamaServer = await writeLinkedLlamaServer(dataDir, process.argv[2] as string);
const daemon = await startTestDaemon({ dataDir, llamaServer });
const end = async () => {
  await daemon[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
  process.exit(0);
};
process.once('SIGTERM', () => void end());
const { name, value } = daemon.newSessionCookie();
await createOwnFileEndpoint(
  daemon.url,
  { cookie: `${name}=${value}` },
  {
    ...{ namespace: 'bench', name: 'model', type: 'public' },
    cacheHttpResponses: process.argv[3] === 'cached',
    modelPath: writeTinyGguf(join(dataDir, 'tiny.gguf')),
  },
);
const url = `${daemon.url}/endpoints/bench/model`;
await fetch(url); // waits until the endpoint runs
console.log(url);
