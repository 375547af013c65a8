import { expect, test } from 'vitest';
import { launchers } from './launchers.ts';

test('a command on Windows runs on the Node of the package', () => {
  expect(launchers('win32')['robot-app-assistant.cmd']).toBe(
    [
      '@echo off',
      'setlocal',
      'set NODE_DISABLE_COMPILE_CACHE=1',
      '"%~dp0..\\node\\node.exe" "%~dp0robot-app-assistant.cjs" %*',
      '',
    ].join('\r\n'),
  );
});

test('the daemon gets the same flag of Node as from the source tree', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const [daemon] = Object.values(launchers(platform));
    expect(daemon).toContain(' --max-semi-space-size=2 ');
  }
});
