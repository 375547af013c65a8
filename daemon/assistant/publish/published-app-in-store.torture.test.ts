/** From a folder to the store of a daemon: created, published, found by its tag, installed from the hub, started. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newDataDir, startTestDaemon } from '../../testing/daemon/test-daemon.ts';
import { startFakeHub } from '../../testing/fake-hub.ts';

const TOKEN = 'hf_of_ada';

test('an app that is published is found in the store, installs from there and starts', async () => {
  await using hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await using daemon = await startTestDaemon({ dataDir, hubUrl: hub.url });
  const destination = join(dataDir, '..');
  const name = `published ${Date.now().toString(36)}`;
  const own = await daemon.call('createOwnApp', { body: { name, destination, template: 'default' } });
  onTestFinished(() => rm(own.folder, { recursive: true, force: true }));
  const params = { ownAppId: own.id };

  expect((await daemon.post(`/api/apps/own/${own.id}/publish`, {})).status).toBe(409);
  await daemon.call('signInToHub', { body: { token: TOKEN } });
  const preview = await daemon.call('previewPublication', { params });
  expect(preview).toMatchObject({ account: 'ada', exists: false, nextVersion: '0.1.0', changedElsewhere: false });
  const publication = await daemon.call('publishOwnApp', { params, body: { visibility: 'public' } });
  expect(await daemon.jobEnd(publication.id)).toMatchObject({ state: 'done' });
  await daemon.call('signOutOfHub');

  await daemon.call('refreshStore');
  const { body } = await daemon.get(`/api/apps/store?search=${encodeURIComponent(name)}`);
  expect(body.apps).toMatchObject([{ id: preview.id, author: 'ada', private: false }]);
  expect(await daemon.install(body.apps[0].url)).toMatchObject({ state: 'done' });
  const installed = (await daemon.installed()).find(({ source }) => source.kind === 'space');
  expect(installed).toMatchObject({ version: '0.1.0', source: { id: preview.id } });
  await daemon.call('startApp', { params: { appName: installed?.name ?? '' } });
  await expect.poll(() => daemon.slot()).toMatchObject({ state: 'running' });
  await daemon.call('stopCurrentApp');
});
