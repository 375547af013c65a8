/** Power is lost during writes: records on disk may then be truncated or empty. */
import { readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppOnKilledDaemon } from '../../testing/kills/app-on-killed-daemon.ts';

test.each([
  { what: 'empty', share: 0 },
  { what: 'half written', share: 0.5 },
])('with records that are $what, the daemon starts and apps can be installed', async ({ share }) => {
  const app = await AppOnKilledDaemon.begin();
  onTestFinished(() => app.end());
  await app.running();
  await app.stop();
  await app.start();
  // The start of a run is recorded beside the start itself.
  const begun = expect.stringMatching(/^runs\/.*\.json$/);
  await vi.waitFor(async () => expect(await recordsIn(app.dataDir)).toContainEqual(begun));
  const orphans = await app.kill();
  const records = await recordsIn(app.dataDir);
  expect(records).toEqual(
    expect.arrayContaining([
      ...['jobs.json', 'runs.json', 'startup-app.json', 'leaders.json', 'daemon.json'],
      ...['apps/polite/current.json', 'apps/polite/variables.json', 'apps/hello-wave/current.json'],
      begun,
    ]),
  );
  for (const record of records) {
    const path = join(app.dataDir, record);
    await truncate(path, Math.floor((await stat(path)).size * share));
  }

  expect(await app.next(orphans)).toEqual([]);
  expect(await app.observe()).toEqual({
    ...{ app: null, variables: null, bystander: null, bystandersVariables: null, startupApp: null },
    ...{ slot: { state: 'free', lastRun: null }, runs: [], jobs: [] },
    ownFile: 'what the app has written',
  });

  await app.install();
  await expect(app.start()).rejects.toThrow('The variables of "polite" were damaged and have been set aside.');
  expect(await app.observe()).toMatchObject({
    ...{ app: { version: '2.0', previous: null }, variables: [], ownFile: 'what the app has written' },
  });
  await app.start();
  expect(await app.printedVersion()).toBe('2.0');
  expect(await app.stop()).toMatchObject({ lastRun: { outcome: 'stopped', version: '2.0' } });
});

/** The JSON files of the data folder, without those of environments and tools. */
async function recordsIn(dataDir: string): Promise<string[]> {
  const all = await readdir(dataDir, { recursive: true });
  return all.filter((path) => path.endsWith('.json') && !/(^|\/)(envs|tools|cache)\//.test(path)).sort();
}
