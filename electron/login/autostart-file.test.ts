import { chmod, mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { autostartEntry, autostartFile, autostartFolder } from './autostart-file.ts';
import { LoginItemRefused } from './login-item.ts';

const folderOfTest = () => mkdtempDisposable(join(tmpdir(), 'autostart-'));
const command = { program: process.execPath, args: ['--at-login'] };

test('the entry starts the program at login, and is skipped once the program is gone', () => {
  expect(autostartEntry({ program: '/opt/robot-desktop/robot-desktop', args: ['--at-login'] })).toBe(`[Desktop Entry]
Type=Application
Name=Robot Desktop
Comment=Opens at login. Robot Desktop has the switch, in Settings
Icon=robot-desktop
TryExec=/opt/robot-desktop/robot-desktop
Exec=/opt/robot-desktop/robot-desktop --at-login
Terminal=false
StartupNotify=false
`);
});

test.each([
  ['a space', '/home/ann/my apps/robot', '"/home/ann/my apps/robot" --at-login'],
  ['a percent sign', '/opt/100%/robot', '/opt/100%%/robot --at-login'],
  ['a quote', '/opt/a"b/robot', String.raw`"/opt/a\\"b/robot" --at-login`],
  ['what a shell expands', '/opt/$HOME/`id`/robot', '"/opt/\\\\$HOME/\\\\`id\\\\`/robot" --at-login'],
  ['a backslash', String.raw`/opt/a\b/robot`, String.raw`"/opt/a\\\\b/robot" --at-login`],
  ['a semicolon', '/opt/a;b/robot', '"/opt/a;b/robot" --at-login'],
  ['letters beyond ASCII', '/opt/Ä/robot', '"/opt/Ä/robot" --at-login'],
])('%s in the path is escaped', (_what, program, exec) => {
  expect(autostartEntry({ program, args: ['--at-login'] })).toContain(`\nExec=${exec}\n`);
});

test.each(['/opt/a\nExec=evil', '/opt/a\rb', '/opt/a=b', '/opt/a\u0000b'])('the path %j is refused', (program) => {
  expect(() => autostartEntry({ program, args: [] })).toThrow(LoginItemRefused);
});

test('it is switched on and off again, and leaves no other file', async () => {
  await using folder = await folderOfTest();
  const autostart = join(folder.path, 'autostart');
  const item = autostartFile(autostart, command);
  expect(await item.isOn()).toBe(false);
  await item.switch(true);
  expect(await item.isOn()).toBe(true);
  expect(await readdir(autostart)).toEqual(['robot-desktop.desktop']);
  await item.switch(false);
  await item.switch(false);
  expect(await item.isOn()).toBe(false);
  expect(await readdir(autostart)).toEqual([]);
});

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false', 'Hidden = 1'])(
  'an entry that the desktop has switched off by %j is off',
  async (line) => {
    await using folder = await folderOfTest();
    await writeFile(join(folder.path, 'robot-desktop.desktop'), `${autostartEntry(command)}${line}\n`);
    expect(await autostartFile(folder.path, command).isOn()).toBe(false);
  },
);

test('an entry of a program that is gone gets the path of this one; one that its user changed stays', async () => {
  await using folder = await folderOfTest();
  const file = join(folder.path, 'robot-desktop.desktop');
  const item = autostartFile(folder.path, command);
  await item.renew();
  expect(await readdir(folder.path)).toEqual([]);
  await writeFile(file, autostartEntry({ program: '/gone/robot-desktop-0.1.0.AppImage', args: ['--at-login'] }));
  await item.renew();
  expect(await readFile(file, 'utf8')).toBe(autostartEntry(command));
  const changed = `${autostartEntry(command)}X-Of-Its-User=1\n`;
  await writeFile(file, changed);
  await item.renew();
  expect(await readFile(file, 'utf8')).toBe(changed);
});

test('a folder that cannot be written to is a sentence with the file', async () => {
  await using folder = await folderOfTest();
  const autostart = join(folder.path, 'autostart');
  await writeFile(autostart, 'a file in its place');
  const item = autostartFile(autostart, command);
  await expect(item.switch(true)).rejects.toThrow(LoginItemRefused);
  const file = join(autostart, 'robot-desktop.desktop');
  await expect(item.switch(true)).rejects.toThrow(`The file ${file} cannot be changed.`);
  expect(await item.isOn()).toBe(false);
});

test.skipIf(process.getuid?.() === 0)(
  'a folder without rights stays as it is (needs a user who is not root)',
  async () => {
    await using folder = await folderOfTest();
    const autostart = join(folder.path, 'autostart');
    await mkdir(autostart, { mode: 0o500 });
    await expect(autostartFile(autostart, command).switch(true)).rejects.toThrow(LoginItemRefused);
    await chmod(autostart, 0o700);
    expect(await readdir(autostart)).toEqual([]);
  },
);

test.each([
  [{ XDG_CONFIG_HOME: '/config' }, '/config/autostart'],
  [{ XDG_CONFIG_HOME: 'relative' }, '/home/ann/.config/autostart'],
  [{ XDG_CONFIG_HOME: '' }, '/home/ann/.config/autostart'],
  [{}, '/home/ann/.config/autostart'],
])('with %j the folder is %s', (env, folder) => {
  expect(autostartFolder(env, '/home/ann')).toBe(folder);
});
