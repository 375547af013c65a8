/**
 * A real deb, installed by dpkg in a copy of this system's files, and used there by a user who is not root. Electron's
 * binary is the stand-in, which reads no archive: the package has the folder `app` in the place of the archive.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { daemonAt } from '../daemon/client/node/daemon-at.ts';
import { projectDir } from './environment/project.ts';
import { type OpenProgram, openInstalled } from './testing/installed-program.ts';
import { createOverlayRoot, type OverlayRoot, overlayProblem } from './testing/overlay-root.ts';
import { debOfDependencies, olderDeb } from './testing/test-debs.ts';
import { packForTest } from './testing/test-package.ts';

const OLDER = '0.0.9';
const DROPPED_FILE = '/opt/robot-desktop/resources/dropped';
const DATA = '/home/owner/.local/share/robot-desktop';
const LINKS = ['robot-desktop', 'robot-daemon', 'robot-app-assistant'].map((name) => `/usr/bin/${name}`);
const RULE = '/usr/lib/udev/rules.d/70-robot-lite.rules';

const problem = await overlayProblem();
if (problem) console.warn(`No deb is installed in these tests: ${problem}.`);

describe.skipIf(problem)(`an installed deb${problem ? ` (skipped: ${problem})` : ''}`, () => {
  let folder: string;
  let root: OverlayRoot;
  let version: string;
  let filesBefore: readonly string[];
  let open: OpenProgram;

  const exists = async (path: string) =>
    (await root.run('sh', '-c', `[ -e '${path}' ] && echo yes || echo no`)) === 'yes';
  /** All that is written, without the records of dpkg, caches that other packages keep, and the user's own files. */
  const writtenFiles = async () => {
    const others = ['var/lib/dpkg', 'var/log', 'var/cache', 'home/owner', 'usr/share/mime', '*.cache'];
    const without = others.flatMap((path) => ['-path', `/mnt/${path}`, '-prune', '-o']);
    return (await root.run('find', '/mnt', ...without, '!', '-type', 'd', '-print')).split('\n').sort();
  };
  const runningVersion = async () => (await daemonAt(open.url).call('getDaemonStatus')).version;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'robot-desktop-deb-test-'));
    ({ version } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')));
    const { deb } = await packForTest(folder, 'deb', { asar: false });
    root = await createOverlayRoot();
    await copyFile(deb, root.at('/tmp/newer.deb'));
    await copyFile(await olderDeb(folder, deb, OLDER, DROPPED_FILE), root.at('/tmp/older.deb'));
    await copyFile(await debOfDependencies(folder, deb), root.at('/tmp/libraries.deb'));
    await root.run('dpkg', '--install', '/tmp/libraries.deb');
    filesBefore = await writtenFiles();
  });
  afterAll(async () => {
    await root?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('dpkg installs it: its commands are on PATH, and the rule for the robot is there', async () => {
    await root.run('dpkg', '--install', '/tmp/older.deb');
    for (const link of LINKS) expect(await root.run('readlink', '-f', link)).toMatch(/^\/opt\/robot-desktop\//);
    expect(await exists(RULE)).toBe(true);
    expect(await root.asUser('robot-daemon', '--version')).toEqual({ stdout: OLDER, exitCode: 0 });
  });

  test.skipIf(!existsSync('/usr/bin/desktop-file-validate'))(
    'its desktop entry is valid, and is called Robot Desktop',
    async () => {
      const entry = '/usr/share/applications/robot-desktop.desktop';
      expect(await root.run('desktop-file-validate', entry)).toBe('');
      expect((await root.run('cat', entry)).split('\n')).toEqual(
        expect.arrayContaining([
          'Name=Robot Desktop',
          'Exec=/opt/robot-desktop/robot-desktop %U',
          'StartupWMClass=robot-desktop',
          'MimeType=x-scheme-handler/robot-desktop;',
        ]),
      );
    },
  );

  test('a user opens the window, whose page is in a sandbox', async () => {
    open = await openInstalled(root);
    expect(await (await fetch(`${open.url}/`)).text()).toContain('<div id="root">');
    await expect.poll(() => root.run('sh', '-c', 'pgrep -u owner -af "type=renderer" || true')).toContain('renderer');
    expect(await root.run('pgrep', '-u', 'owner', '-af', 'user-data-dir')).not.toContain('--no-sandbox');
    const guardian = () => root.run('sh', '-c', 'pgrep -u owner -af "[g]uard.cjs" || true');
    await expect.poll(guardian).toContain('/opt/robot-desktop/resources/dist/node/guard.cjs');
    const status = await daemonAt(open.url).call('getDaemonStatus');
    expect(status).toMatchObject({ version: OLDER, commands: { restart: 'robot-daemon restart' } });
  });

  test('an update while it runs leaves it running, and keeps the data; the next start is the newer version', async () => {
    await root.asUser('touch', `${DATA}/kept`);
    await root.run('dpkg', '--install', '/tmp/newer.deb');
    expect(await root.asUser('robot-daemon', '--version')).toEqual({ stdout: version, exitCode: 0 });
    expect(await runningVersion()).toBe(OLDER);
    expect(await root.asUser('robot-daemon', 'stop')).toMatchObject({ exitCode: 0 });
    expect(await open.ended).toBe(0);
    expect(await exists(DROPPED_FILE)).toBe(false);
    for (const link of LINKS) expect(await exists(link)).toBe(true);
    open = await openInstalled(root);
    expect(await runningVersion()).toBe(version);
    expect(await exists(`${DATA}/kept`)).toBe(true);
  });

  test('the commands of the package look after the program: status, doctor, stop', async () => {
    expect(await root.asUser('robot-daemon', 'status')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(open.url),
    });
    expect(await root.asUser('robot-daemon', 'doctor')).toMatchObject({ stdout: expect.stringContaining(DATA) });
    expect(await root.asUser('robot-app-assistant', 'create', 'my_app', '/home/owner')).toMatchObject({ exitCode: 0 });
    expect(await root.asUser('robot-daemon', 'stop')).toMatchObject({ exitCode: 0 });
    expect(await open.ended).toBe(0);
  });

  test('an update while it does not run keeps the data too, and its files are whole', async () => {
    await root.run('dpkg', '--install', '/tmp/older.deb');
    await root.run('dpkg', '--install', '/tmp/newer.deb');
    expect(await root.run('dpkg', '--verify', 'robot-desktop')).toBe('');
    expect(await exists(`${DATA}/kept`)).toBe(true);
  });

  test("removed and purged, it leaves nothing but the user's data", async () => {
    await root.run('dpkg', '--remove', 'robot-desktop');
    expect(await writtenFiles()).toEqual(filesBefore);
    expect(await exists('/opt/robot-desktop')).toBe(false);
    expect(await exists(`${DATA}/kept`)).toBe(true);
    await root.run('dpkg', '--purge', 'robot-desktop');
    expect(await exists(`${DATA}/kept`)).toBe(true);
  });
});
