import { expect, test } from 'vitest';
import { argumentsAgain, loginCommand, systemLoginItem } from './login-item.ts';

const start = {
  isPackaged: true,
  execPath: '/opt/robot-desktop/robot-desktop',
  appPath: '/opt/robot-desktop/resources/app.asar',
  appImage: undefined,
  dataDir: null,
};

test.each([
  ['a package', start, { program: '/opt/robot-desktop/robot-desktop', args: ['--at-login'] }],
  [
    'an AppImage',
    { ...start, execPath: '/tmp/.mount_x/robot-desktop', appImage: '/home/ann/robot.AppImage' },
    { program: '/home/ann/robot.AppImage', args: ['--at-login'] },
  ],
  [
    'the sources',
    { ...start, isPackaged: false, execPath: '/src/electron', appPath: '/src' },
    { program: '/src/electron', args: ['/src', '--at-login'] },
  ],
  [
    'another data folder',
    { ...start, dataDir: '/data' },
    { program: '/opt/robot-desktop/robot-desktop', args: ['--at-login', '--', '--data-dir', '/data'] },
  ],
])('at login %s starts as now', (_what, of, command) => {
  expect(loginCommand(of)).toEqual(command);
});

const LINK = 'robot-desktop://install?url=https://hub.example/';

test.each<[argv: string[], platform: NodeJS.Platform, again: string[]]>([
  [['/opt/robot'], 'linux', []],
  [['/src/electron', '/src', '--at-login', LINK, '--', '--port', '0'], 'linux', ['/src', '--', '--port', '0']],
  [['/opt/robot', '--', '--data-dir', LINK], 'linux', ['--', '--data-dir', LINK]],
  // On Windows, words behind a link may be a part of it.
  [['robot.exe', LINK, '--', '--python', 'evil.exe'], 'win32', []],
])('the start %j on %s is repeated with %j', (argv, platform, again) => {
  expect(argumentsAgain(argv, platform)).toEqual(again);
});

interface Settings {
  readonly openAtLogin?: boolean;
  readonly path?: string;
  readonly args?: readonly string[];
}

/** The login items of Windows and macOS. @param obeys whether the system takes changes */
function fakeSystem(obeys = true) {
  const calls: Settings[] = [];
  let isOn = false;
  const app = {
    getLoginItemSettings: () => ({ openAtLogin: isOn }),
    setLoginItemSettings: (settings: Settings) => {
      calls.push(settings);
      if (obeys) isOn = settings.openAtLogin ?? false;
    },
  };
  return { app: app as unknown as Parameters<typeof systemLoginItem>[0], calls };
}

test('the system gets the program, and its arguments in quotes where they have spaces', async () => {
  const { app, calls } = fakeSystem();
  const item = systemLoginItem(app, { program: 'C:\\Robot Desktop\\r.exe', args: ['--at-login', '--', 'C:\\my data'] });
  await item.switch(true);
  expect(await item.isOn()).toBe(true);
  await item.switch(false);
  expect(await item.isOn()).toBe(false);
  const command = { path: 'C:\\Robot Desktop\\r.exe', args: ['--at-login', '--', '"C:\\my data"'] };
  expect(calls).toEqual([
    { openAtLogin: true, ...command },
    { openAtLogin: false, ...command },
  ]);
});

test('a system that does not take the change is told in a sentence', async () => {
  const item = systemLoginItem(fakeSystem(false).app, { program: '/robot', args: [] });
  await expect(item.switch(true)).rejects.toThrow('The system did not take the change.');
  await item.switch(false); // nothing to change
});
