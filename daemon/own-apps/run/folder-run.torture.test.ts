/** An app that runs from its author's folder, on the real daemon with real Python: what each change of a file does. */
import { appendFile, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { OwnApp } from '../../contract/apps/own-apps.ts';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { fixtureApp, newDataDir, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

/** The source of an app that prints a text and waits. @param text must be on a line of its own */
const source = (text: string, more = '') => `from robot import RobotApp


class MyApp(RobotApp):
    custom_app_url = "http://localhost:8123"

    def run(self, robot, stop_event):
        print("${text}", flush=True)
        ${more || 'pass'}
        stop_event.wait()


if __name__ == "__main__":
    app = MyApp()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;

let daemon: TestDaemon;
let folder: string;
let id: string;
const main = () => join(folder, 'my_app', 'main.py');

beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

async function own(): Promise<OwnApp> {
  const { apps } = await daemon.call('listOwnApps');
  return apps.find((app) => app.id === id) ?? expect.fail('the app is not in the list');
}
const written = async (text: string) => vi.waitFor(async () => expect(await daemon.output()).toContain(text), 60_000);
const run = async () => (await own()).run;
const reached = (wanted: Partial<OwnApp['run']>) =>
  vi.waitFor(async () => expect(await run()).toMatchObject(wanted), 60_000);

/** The code changes, and the app is started anew with it. */
async function edited(text: string): Promise<void> {
  const { reloads } = await run();
  await writeFile(main(), source(text));
  await written(text);
  await reached({ state: 'running', reloads: reloads + 1, problem: null });
}

describe('an app in a folder with spaces and umlauts', () => {
  beforeAll(async () => {
    folder = join(daemon.dataDir, '..', `Meine Äpps ${process.pid}`, 'my app');
    await writeAppPackage(folder, { name: 'my_app', className: 'MyApp', baseline: false, mainSource: source('first') });
    ({ id, folder } = await daemon.call('addOwnApp', { body: { folder } }));
  });
  afterAll(async () => {
    await daemon.call('stopOwnApp', { params: { ownAppId: id } });
    await rm(join(folder, '..'), { recursive: true, force: true });
  });

  test('is built once, and runs; its folder stays as it was', async () => {
    const before = await readdir(folder, { recursive: true });
    expect(await daemon.call('runOwnApp', { params: { ownAppId: id } })).toMatchObject({ run: { state: 'preparing' } });
    await written('first');
    await reached({ state: 'running', jobId: null, reloads: 0, problem: null });
    expect(await readdir(folder, { recursive: true })).toEqual(before);
    expect(await daemon.call('forgetOwnApp', { params: { ownAppId: id } }).catch((error) => error)).toMatchObject({
      status: 409,
      message: '"my_app" runs from its folder. Stop it first.',
    });
  });

  test('starts anew when its code changes, without a move of the robot in between', async () => {
    await edited('second');
    expect(await readdir(folder, { recursive: true })).not.toContain('my_app/__pycache__');
  });

  test('starts anew once for two changes, however an editor saves them', async () => {
    const { reloads } = await run();
    await writeFile(join(folder, 'my_app', 'helper.py'), 'VALUE = 1');
    await writeFile(join(folder, 'my_app', '.main.py.swp'), 'vim');
    await writeFile(`${main()}.new`, source('third'));
    await rename(`${main()}.new`, main());
    await written('third');
    await reached({ state: 'running', reloads: reloads + 1 });
  });

  test('goes on when a file is only touched or saved again, and when it is no code', async () => {
    const { reloads } = await run();
    await utimes(main(), new Date(), new Date());
    await writeFile(main(), source('third'));
    for (const path of ['tests/test_app.py', 'my_app/static/page.js', 'notes.txt', 'my_app/settings.json']) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), 'changed');
    }
    await writeFile(join(folder, 'README.md'), '---\ntitle: Another title\nemoji: 🎈\n---\n');
    await vi.waitFor(async () => expect(await own()).toMatchObject({ title: 'Another title', emoji: '🎈' }));
    await edited('fourth');
    expect(await run()).toMatchObject({ reloads: reloads + 1 });
  });

  test('keeps running with the earlier code when the new one cannot, and says why', async () => {
    const { reloads } = await run();
    await writeFile(main(), source('broken', 'print('));
    await reached({ state: 'running', reloads, problem: expect.stringMatching(/^my_app\/main\.py, line \d+: /) });
    expect((await run()).findings[0]).toMatchObject({
      id: 'syntax-error',
      severity: 'problem',
      file: 'my_app/main.py',
    });
    expect(await daemon.output()).toContain('fourth');
    await edited('whole');
  });

  test('waits after a crash, and starts with the next change', async () => {
    await writeFile(main(), source('fifth', 'raise ValueError("too far")'));
    await reached({ state: 'waiting', problem: expect.stringContaining('too far') });
    const [crash] = await daemon.call('listCrashes');
    expect(crash?.run.diagnosis).toMatchObject({ ownLine: { file: 'my_app/main.py', line: 9 } });
    expect((await daemon.slot()).state).toBe('free');
    await writeFile(main(), source('sixth'));
    await written('sixth');
    await reached({ state: 'running', problem: null });
  });

  test('is built again when its declarations change, and goes on meanwhile', async () => {
    const { reloads } = await run();
    const before = await daemon.output();
    await appendFile(
      join(folder, 'pyproject.toml'),
      '\n[tool.robot.needs]\nchat = { task = "text-generation", optional = true }\n',
    );
    await reached({ state: 'running', reloads: reloads + 1, jobId: null, problem: null });
    expect(before).toContain('sixth');
    expect(await daemon.installed()).toMatchObject([{ name: 'my_app', needs: [{ name: 'chat' }] }]);
    await vi.waitFor(async () => expect(await readdir(join(daemon.dataDir, 'apps', 'my-app', 'envs'))).toHaveLength(2));
  });

  test('goes on with the earlier code when the build fails', async () => {
    const { reloads } = await run();
    const pyproject = join(folder, 'pyproject.toml');
    const text = await readFile(pyproject, 'utf8');
    await writeFile(
      pyproject,
      text.replace('["robot-sdk"]', '["robot-sdk", "no-such-package @ file:///nowhere/x.whl"]'),
    );
    await reached({ state: 'running', reloads, problem: expect.stringMatching(/./) });
    await writeFile(pyproject, text);
    await reached({ state: 'running', reloads, problem: null });
  });

  test('goes on after a restart, from its folder', async () => {
    const { reloads } = await run();
    await daemon.call('restartCurrentApp');
    await written('sixth');
    await reached({ state: 'running', reloads });
    await edited('seventh');
  });

  test('ends with a stop, and so does the watch', async () => {
    await daemon.call('stopCurrentApp');
    await reached({ state: 'off', reloads: 0, problem: null });
    await writeFile(main(), source('eighth'));
    expect(await daemon.children()).toEqual([]);
    expect(await run()).toMatchObject({ state: 'off' });
  });

  test('ends when another app takes its place, and takes the place of another', async () => {
    await daemon.install(fixtureApp('polite'));
    await daemon.call('startApp', { params: { appName: 'polite' } });
    const request = { params: { ownAppId: id } };
    expect(await daemon.call('runOwnApp', request).catch((error) => error)).toMatchObject({ status: 409 });
    await daemon.call('runOwnApp', { ...request, query: { replace: true } });
    await written('eighth');
    await reached({ state: 'running' });
    await daemon.call('startApp', { params: { appName: 'polite' }, query: { replace: true } });
    await reached({ state: 'off' });
    await daemon.call('stopCurrentApp');
  });

  test('ends when its folder is moved away', async () => {
    await daemon.call('runOwnApp', { params: { ownAppId: id } });
    await reached({ state: 'running' });
    await rename(folder, `${folder} moved`);
    await reached({ state: 'off', problem: expect.stringContaining('does not exist any more') });
    await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'), 30_000);
    expect(await own()).toMatchObject({ exists: false, title: 'my app' });
    await rename(`${folder} moved`, folder);
  });
});

test('a daemon that stops ends the app and its watch; the next one lists it, and runs nothing', async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const mine = await writeAppPackage(join(dataDir, '..', `${basename(dataDir)}-app`), {
    ...{ name: 'my_app', className: 'MyApp', baseline: false, mainSource: source('first') },
  });
  onTestFinished(() => rm(mine, { recursive: true, force: true }));
  const first = await startTestDaemon({ dataDir });
  const { id: ownAppId } = await first.call('addOwnApp', { body: { folder: mine } });
  await first.call('runOwnApp', { params: { ownAppId } });
  await vi.waitFor(async () => expect(await first.output()).toContain('first'), 60_000);
  expect(await first.stop()).toBe(true);
  expect(await first.children()).toEqual([]);
  await using second = await startTestDaemon({ dataDir });
  expect((await second.call('listOwnApps')).apps).toMatchObject([{ id: ownAppId, run: { state: 'off' } }]);
  expect((await second.slot()).state).toBe('free');
});
