import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { describe, expect, onTestFinished, test } from 'vitest';
import { JobQueue } from '../../jobs/job-queue.ts';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { withoutContainers } from '../../testing/containers/without-containers.ts';
import { llamaServerForTests } from '../../testing/models/llama-server-program.ts';
import { noGraphicsCards } from '../../testing/models/no-graphics-cards.ts';
import { Runtimes } from '../runtimes.ts';
import { LlamaServerInstaller } from './llama-server-installer.ts';

const program = await llamaServerForTests();
const childEnvironment = () => ({ PATH: '/usr/bin:/bin' });
const log = createLogger('error', () => {});

/** Serves an archive from this machine; the first answer ends in the middle. */
async function setup(fill: (folder: string) => Promise<void>, wantedSha256?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'install-'));
  const source = join(folder, 'source');
  await mkdir(join(source, 'llama-b1'), { recursive: true });
  await fill(join(source, 'llama-b1'));
  const archive = join(folder, 'a.tar.gz');
  await create({ file: archive, cwd: source, gzip: { level: 1 } }, ['llama-b1']);
  const bytes = await readFile(archive);
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { range } = request.headers;
    ranges.push(range);
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const rest = bytes.subarray(start);
    response.writeHead(start ? 206 : 200, {
      'content-length': rest.length,
      'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
    });
    if (ranges.length > 1) response.end(rest);
    else response.write(rest.subarray(0, rest.length / 2), () => setTimeout(() => response.destroy(), 300));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const runtimesDir = join(folder, 'runtimes');
  const jobs = new JobQueue({
    store: { load: async () => [], save: async () => {} },
    dataDir: folder,
    ...{ publish: () => {}, clock: systemClock, log },
  });
  const { platform, arch } = process;
  const runtimes = new Runtimes({
    ...withoutContainers,
    cards: noGraphicsCards,
    ...{ llamaServer: null, runtimesDir, runner: '/nowhere', platform, arch, childEnvironment },
    forkNode: () => Promise.reject(new Error('not in this test')),
    hasRelease: async () => true,
  });
  const installer = new LlamaServerInstaller({
    ...{ jobs, runtimesDir, childEnvironment, clock: systemClock, onInstalled: () => runtimes.refresh() },
    wantsCardBuild: async () => false,
    mayReplace: async () => false,
    release: {
      ...{ file: join(import.meta.dirname, '../../../assets/runtimes/llama-server.json'), platform, arch },
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.tar.gz`,
      sha256: wantedSha256 ?? createHash('sha256').update(bytes).digest('hex'),
    },
  });
  onTestFinished(async () => {
    await jobs.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  return { jobs, runtimes, installer, runtimesDir, ranges };
}

describe.skipIf(program === null)('with the real llama-server in an archive', () => {
  test('it is downloaded, taken up after a broken connection, tried, and then preferred', async () => {
    const { jobs, runtimes, installer, runtimesDir, ranges } = await setup(async (folder) => {
      const { cp } = await import('node:fs/promises');
      await cp(dirname(program ?? ''), folder, { recursive: true, verbatimSymlinks: true });
    });
    expect(await runtimes.list()).toMatchObject([{ problem: 'llama-server is not installed.' }, {}]);
    const [one, other] = await Promise.all([installer.install(), installer.install()]);
    expect(one).toMatchObject({ kind: 'install-runtime', subject: 'llama-server', appName: null });
    expect(other.id).toBe(one.id);
    const job = await jobs.ended(one.id);
    expect(job).toMatchObject({ state: 'done', failure: null, transfer: null });
    expect(job.steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'download done',
      'unpack done',
      'try done',
    ]);
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/)]);
    const [status] = await runtimes.list();
    expect(status).toMatchObject({ problem: null, path: expect.stringContaining(runtimesDir) });
    expect((await readdir(runtimesDir)).filter((name) => /part$|new$/.test(name))).toEqual([]);
  });
});

test.each<[string, string, string]>([
  ['does not run here', '#!/bin/sh\necho libgomp.so.1: cannot open >&2; exit 127', 'cannot open'],
  ['is another program', '#!/bin/sh\necho hello', "is not llama.cpp's server"],
])('a program that %s is not installed', async (_what, text, message) => {
  const { jobs, runtimes, installer, runtimesDir } = await setup((folder) =>
    writeFile(join(folder, 'llama-server'), text, { mode: 0o755 }),
  );
  const job = await jobs.ended((await installer.install()).id);
  expect(job).toMatchObject({
    state: 'failed',
    failure: { reason: 'unusable', message: expect.stringContaining(message) },
  });
  expect(await runtimes.list()).toMatchObject([{ path: null }, {}]);
  expect((await readdir(runtimesDir)).filter((name) => name.startsWith('llama-server'))).toEqual([]);
});

test('an archive without the program, and one with another checksum', async () => {
  const empty = await setup((folder) => writeFile(join(folder, 'readme'), 'x'));
  const job = await empty.jobs.ended((await empty.installer.install()).id);
  expect(job.failure).toMatchObject({ reason: 'unusable', message: 'The archive holds no llama-server.' });
  const changed = await setup((folder) => writeFile(join(folder, 'llama-server'), 'x'), 'ab'.repeat(32));
  const other = await changed.jobs.ended((await changed.installer.install()).id);
  expect(other.failure).toMatchObject({ reason: 'checksum' });
  expect(await readdir(changed.runtimesDir)).toEqual([]);
});
