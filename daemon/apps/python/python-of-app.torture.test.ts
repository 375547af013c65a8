/** Apps that need another Python than the preferred one, installed and started by the real daemon. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { installedPythons, probing } from '../../testing/python/installed-pythons.ts';
import { packageIndexIsHere } from '../../testing/python/uv.ts';
import { findPython } from './python-finder.ts';

const pythons = await installedPythons();
const preferred = await findPython({ wanted: null, installed: { find: async () => pythons }, ...probing() });
const minorOf = (version: string) => version.split('.').slice(0, 2).join('.');
const others = pythons.filter(({ version }) => minorOf(version) !== minorOf(preferred.version));
const [newest] = others;
if (!newest) console.warn('SKIPPED: installs with another Python than the preferred one, because there is none');

describe.skipIf(!newest)('on a machine with several Pythons', () => {
  let folder: string;
  let daemon: TestDaemon;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'robot-desktop-pythons-'));
    daemon = await startTestDaemon({ installer: (await packageIndexIsHere()) ? 'uv' : 'pip' });
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const install = async (requiresPython: string) =>
    daemon.install(await writeAppPackage(folder, { name: 'picky', requiresPython }));
  const versionOf = async () => (await daemon.get('/api/apps/installed/picky')).body.pythonVersion as string;

  test('an app runs on the newest one that it accepts, and keeps it', async () => {
    const range = `==${minorOf(newest?.version ?? '')}.*`;
    expect(await install(range)).toMatchObject({ state: 'done', failure: null });
    expect(await versionOf()).toBe(newest?.version);
    expect(await daemon.post('/api/apps/start-app/picky')).toMatchObject({ status: 200 });
    await vi.waitFor(async () => expect(await daemon.output()).toContain('ready'));
    await daemon.post('/api/apps/stop-current-app');
    expect(await install('>=3.10')).toMatchObject({ state: 'done', failure: null });
    expect(await versionOf()).toBe(newest?.version); // an update keeps it
    expect(await install(`==${minorOf(preferred.version)}.*`)).toMatchObject({ state: 'done', failure: null });
    expect(await versionOf()).toBe(preferred.version);
    const { python } = (await daemon.get('/api/daemon/status')).body;
    expect(python).toMatchObject({ version: preferred.version }); // the tools keep the preferred one
  });
});
