import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { robotDaemon } from './robot-daemon.ts';

test.each([
  [[], 'token needs create, list or revoke.'],
  [['list', 'ci'], "Unexpected argument 'ci'."],
  [['revok'], "token has no command 'revok': it needs create, list or revoke. Did you mean revoke?"],
  [['revoke'], 'token revoke needs the name of the token.'],
  [['create', 'a', 'b'], "Unexpected argument 'b'"],
  [['create', '../x'], '"../x" is not a valid name'],
  [['create', '--scope', 'all'], '"all" is not a scope; see --help.'],
  [['create', '--scope', 'endpoint:'], '"endpoint:" is not a scope; see --help.'],
  [['create', '--scope', 'endpoint:chat'], '"endpoint:chat" is not a scope; see --help.'],
  [['create', '--namespace', 'My Lab'], '"My Lab" is not a valid namespace.'],
  [['create', '--json'], '--json is for token list.'],
  [['revoke', 'ci', '--namespace', 'lab'], '--namespace is for token create.'],
  [['create', '--colour'], "Unknown option '--colour'"],
])('token %j is refused with a sentence and code 2', async (args, sentence) => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-tokens-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    written.mockRestore();
    process.exitCode = undefined;
  });
  await robotDaemon('/project').run(['token', ...args, '--data-dir', folder], '1.0.0');
  expect(process.exitCode).toBe(2);
  expect(written.mock.calls.join('')).toContain(`robot-daemon: ${sentence}`);
});
