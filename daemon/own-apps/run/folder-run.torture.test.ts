/** An app that runs from its author's folder, on the real daemon with real Python: built, restarted, built again. */
import { appendFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { OwnApp } from '../../contract/apps/own-apps.ts';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

/** The source of an app that prints a text and waits. @param text must be on a line of its own */
const source = (text: string) => `from robot import RobotApp


class MyApp(RobotApp):
    custom_app_url = "http://localhost:8123"

    def run(self, robot, stop_event):
        print("${text}", flush=True)
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

  test('restarts once for two files, however an editor saves them', async () => {
    await writeFile(join(folder, 'my_app', 'helper.py'), 'VALUE = 1');
    await writeFile(join(folder, 'my_app', '.main.py.swp'), 'vim');
    await writeFile(`${main()}.new`, source('second'));
    await rename(`${main()}.new`, main());
    await written('second');
    await reached({ state: 'running', reloads: 1, problem: null });
    expect(await daemon.call('listRuns'), 'one has ended').toHaveLength(1);
    expect(await readdir(folder, { recursive: true })).not.toContain('my_app/__pycache__');
  });

  test('is built again when its declarations change, and goes on meanwhile', async () => {
    const { reloads } = await run();
    const before = await daemon.output();
    await appendFile(
      join(folder, 'pyproject.toml'),
      '\n[tool.robot.needs]\nchat = { task = "text-generation", optional = true }\n',
    );
    await reached({ state: 'running', reloads: reloads + 1, jobId: null, problem: null });
    expect(before).toContain('second');
    expect(await daemon.installed()).toMatchObject([{ name: 'my_app', needs: [{ name: 'chat' }] }]);
    await vi.waitFor(async () => expect(await readdir(join(daemon.dataDir, 'apps', 'my-app', 'envs'))).toHaveLength(2));
  });
});
