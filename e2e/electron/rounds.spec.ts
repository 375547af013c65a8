/** Started, used and quit, over and over: nothing is left of it. DESKTOP_ROUNDS says how often. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataFolder } from '../../daemon/shared/data-folder/data-folder-lock.ts';
import { dataPaths } from '../../daemon/shared/files/data-paths.ts';
import { processesWithEnvironment } from '../../daemon/shared/processes/processes.ts';
import { fixtureApp } from '../../daemon/testing/daemon/test-daemon.ts';
import { childrenOf, type Desktop, expect, startDesktop, test } from './desktop.ts';

const rounds = Number(process.env['DESKTOP_ROUNDS'] ?? 4);

/** The ways in which a person, the desktop or a terminal ends it; taken in turns. */
const ends: readonly ((desktop: Desktop) => Promise<unknown>)[] = [
  ({ page }) => page.close(),
  ({ app }) => app.evaluate(({ app: it }) => it.quit()),
  async ({ app }) => app.process().kill('SIGTERM'),
  async ({ app }) => app.process().kill('SIGINT'),
];

test.setTimeout(rounds * 30_000);

test(`after ${rounds} rounds no process, socket, lock or temporary folder is left`, async ({ dataDir }) => {
  // A place for temporary files of its own: also the mark by which the processes of a round are known.
  const TMPDIR = await mkdtemp(join(tmpdir(), 'desktop-rounds-'));
  const left = async () => ({
    processes: await processesWithEnvironment('TMPDIR', TMPDIR),
    children: await childrenOf(dataDir),
    temporary: await readdir(TMPDIR),
  });
  for (let round = 0; round < rounds; round += 1) {
    const desktop = await startDesktop(dataDir, { TMPDIR });
    expect((await left()).processes.length, 'the window and its browser').toBeGreaterThan(1);
    if (round === 0) expect(await desktop.install(fixtureApp('polite'))).toMatchObject({ state: 'done' });
    await desktop.call('startApp', { params: { appName: 'polite' } });
    await expect.poll(async () => (await desktop.slot()).state).toBe('running');
    // In every other turn the app is left running.
    if (Math.floor(round / ends.length) % 2 === 0) await desktop.call('stopCurrentApp');
    const end = ends[round % ends.length] as (typeof ends)[number];
    await end(desktop);
    expect(await desktop.exited, `the exit code of round ${round + 1}`).toBe(0);
    await expect
      .poll(left, { message: `left by round ${round + 1}` })
      .toEqual({ processes: [], children: [], temporary: [] });
    await expect(fetch(desktop.url)).rejects.toThrow();
    (await lockDataFolder(dataPaths(dataDir))).release();
  }
  await rm(TMPDIR, { recursive: true });
});
