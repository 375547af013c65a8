/** An app's settings page: its address is found without running the app, and polled while it runs. */
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { fixtureApp, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

const PORT = 27042; // the fixture's; below the range that systems take for outgoing connections

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  for (const name of ['own_page', 'polite'])
    expect(await daemon.install(fixtureApp(name))).toMatchObject({ state: 'done' });
});
afterEach(() => daemon.post('/api/apps/stop-current-app?force=true'));
afterAll(() => daemon[Symbol.asyncDispose]());

const presence = async () => {
  const slot = await daemon.slot();
  return slot.state === 'free' ? 'free' : slot.settingsPage;
};

/** The fixture with another line instead of its custom_app_url. */
async function variant(line: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'own-page-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(fixtureApp('own_page'), folder, { recursive: true });
  const main = join(folder, 'own_page', 'main.py');
  const source = await readFile(main, 'utf8');
  await writeFile(main, source.replace(/^ {4}custom_app_url.*$/m, `    ${line}`));
  return folder;
}
const pageOf = async (name: string) => (await daemon.installed()).find((app) => app.name === name)?.settingsPage;

test('the settings page is known after the install', async () => {
  expect(await pageOf('own_page')).toEqual({ port: PORT, path: '/' });
  expect(await pageOf('polite')).toBeNull();
});

test('while the app runs, the daemon reports that its page answers; the page ends with the app', async () => {
  await daemon.post('/api/apps/start-app/own_page');
  await vi.waitFor(async () => expect(await presence()).toBe('waiting'));
  await vi.waitFor(async () => expect(await presence()).toBe('answers'));
  expect(await daemon.post('/api/apps/stop-current-app')).toMatchObject({ body: { state: 'free' } });
});

test('an app without a page has none while it runs', async () => {
  await daemon.post('/api/apps/start-app/polite');
  await vi.waitFor(async () => expect((await daemon.output()).includes('ready')).toBe(true));
  expect(await presence()).toBe('none');
});

test.skipIf(process.platform === 'win32')("another program's page at the port is not the app's page", async () => {
  const stranger = createServer((_request, response) => response.end('a stranger')).listen(PORT, '127.0.0.1');
  await once(stranger, 'listening');
  onTestFinished(() => void stranger.close());
  await daemon.post('/api/apps/start-app/own_page');
  await vi.waitFor(async () => expect(await presence()).toBe('port-taken'));
  await vi.waitFor(async () => expect((await daemon.output()).join()).toContain('no page:'));
  expect(await presence()).toBe('port-taken');
});

test('an address that the sources do not contain is read at the import test', async () => {
  const source = 'custom_app_url = "http://localhost:" + max("47043", "1") + "/ui"';
  const folder = await variant(source);
  await using other = await startTestDaemon();
  expect(await other.install(folder)).toMatchObject({ state: 'done' });
  expect(await other.installed()).toMatchObject([{ settingsPage: { port: 47043, path: '/ui' } }]);
});

test('an address without a port gives a warning in the log of the install, and no page', async () => {
  const folder = await variant('custom_app_url = "http://localhost/"');
  await using other = await startTestDaemon();
  const job = await other.install(folder);
  expect(job).toMatchObject({ state: 'done' });
  const { body } = await other.get(`/api/jobs/${job.id}/log`);
  expect(body.lines.join('\n')).toContain('warning: custom_app_url is "http://localhost/", which has no port.');
  expect(await other.installed()).toMatchObject([{ settingsPage: null }]);
});
