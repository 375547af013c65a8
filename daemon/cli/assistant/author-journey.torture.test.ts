/** From an idea to an app that others find and use, with the commands of a terminal alone. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { daemonAt } from '../../client/node/daemon-at.ts';
import { type DaemonProcess, startDaemonProcess } from '../../testing/daemon/daemon-process.ts';
import { runCli } from '../../testing/daemon/run-cli.ts';
import { newDataDir, projectDir } from '../../testing/daemon/test-daemon.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';

const assistantProgram = join(projectDir, 'bin', 'robot-app-assistant.cjs');
const TOKEN = 'hf_zoe_writes';
/** Builds and installs share the machine with other tests. */
const LONG_MS = 60_000;

interface Author extends AsyncDisposable {
  readonly hub: FakeHub;
  readonly daemon: DaemonProcess;
  readonly dataDir: string;
  /** An empty folder of the author. */
  readonly folder: string;
}

/** An author with an account on a hub, and a daemon with a simulated robot. */
async function author(): Promise<Author> {
  const hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'zoe', role: 'write' });
  const dataDir = await newDataDir();
  const daemon = await startDaemonProcess(dataDir, ['--hub', hub.url]);
  const folder = await mkdtemp(join(tmpdir(), 'own apps '));
  const dispose = async () => {
    daemon.process.kill('SIGINT');
    await daemon.exited;
    for (const path of [dataDir, folder]) await rm(path, { recursive: true, force: true });
    await hub[Symbol.asyncDispose]();
  };
  return { hub, daemon, dataDir, folder, [Symbol.asyncDispose]: dispose };
}

test('an app is created, checked, run, changed, published, found, installed, used and stopped', async () => {
  await using zoe = await author();
  const { hub, daemon, dataDir, folder } = zoe;
  const options = { all: true, reject: false, env: { ROBOT_HUB_TOKEN: TOKEN } } as const;
  const assistant = (...args: string[]) =>
    execa(process.execPath, [assistantProgram, ...args, '--data-dir', dataDir], options);
  const robotDaemon = (...args: string[]) => runCli(...args, '--data-dir', dataDir);
  const app = join(folder, 'evening_walk');
  const main = join(app, 'evening_walk', 'main.py');

  const created = await assistant('create', 'Evening walk', folder);
  expect(created.stdout, created.all).toContain('evening_walk is created in ');
  const client = daemonAt(daemon.url);
  const { apps: own } = await client.call('listOwnApps');
  expect(
    own.map(({ name }) => name),
    'the dashboard has it before it runs',
  ).toEqual(['evening_walk']);
  const checked = await assistant('check', app);
  expect({ code: checked.exitCode, text: checked.stdout }, checked.all).toEqual({
    code: 0,
    text: expect.stringContaining('nothing found (built, installed and loaded)'),
  });

  const run = assistant('run', app);
  const shown = (text: string) =>
    vi.waitFor(() => expect(shownSoFar).toContain(text), { timeout: LONG_MS, interval: 20 });
  let shownSoFar = '';
  run.all.on('data', (data) => {
    shownSoFar += data;
  });
  await shown('Moving. Settings: http://');
  const source = await readFile(main, 'utf8');
  await writeFile(main, source.replace('"Moving. ', '"Strolling. '));
  await shown('Strolling. Settings: http://');
  run.kill('SIGINT');
  const ran = await run;
  expect({ code: ran.exitCode, tail: ran.all.split('\n').includes('Bye.') }, ran.all).toEqual({ code: 0, tail: true });

  const published = await assistant('publish', app, '--public', '--yes', '--hub', hub.url);
  expect({ code: published.exitCode, text: published.all }).toEqual({
    code: 0,
    text: expect.stringContaining('zoe/evening-walk'),
  });
  await client.call('refreshStore');
  const { apps } = await client.call('listStore', { query: { search: 'evening walk' } });
  expect(apps.map(({ id, title }) => ({ id, title }))).toEqual([{ id: 'zoe/evening-walk', title: 'Evening walk' }]);

  const address = apps[0]?.url ?? '';
  expect(await robotDaemon('app', 'install', address)).toMatchObject({ code: 0 });
  expect(await robotDaemon('app', 'start', 'evening_walk')).toMatchObject({ code: 0 });
  const [installed] = JSON.parse((await robotDaemon('app', 'ls', '--json')).out) as Awaited<
    ReturnType<typeof client.call<'listApps'>>
  >;
  expect(installed).toMatchObject({ name: 'evening_walk', source: { kind: 'space', id: 'zoe/evening-walk' } });
  const settings = `http://127.0.0.1:${installed?.settingsPage?.port}/settings`;
  const change = { method: 'PUT', body: '{"speed": 2.5}', headers: { 'Content-Type': 'application/json' } };
  const changed = await vi.waitFor(() => fetch(settings, change), { timeout: LONG_MS, interval: 50 });
  expect(await changed.json()).toMatchObject({ speed: 2.5 });
  expect(await robotDaemon('app', 'logs')).toMatchObject({ text: expect.stringContaining('Strolling. ') });
  expect(await robotDaemon('app', 'stop')).toMatchObject({ code: 0 });
  expect((await client.call('listRuns')).at(0)).toMatchObject({ appName: 'evening_walk', outcome: 'stopped' });
}, 180_000);
