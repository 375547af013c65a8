/** An update that crashes at its first start is rolled back automatically; one that runs is approved. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import { copyOf } from '../../testing/apps/installer-cases.ts';
import { startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

const polite = async (): Promise<InstalledApp> => (await daemon.get('/api/apps/installed/polite')).body;
const start = () => daemon.post('/api/apps/start-app/polite');
const isFree = () => vi.waitFor(async () => expect(await daemon.slot()).toMatchObject({ state: 'free' }));

/** Installs the next version from the folder. */
async function update(folder: string, version: string, change: (source: string) => string = (source) => source) {
  const pyproject = join(folder, 'pyproject.toml');
  await writeFile(pyproject, (await readFile(pyproject, 'utf8')).replace(/^version = .*$/m, `version = "${version}"`));
  const main = join(folder, 'polite', 'main.py');
  await writeFile(main, change(await readFile(main, 'utf8')));
  expect(await daemon.install(folder)).toMatchObject({ state: 'done' });
}
const broken = (source: string) =>
  source.replace(/(def run\(.*\n)/, '$1        raise KeyError("a step that is not there")\n');
const repaired = (source: string) => source.replace(/ +raise KeyError.*\n/, '');

test('a crashing update is rolled back with a message; the next update, which runs, stays', async () => {
  const folder = await copyOf('polite');
  await update(folder, '1.0');
  expect(await polite()).toMatchObject({ version: '1.0', onTrial: false });

  await update(folder, '1.1', broken);
  expect(await polite()).toMatchObject({ version: '1.1', onTrial: true, previous: { version: '1.0' } });
  expect((await start()).status).toBe(200);
  await isFree();
  expect(await daemon.slot()).toMatchObject({ lastRun: { outcome: 'crashed', version: '1.1' } });
  const back = await polite();
  expect(back).toMatchObject({
    version: '1.0',
    onTrial: false,
    rolledBack: { automatic: true, from: { version: '1.1' } },
  });
  expect(back.rolledBack?.reason).toMatch(/^Version 1\.1 ended \d+ s after its first start\. .*KeyError/);
  await start();
  await vi.waitFor(async () => expect(await daemon.slot()).toMatchObject({ state: 'running' }));
  await daemon.post('/api/apps/stop-current-app');

  await update(folder, '1.2', repaired);
  expect(await polite()).toMatchObject({ version: '1.2', onTrial: true, rolledBack: null });
  await start();
  await vi.waitFor(async () => expect(await daemon.slot()).toMatchObject({ state: 'running' }));
  await daemon.post('/api/apps/stop-current-app');
  expect(await polite()).toMatchObject({ version: '1.2', onTrial: false, previous: { version: '1.0' } });
});

test('what an app saves beside its code goes on over an update, and is as it was then after a rollback', async () => {
  const counting = (source: string) =>
    source.replace(
      /(def run\(.*\n)/,
      '$1        from pathlib import Path\n        kept = Path(__file__).parent / "count.txt"\n        count = int(kept.read_text()) + 1 if kept.exists() else 1\n        kept.write_text(str(count))\n        print("count", count, flush=True)\n',
    );
  const counted = async () => {
    await start();
    await vi.waitFor(async () => expect(await daemon.slot()).toMatchObject({ state: 'running' }));
    const lines = await vi.waitFor(async () => {
      const found = (await daemon.output()).filter((line) => line.startsWith('count '));
      expect(found).not.toEqual([]);
      return found;
    });
    await daemon.post('/api/apps/stop-current-app');
    return lines;
  };
  await daemon.delete('/api/apps/installed/polite');
  const folder = await copyOf('polite');
  await update(folder, '2.0', counting);
  expect([await counted(), await counted()]).toEqual([['count 1'], ['count 2']]);
  await update(folder, '2.1');
  const [{ id: jobId } = { id: '' }] = await daemon.call('listJobs');
  const { lines } = await daemon.call('getJobLog', { params: { jobId } });
  expect(lines).toContain('kept polite/count.txt (1 B), which the app saved beside its code');
  expect(await counted()).toEqual(['count 3']);
  await daemon.post('/api/apps/installed/polite/rollback');
  expect((await polite()).rolledBack?.reason).toContain('Files that it saved beside its code are those of that time');
  expect(await counted()).toEqual(['count 3']); // after the second of then
});
