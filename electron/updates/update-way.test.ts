import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type InstalledProgram, type Release, updateWay } from './update-way.ts';

const GENERIC = 'provider: generic\nurl: https://releases.example/robot\n';
const GITHUB = 'provider: github\nowner: ann\nrepo: robot\n';

const sha512 = Buffer.alloc(64, 0xab).toString('base64');
const HEX = 'ab'.repeat(64);
const release = (change: Partial<Release> = {}): Release => ({
  version: '1.2.0',
  files: [
    { url: 'robot-desktop-1.2.0-linux-x64.AppImage', sha512 },
    { url: 'robot-desktop-1.2.0-linux-x64.deb', sha512 },
    { url: 'robot-desktop-1.2.0-linux-x64.rpm', sha512 },
  ],
  ...change,
});

/** How a program is updated whose resources have these files. */
async function wayWith(files: Readonly<Record<string, string>>, change: Partial<InstalledProgram> = {}) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'update-way-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  return await updateWay({
    isPackaged: true,
    platform: 'linux',
    resourcesPath: folder.path,
    execPath: join(folder.path, 'Robot Desktop.exe'),
    appImage: undefined,
    ...change,
  });
}

async function commandOf(kind: string, feed: string, of: Release = release()): Promise<string | null> {
  const way = await wayWith({ 'app-update.yml': feed, 'package-type': kind });
  return way.by === 'command' ? way.command(of) : `updated by ${way.by}`;
}

test('a start from the sources, and a build without an address, get no updates and say so', async () => {
  expect(await wayWith({ 'app-update.yml': GENERIC }, { isPackaged: false })).toEqual({
    by: 'off',
    reason: 'This program runs from its sources, which updates do not reach.',
  });
  expect(await wayWith({ 'package-type': 'deb' })).toEqual({
    by: 'off',
    reason: 'This build was made without an address to look for updates.',
  });
});

test('a build whose address is not https gets no updates', async () => {
  const feed = 'provider: generic\nurl: http://releases.example/\n';
  for (const files of [{}, { 'package-type': 'deb' }]) {
    expect(await wayWith({ 'app-update.yml': feed, ...files }, { appImage: '/home/ann/robot.AppImage' })).toEqual({
      by: 'off',
      reason: 'This build has no secure address for updates, so it looks for none.',
    });
  }
});

test.each<[what: string, Partial<InstalledProgram>, files: Record<string, string>, by: string]>([
  ['an AppImage', { appImage: '/home/ann/robot.AppImage' }, {}, 'program'],
  ['a program on macOS', { platform: 'darwin' }, {}, 'program'],
  ['an installed program on Windows', { platform: 'win32' }, { 'Uninstall Robot Desktop.exe': '' }, 'program'],
  ['an unpacked archive on Windows', { platform: 'win32' }, {}, 'hand'],
  ['an unpacked archive on Linux', {}, {}, 'hand'],
  ['a package of another kind', {}, { 'package-type': 'pacman' }, 'hand'],
  ['a package that calls itself after a property', {}, { 'package-type': 'constructor' }, 'hand'],
  ['a deb', {}, { 'package-type': 'deb\n' }, 'command'],
])('%s is updated as it was installed', async (_what, program, files, by) => {
  expect(await wayWith({ 'app-update.yml': GENERIC, ...files }, program)).toMatchObject({ by });
});

test('the command for a deb downloads it, compares its checksum, and installs it', async () => {
  const file = 'robot-desktop-1.2.0-linux-x64.deb';
  expect((await commandOf('deb', GENERIC))?.split(' && ')).toEqual([
    'cd "$(mktemp -d)"',
    `curl -fLO https://releases.example/robot/${file}`,
    `echo '${HEX}  ${file}' | sha512sum -c`,
    `sudo apt install ./${file}`,
  ]);
});

test('the command for an rpm names the release on a site for code', async () => {
  const file = 'robot-desktop-1.2.0-linux-x64.rpm';
  expect((await commandOf('rpm', GITHUB))?.split(' && ')).toEqual([
    'cd "$(mktemp -d)"',
    `curl -fLO https://github.com/ann/robot/releases/download/v1.2.0/${file}`,
    `echo '${HEX}  ${file}' | sha512sum -c`,
    `sudo rpm --upgrade ./${file}`,
  ]);
});

const deb = (url: string, checksum: string | undefined = sha512) =>
  release({ files: [{ url, ...(checksum !== undefined && { sha512: checksum }) }] });

test.each<[what: string, feed: string, Release]>([
  ['the feed is of another kind', 'provider: s3\nbucket: robot\n', release()],
  ['the feed cannot be read', '{', release()],
  ['the address of the feed has a command in it', 'provider: generic\nurl: https://x.example/$(id)\n', release()],
  ['the release has no package of this kind', GENERIC, release({ files: [] })],
  ['the package has no checksum', GENERIC, release({ files: [{ url: 'a.deb' }] })],
  ['the checksum is too short', GENERIC, deb('a.deb', 'abcd')],
  ['the name has a command in it', GENERIC, deb('a;id;.deb')],
  ['the name has a quote', GENERIC, deb("a'.deb")],
  ['the name leads elsewhere', GENERIC, deb('../a.deb')],
  ['the name is another address', GENERIC, deb('https://evil.example/a.deb')],
  ['the name is an option', GENERIC, deb('-o.deb')],
])('there is no command if %s', async (_what, feed, of) => {
  expect(await commandOf('deb', feed, of)).toBeNull();
});
