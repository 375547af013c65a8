/** The work that a start after a SIGKILL has done by the time it prints the address. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { daemonAt } from '../client/node/daemon-at.ts';
import { install } from '../client/node/install.ts';
import { dataPaths } from '../shared/files/data-paths.ts';
import { type DaemonProcess, startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { fixtureApp, newDataDir, tracesIn } from '../testing/daemon/test-daemon.ts';

async function timed(start: () => Promise<DaemonProcess>): Promise<{ daemon: DaemonProcess; ms: number }> {
  const from = performance.now();
  const daemon = await start();
  return { daemon, ms: Math.round(performance.now() - from) };
}

test('orphans are ended, jobs closed and unfinished work is discarded', async () => {
  const dataDir = await newDataDir();
  const paths = dataPaths(dataDir);
  const start = () => timed(() => startDaemonProcess(dataDir, ['--no-wake-up-on-start']));
  const first = await start();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const client = daemonAt(first.daemon.url);
  expect(await install(client, fixtureApp('forks'))).toMatchObject({ state: 'done' });
  await client.call('startApp', { params: { appName: 'forks' } });
  await vi.waitFor(async () => expect((await first.daemon.children()).length).toBeGreaterThanOrEqual(3));
  // An install is well under way.
  const source = join(paths.work, 'install-large', 'source');
  for (let part = 0; part < 20; part++) {
    await mkdir(join(source, `${part}`), { recursive: true });
    await Promise.all(Array.from({ length: 100 }, (_, file) => writeFile(join(source, `${part}`, `${file}`), '')));
  }
  const { id: underWay } = await client.call('installApp', { body: { url: fixtureApp('slow_to_import') } });
  const running = async () =>
    expect(await client.call('getJob', { params: { jobId: underWay } })).toMatchObject({
      state: 'running',
      detail: expect.any(String) as string,
    });
  await vi.waitFor(running, { timeout: 30_000, interval: 20 });
  await vi.waitFor(async () => expect(await readFile(paths.jobsFile, 'utf8')).toContain(underWay));
  await first.daemon.kill();
  const orphans = await first.daemon.children();
  expect(orphans.length).toBeGreaterThanOrEqual(2); // the app itself may have noticed the lost daemon and ended

  const second = await start();
  stack.defer(() => second.daemon.kill());
  expect((await second.daemon.children()).filter((pid) => orphans.includes(pid))).toEqual([]);
  const jobs = await daemonAt(second.daemon.url).call('listJobs');
  expect(jobs.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  expect(jobs.find((job) => job.id === underWay)?.failure?.reason).toBe('interrupted');
  expect(await tracesIn(dataDir)).toEqual(['forks', expect.stringMatching(/^forks\/[0-9a-f]+$/)]);
  const discarded = async () => expect((await readdir(dataDir)).filter((name) => name.startsWith('work'))).toEqual([]);
  await vi.waitFor(discarded, { interval: 100 });
  console.log(`from the start of the process: ${first.ms} ms clean, ${second.ms} ms after the kill`);
});
