/** The command `robot-daemon sign-in`, with and without a running daemon. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { daemonAt } from '../client/node/daemon-at.ts';
import { startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { runCli } from '../testing/daemon/run-cli.ts';
import { newDataDir } from '../testing/daemon/test-daemon.ts';

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))));
async function dataFolder(): Promise<string> {
  const folder = await newDataDir();
  folders.push(folder);
  return folder;
}

test('an address is printed, alone on standard output; it signs one browser in, and the page knows the command', async () => {
  const folder = await dataFolder();
  const daemon = await startDaemonProcess(folder, ['--no-wake-up-on-start']);
  try {
    const { code, out, text } = await runCli('sign-in', '--data-dir', folder);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^http:\S+\/sign-in\?code=[\w-]{43}\n$/) });
    expect(out.startsWith(`${daemon.url}/`)).toBe(true);
    expect(text).toContain('It works once, within 15 minutes');
    const { searchParams } = new URL(out.trim());
    expect(await readFile(join(folder, 'sign-in-code.json'), 'utf8')).not.toContain(searchParams.get('code'));

    const open = () => fetch(out.trim(), { redirect: 'manual' });
    const first = await open();
    const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';');
    const session = await fetch(`${daemon.url}/api/session`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ signedIn: true, namespaces: null });
    expect((await open()).headers.get('location')).toBe('/#/settings?sign-in=failed');

    const { commands } = await daemonAt(daemon.url).call('getDaemonStatus');
    expect(commands).toEqual({
      restart: expect.stringMatching(new RegExp(` restart --data-dir ${folder}$`)),
      signIn: expect.stringMatching(new RegExp(` sign-in --data-dir ${folder}$`)),
      createToken: expect.stringMatching(new RegExp(` token create --data-dir ${folder}$`)),
    });
  } finally {
    await daemon.kill();
  }
});

test('without a daemon it says so, with exit code 3', async () => {
  const { code, text } = await runCli('sign-in', '--data-dir', await dataFolder());
  expect({ code, text }).toEqual({ code: 3, text: expect.stringMatching(/^No robot daemon runs on .* Start it/) });
});

test('bad arguments have exit code 2', async () => {
  expect((await runCli('sign-in', 'please')).code).toBe(2);
});
