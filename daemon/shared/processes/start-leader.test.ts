import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { processesInGroup, signalGroup } from './processes.ts';
import { leaderExit, requireStarted, startLeader } from './start-leader.ts';

const env = { PATH: process.env['PATH'] ?? '' };

test('a leader has its own group, and inherits no environment', async () => {
  vi.stubEnv('ROBOT_TEST', 'ours');
  const child = startLeader('sh', ['-c', 'echo "$ROBOT_TEST."; sleep 60 & wait'], { env });
  const pid = child.pid as number;
  onTestFinished(() => signalGroup(pid, 'SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  expect(String(line)).toBe('.\n');
  await vi.waitFor(async () => expect(await processesInGroup(pid)).toHaveLength(2));
});

test('its exit is reported while a descendant has its pipes open', async () => {
  const child = startLeader('sh', ['-c', 'sleep 60 & exit 7'], { env });
  expect(await leaderExit(child)).toEqual([7, null]);
  expect(await processesInGroup(child.pid as number)).toHaveLength(1);
  signalGroup(child.pid as number, 'SIGKILL');
  expect(await child).toMatchObject({ exitCode: 7 });
});

test.each([
  ['no-such-program', 'spawn no-such-program ENOENT'],
  ['/etc/passwd', 'spawn /etc/passwd EACCES'],
  ['with\0nul', 'must be a string without null bytes'],
])('a program that cannot be started, such as %j, fails with the reason of the system', async (file, reason) => {
  const child = startLeader(file, [], { env });
  await expect(requireStarted(child)).rejects.toThrow(reason);
  expect(await leaderExit(child)).toEqual([null, null]);
});
