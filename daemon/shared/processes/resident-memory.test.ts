import { expect, test } from 'vitest';
import { residentBytes } from './process-usage.ts';
import { leaderExit, startLeader } from './start-leader.ts';

test('this process’s memory is what Node reports, within a fifth', async () => {
  const bytes = await residentBytes([process.pid]);
  const reported = process.memoryUsage.rss();
  expect(bytes).toBeGreaterThan(0.8 * reported);
  expect(bytes).toBeLessThan(1.2 * reported);
});

test('several processes are summed up; one that has ended is omitted', async () => {
  const child = startLeader('sleep', ['60'], { env: { PATH: process.env['PATH'] } });
  const pid = child.pid as number;
  const alone = (await residentBytes([pid])) ?? 0;
  expect(await residentBytes([pid, process.pid])).toBeGreaterThan(alone);
  const ended = leaderExit(child);
  child.kill('SIGKILL');
  await ended;
  expect(await residentBytes([pid])).toBeNull();
  expect(await residentBytes([])).toBeNull();
});
