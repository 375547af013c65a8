/** The programs that serve models: the real daemon over real HTTP, every reply checked twice. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RuntimeList } from '../../contract/endpoints/runtimes.ts';
import type { Job } from '../../contract/jobs.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';
import { writeStuckLlamaServer } from '../../testing/models/llama-server-standin.ts';
import { writeSmallCatalog } from '../../testing/models/small-catalog.ts';

let folder: string;
let checked: CheckedDaemon;
const server = createServer(
  (_, response) => void readFile(join(folder, 'a.tar.gz')).then((file) => response.end(file)),
);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runtimes-'));
  await writeStuckLlamaServer(folder);
  await create({ file: join(folder, 'a.tar.gz'), cwd: folder, gzip: true }, ['llama-server']);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bytes = await readFile(join(folder, 'a.tar.gz'));
  checked = await startCheckedDaemon({
    llamaServer: null,
    llamaServerUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.tar.gz`,
    llamaServerSha256: createHash('sha256').update(bytes).digest('hex'),
    logLevel: 'warn',
  });
});
afterAll(async () => {
  await checked?.[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const runtimes = async (): Promise<RuntimeList> => {
  const { status, body } = await checked.ask('GET', '/api/runtimes', { token: null });
  expect(status).toBe(200);
  return body;
};

test('the bundled runner is there; llama-server is installed by a job, and is found then', async () => {
  const before = await runtimes();
  expect(before.runtimes.map(({ id }) => id)).toEqual(['llama-server', 'bundled']);
  expect(before.runtimes[1]).toMatchObject({ version: '3.21.1', problem: null, hasGpu: false });
  expect(before.installable).toMatchObject({ host: expect.stringContaining('127.0.0.1:'), problem: null });
  const { status, body } = await checked.ask('POST', '/api/runtimes/llama-server/install');
  expect({ status, kind: body.kind }).toEqual({ status: 202, kind: 'install-runtime' });
  let job: Job = body;
  while (job.endedAt === null) job = (await checked.ask('GET', `/api/jobs/${job.id}`)).body;
  expect(job).toMatchObject({ state: 'done', failure: null });
  const [found] = (await runtimes()).runtimes;
  // One on PATH is preferred.
  if (before.runtimes[0]?.path === null) expect(found).toMatchObject({ version: '0.0.0', problem: null });
});

test('an installation needs a token; looking again does not', async () => {
  expect((await checked.ask('POST', '/api/runtimes/llama-server/install', { token: null })).status).toBe(401);
  expect((await checked.ask('POST', '/api/runtimes/refresh', { token: null })).body.runtimes).toHaveLength(2);
});

test('a model that reads images is unfit without llama-server, in the list and in the 409', async () => {
  const dataDir = await newDataDir();
  const catalogFile = await writeSmallCatalog(dataDir);
  const bundledOnly = await startCheckedDaemon({ dataDir, catalogFile, llamaServer: 'none' });
  try {
    const off = 'llama-server is switched off by the option --llama-server none.';
    const sentence = `It reads images, which needs llama-server. ${off}`;
    const detail = await bundledOnly.ask('GET', '/api/models/ada/Eyes-GGUF');
    expect(detail.body.fit).toMatchObject({ fits: false, lacksRuntime: true, canInstall: false, sentence });
    const body = { namespace: 'lab' };
    const refusal = await bundledOnly.ask('POST', '/api/v1/catalog/model/ada/Eyes-GGUF/deploy', { body });
    expect(refusal).toMatchObject({
      ...{ status: 409 },
      body: {
        error: expect.stringContaining(`the model: it reads images, which needs llama-server. ${off}`),
      },
    });
    const listed = async (daemon: CheckedDaemon) => (await daemon.ask('GET', '/api/models?fits=true&search=eyes')).body;
    expect(await listed(bundledOnly)).toMatchObject({ matches: 0 });
    expect((await bundledOnly.ask('GET', '/api/runtimes')).body.runtimes[0].problem).toContain('switched off');
  } finally {
    await bundledOnly[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  }
});
