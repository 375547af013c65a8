/** An own app's way on the real daemon: created, checked, repaired, published to a hub, and installed from there. */
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { OwnApp } from '../contract/apps/own-apps.ts';
import { writeAppPackage } from '../testing/apps/app-packages.ts';
import { startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';
import { type FakeHub, startFakeHub } from '../testing/fake-hub.ts';

let top: string;
let hub: FakeHub;
let daemon: TestDaemon;
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'own-apps-')));
  hub = await startFakeHub();
  hub.addToken('hf_of_ann', { name: 'ann', role: 'write' });
  daemon = await startTestDaemon({ hubUrl: hub.url });
  await daemon.call('signInToHub', { body: { token: 'hf_of_ann' } });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
  await rm(top, { recursive: true, force: true });
});

describe('an app that was created here', () => {
  let folder: string;
  let request: { params: { ownAppId: string } };
  const own = async (): Promise<OwnApp> => {
    const { apps } = await daemon.call('listOwnApps');
    return apps.find(({ id }) => id === request.params.ownAppId) ?? expect.fail('not in the list');
  };
  const checked = async () => daemon.jobEnd((await daemon.call('checkOwnApp', request)).id);
  const runs = async () => {
    await daemon.call('runOwnApp', request);
    await vi.waitFor(
      async () => expect(await own()).toMatchObject({ run: { state: 'running', problem: null } }),
      60_000,
    );
  };
  const space = () => ({ kind: 'space', id: 'ann/tick-tock' });

  beforeAll(async () => {
    const app = await daemon.call('createOwnApp', {
      body: { name: 'Tick tock', destination: top, template: 'default' },
    });
    folder = app.folder;
    request = { params: { ownAppId: app.id } };
  });

  test('passes the check, which builds and loads it', async () => {
    expect(await checked()).toMatchObject({ state: 'done', kind: 'check-app', subject: folder, appName: 'tick_tock' });
    expect((await own()).check).toMatchObject({ built: true, findings: [] });
  });

  test('fails the check with a problem, and keeps the report; what can be repaired is', async () => {
    const readme = join(folder, 'README.md');
    const text = await readFile(readme, 'utf8');
    const main = join(folder, 'tick_tock', 'main.py');
    const code = await readFile(main, 'utf8');
    await writeFile(readme, text.replace(/^tags:\n.*robot_python_app\n/m, ''));
    await writeFile(main, `${code}\ndef broken(:\n`);
    const { state, failure } = await checked();
    expect({ state, failure }).toMatchObject({
      state: 'failed',
      failure: { reason: 'problems-found', message: expect.stringMatching(/^The check found a problem\. /) },
    });
    expect((await own()).check?.findings[0]).toMatchObject({ severity: 'problem', file: 'tick_tock/main.py' });
    await writeFile(main, code);
    const fixed = await daemon.call('fixOwnApp', request);
    expect(fixed.check).toMatchObject({ built: false, findings: [] });
    expect(await readFile(readme, 'utf8')).toContain('robot_python_app');
  });

  test('is published with its version, and the store lists it', async () => {
    const preview = await daemon.call('previewPublication', request);
    expect(preview).toMatchObject({ account: 'ann', id: 'ann/tick-tock', exists: false, nextVersion: '0.1.0' });
    const { id } = await daemon.call('publishOwnApp', { ...request, body: {} });
    expect(await daemon.jobEnd(id)).toMatchObject({ state: 'done', failure: null, kind: 'publish-app' });
    expect((await own()).space).toMatchObject({ id: 'ann/tick-tock', private: true, version: '0.1.0' });
    const listed = await daemon.call('listStore', { query: { search: 'tick-tock' } });
    expect(
      listed.apps.map((app) => app.id),
      'the store is read again without being asked',
    ).toEqual(['ann/tick-tock']);
  });

  test('is the same app as its Space, and that one stays for a rollback while the folder is built again', async () => {
    await runs();
    await daemon.call('stopOwnApp', request);
    expect(await daemon.install(`${hub.url}/spaces/ann/tick-tock`)).toMatchObject({ state: 'done', failure: null });
    const from = async () => (await daemon.installed()).map(({ source, previous }) => [source, previous?.source]);
    expect(await from()).toMatchObject([[space(), { kind: 'folder', path: folder }]]);
    await runs();
    expect(await from()).toMatchObject([[{ kind: 'folder', path: folder }, space()]]);
    const pyproject = join(folder, 'pyproject.toml');
    await writeFile(pyproject, (await readFile(pyproject, 'utf8')).replace('>=3.10', '>=3.9'));
    await vi.waitFor(async () => expect(await own()).toMatchObject({ run: { reloads: 1, jobId: null } }), 60_000);
    expect(await from()).toMatchObject([[{ kind: 'folder', path: folder }, space()]]);
    await daemon.call('stopOwnApp', request);
    await daemon.call('rollBackApp', { params: { appName: 'tick_tock' } });
    expect(await from()).toMatchObject([[space(), { kind: 'folder', path: folder }]]);
  });

  test('is another app than the one of somebody else with its name', async () => {
    const twin = await writeAppPackage(join(top, 'twin'), { name: 'tick_tock', baseline: false });
    expect(await daemon.install(twin)).toMatchObject({ state: 'failed', failure: { reason: 'name-clash' } });
    const { id } = await daemon.call('addOwnApp', { body: { folder: twin } });
    await daemon.call('runOwnApp', { params: { ownAppId: id } });
    await vi.waitFor(async () => {
      const { apps } = await daemon.call('listOwnApps');
      expect(apps.find((app) => app.id === id)?.run).toMatchObject({
        state: 'waiting',
        problem: expect.stringContaining('Another app is installed under this name'),
      });
    }, 60_000);
    await daemon.call('stopOwnApp', { params: { ownAppId: id } });
  });
});
