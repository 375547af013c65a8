/** Apps that end their own run through the daemon, and wait for its reply. */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { fixtureApp, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.install(fixtureApp('polite'));
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

/** An app that posts to a path, in its first run only. */
const asks = (path: string, marker: string, where: 'main' | 'thread' | 'child') => `
import json
import os
import pathlib
import subprocess
import sys
import threading
import urllib.request

from robot import RobotApp


def ask():
    url = os.environ["ROBOT_DAEMON_URL"] + ${JSON.stringify(path)}
    with urllib.request.urlopen(url, b"", timeout=15) as reply:
        print("reply", json.load(reply)["state"], flush=True)


class Asks(RobotApp):
    def run(self, robot, stop_event):
        marker = pathlib.Path(${JSON.stringify(marker)})
        if not marker.exists():
            marker.touch()
            if ${JSON.stringify(where)} == "main":
                ask()
            elif ${JSON.stringify(where)} == "child":
                subprocess.run([sys.executable, "-m", __spec__.name, "ask"])
            else:
                asking = threading.Thread(target=ask)
                asking.start()
                asking.join()
        stop_event.wait()
        print("bye", flush=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        ask()
    else:
        Asks().wrapped_run()
`;

async function startAsking(name: string, path: string, where: 'main' | 'thread' | 'child') {
  const folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => folder.remove());
  const mainSource = asks(path, join(folder.path, 'asked'), where);
  await daemon.install(await writeAppPackage(join(folder.path, 'app'), { name, className: 'Asks', mainSource }));
  await daemon.post(`/api/apps/start-app/${name}`);
}

const lastRun = async () => (await daemon.get('/api/apps/runs')).body[0];
const slot = async () => (await daemon.get('/api/apps/slot')).body;

test.skipIf(process.platform === 'win32').each(['main', 'thread', 'child'] as const)(
  'an app that asks the daemon to stop it gets a reply, and ends as any other that is stopped: from its %s',
  async (where) => {
    await startAsking(`stops_itself_${where}`, '/api/apps/stop-current-app', where);
    await vi.waitFor(async () => expect((await slot()).state).toBe('free'), { timeout: 15_000 });
    expect(await daemon.output()).toEqual(['reply stopping', 'bye']);
    expect(await lastRun()).toMatchObject({ outcome: 'stopped', exitCode: 0, killed: [] });
  },
);

test.skipIf(process.platform === 'win32')('an app restarts itself', async () => {
  await startAsking('restarts_itself', '/api/apps/restart-current-app', 'main');
  await vi.waitFor(async () => expect(await lastRun()).toMatchObject({ appName: 'restarts_itself' }), {
    timeout: 15_000,
  });
  expect(await lastRun()).toMatchObject({ outcome: 'stopped', exitCode: 0, killed: [] });
  expect(await slot()).toMatchObject({ holder: { appName: 'restarts_itself' } });
  await daemon.post('/api/apps/stop-current-app');
});

test.skipIf(process.platform === 'win32')('an app starts another one in its place', async () => {
  await startAsking('passes_on', '/api/apps/start-app/polite?replace=true', 'main');
  await vi.waitFor(async () => expect(await slot()).toMatchObject({ holder: { appName: 'polite' } }), {
    timeout: 15_000,
  });
  expect(await lastRun()).toMatchObject({ appName: 'passes_on', outcome: 'stopped', exitCode: 0, killed: [] });
  await daemon.post('/api/apps/stop-current-app');
});
