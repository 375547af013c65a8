import { expect, test } from 'vitest';
import { groupMemory, memoryOfGroup, memoryOfTree } from './process-usage.ts';
import { leaderExit, startLeader } from './start-leader.ts';

const MB = 1024 ** 2;

test.skipIf(process.platform === 'win32')(
  'memory of a process and of its child counts, a mapped file does not',
  async () => {
    const holds = `const held = Buffer.alloc(60 * ${MB}, 1); setInterval(() => held, 1e6);`;
    const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(holds)}]);`;
    const leader = startLeader(process.execPath, ['-e', child + holds], { env: {} });
    const pid = leader.pid as number;
    await expect.poll(() => groupMemory(pid)).toBeGreaterThan(120 * MB);
    if (process.platform === 'linux') expect(await groupMemory(pid)).toBeLessThan(250 * MB); // Node's program is mapped
    const ended = leaderExit(leader);
    process.kill(-pid, 'SIGKILL');
    await ended;
    await expect.poll(() => groupMemory(pid)).toBeNull();
  },
);

test('what ps lists on macOS', () => {
  expect(memoryOfGroup(10, '   10   2048\n   10  1024\n  11 4096\n')).toBe(3 * MB);
  expect(memoryOfGroup(9, '   10   2048\n')).toBeNull();
  expect(memoryOfGroup(9, '')).toBeNull();
});

test('what PowerShell lists on Windows', () => {
  const listed = '0 0 8192\r\n4 0 100\r\n20 4 1000\r\n22 21 30\r\n21 20 200\r\n30 4 9999\r\n';
  expect(memoryOfTree(20, listed)).toBe(1230);
  expect(memoryOfTree(99, listed)).toBeNull();
  expect(memoryOfTree(20, '')).toBeNull();
});
