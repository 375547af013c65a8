/** Starts, uses and quits the program repeatedly: nothing is left. DESKTOP_ROUNDS sets the number of rounds. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDataFolder } from '../../daemon/shared/data-folder/data-folder-lock.ts';
import { dataPaths } from '../../daemon/shared/files/data-paths.ts';
import { processesWithEnvironment } from '../../daemon/shared/processes/processes.ts';
import { fixtureApp } from '../../daemon/testing/daemon/test-daemon.ts';
import { childrenOf, type Desktop, expect, startDesktop, test } from './desktop.ts';

/** Rounds for each way to quit. */
const rounds = Math.ceil(Number(process.env['DESKTOP_ROUNDS'] ?? 4) / 4);

/** The ways in which a user, the desktop or a terminal quits it. */
const waysToQuit: readonly (readonly [name: string, quit: (desktop: Desktop) => Promise<unknown>])[] = [
  ['its window is closed', ({ page }) => page.close()],
  ['it is quit', ({ app }) => app.evaluate(({ app: it }) => it.quit())],
  ['it gets SIGTERM', async ({ app }) => app.process().kill('SIGTERM')],
  ['it gets SIGINT', async ({ app }) => app.process().kill('SIGINT')],
];

test.setTimeout(30_000 + rounds * 30_000);

for (const [index, [name, quit]] of waysToQuit.entries()) {
  test(`${name}, ${rounds} ×: no process, socket, lock or temporary folder is left`, async ({ dataDir }) => {
    // Its own folder for temporary files, which also identifies the processes of a round.
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
      // In every other round the app is left running.
      if ((index + round) % 2 === 0) await desktop.call('stopCurrentApp');
      await quit(desktop);
      expect(await desktop.exited, `the exit code of round ${round + 1}`).toBe(0);
      await expect
        .poll(left, { message: `left by round ${round + 1}` })
        .toEqual({ processes: [], children: [], temporary: [] });
      await expect(fetch(desktop.url)).rejects.toThrow();
      (await lockDataFolder(dataPaths(dataDir))).release();
    }
    await rm(TMPDIR, { recursive: true });
  });
}
