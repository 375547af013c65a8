import { expect, test } from 'vitest';
import type { TerminalCall } from '../contract/daemon.ts';
import { commandFor } from './command-words.ts';
import { copiedCommand, copiedRequest } from './copied-text.ts';
import { requestOf } from './daemon-request.ts';

const onPath: TerminalCall = { program: ['robot-daemon'], dataDir: null, shell: 'posix' };

/** The command that installs an app from an address. */
function install(url: string, call: TerminalCall = onPath): string | null {
  const words = commandFor('installApp', { body: { url } });
  return words && copiedCommand(call, words);
}

test('a command is short where its name is on the PATH, and else has the words that work', () => {
  expect(install('ada/wave')).toBe('robot-daemon app install ada/wave');
  const byNpm = { ...onPath, program: ['npm', '--prefix', '/src/my robot', 'run', 'daemon', '--'], dataDir: '/data' };
  expect(install('ada/wave', byNpm)).toBe(
    "npm --prefix '/src/my robot' run daemon -- app install ada/wave --data-dir /data",
  );
});

test('names are quoted for the shell; one that could be more than a name has no command', () => {
  expect(install("/home/a/it's my app")).toBe("robot-daemon app install '/home/a/it'\\''s my app'");
  expect(install('--data-dir')).toBeNull();
  expect(install('/a\u001b[201~reboot\n')).toBeNull();
  const windows: TerminalCall = { ...onPath, shell: 'windows' };
  expect(install('C:\\My app', windows)).toBe('robot-daemon app install "C:\\My app"');
  expect(install('C:\\%PATH%', windows)).toBeNull();
});

test('a request has a placeholder for the token, its parameters encoded and its body quoted', () => {
  const start = requestOf('POST /api/apps/start-app/{appName}', {
    ...{ params: { appName: 'a b' }, query: { replace: true, wakePaid: undefined } },
  });
  expect(copiedRequest('http://127.0.0.1:8000', start)).toBe(
    'curl -X POST \'http://127.0.0.1:8000/api/apps/start-app/a%20b?replace=true\' \\\n  -H "Authorization: Bearer $TOKEN"',
  );
  const added = requestOf('POST /api/apps/own', { body: { folder: "it's\u009b" } });
  expect(copiedRequest('http://127.0.0.1:8000', added)).toBe(
    [
      'curl -X POST http://127.0.0.1:8000/api/apps/own',
      '  -H "Authorization: Bearer $TOKEN"',
      "  -H 'Content-Type: application/json'",
      // Outside of the quotes, since fish reads a backslash within them.
      "  -d '{\"folder\":\"it'\\''s'\\\\'u009b\"}'",
    ].join(' \\\n'),
  );
});
