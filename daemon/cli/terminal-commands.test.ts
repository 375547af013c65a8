import { expect, test } from 'vitest';
import { type StartedAs, terminalCommand } from './terminal-commands.ts';

const started = (change: Partial<StartedAs> = {}): string =>
  terminalCommand(['restart'], {
    argv: ['/opt/node/bin/node', '/src/robot/bin/robot-daemon.cjs'],
    isNode: true,
    env: { PATH: '/usr/bin:/usr/local/bin' },
    platform: 'linux',
    projectDir: '/src/robot',
    dataDir: '/home/a/.local/share/robot-desktop',
    defaultDataDir: '/home/a/.local/share/robot-desktop',
    installed: null,
    ...change,
  });
const npm = { npm_package_json: '/src/robot/package.json' };

test.each<[string, Partial<StartedAs>, string]>([
  ['by its path', {}, '/opt/node/bin/node /src/robot/bin/robot-daemon.cjs restart'],
  ['by a link on PATH', { argv: ['/n/node', '/usr/local/bin/robot-daemon'] }, 'robot-daemon restart'],
  [
    'by a link elsewhere',
    { argv: ['/n/node', '/home/a/robot-daemon'] },
    '/n/node /src/robot/bin/robot-daemon.cjs restart',
  ],
  [
    'by npx, which puts the link on a PATH of its own',
    { argv: ['/n/node', '/usr/local/bin/robot-daemon'], env: { PATH: '/usr/local/bin', npm_command: 'exec' } },
    '/n/node /src/robot/bin/robot-daemon.cjs restart',
  ],
  ['by npm', { env: npm }, 'npm --prefix /src/robot run daemon -- restart'],
  [
    'by a script of another project',
    { env: { npm_package_json: '/src/other/package.json' } },
    '/opt/node/bin/node /src/robot/bin/robot-daemon.cjs restart',
  ],
  [
    'in the window',
    { isNode: false, argv: ['/e/electron', '/src/robot'] },
    'npm --prefix /src/robot run daemon -- restart',
  ],
  [
    'in the window of a package whose commands are on PATH',
    { isNode: false, installed: { folder: '/opt/robot-desktop/resources/bin', onPath: true } },
    'robot-daemon restart',
  ],
  [
    'in the window of a package in a folder of its own',
    { isNode: false, installed: { folder: '/home/a/My robot/resources/bin', onPath: false } },
    "'/home/a/My robot/resources/bin/robot-daemon' restart",
  ],
  [
    'by the command of a package on Windows',
    { platform: 'win32', installed: { folder: '/robot/resources/bin', onPath: false } },
    '/robot/resources/bin/robot-daemon.cmd restart',
  ],
  [
    'on another data folder',
    { env: npm, dataDir: '/tmp/my robot’s' },
    "npm --prefix /src/robot run daemon -- restart --data-dir '/tmp/my robot’s'",
  ],
  [
    'in a folder with a quotation mark',
    { dataDir: "/tmp/it's; rm -rf $HOME `x`" },
    "/opt/node/bin/node /src/robot/bin/robot-daemon.cjs restart --data-dir '/tmp/it'\\''s; rm -rf $HOME `x`'",
  ],
  [
    'on Windows',
    { env: npm, platform: 'win32', dataDir: 'C:\\Users\\A B\\robot' },
    'npm --prefix /src/robot run daemon -- restart --data-dir "C:\\Users\\A B\\robot"',
  ],
])('a daemon started %s', (_, change, command) => {
  expect(started(change)).toBe(command);
});
