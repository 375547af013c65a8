import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { OomKillWatch } from '../../shared/processes/oom-kills.ts';
import { processesInGroup, signalGroup } from '../../shared/processes/processes.ts';
import { leaderExit, requireStarted, startLeader } from '../../shared/processes/start-leader.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { ReplicaProcess } from './replica-process.ts';

const env = { PATH: process.env['PATH'] ?? '' };
/** Answers 503 once, then 200. */
const server = `
  let asked = 0;
  require('node:http').createServer((request, response) => {
    response.writeHead(request.url === '/health' && asked++ > 0 ? 200 : 503).end('{}');
  }).listen(process.argv[1], () => console.log('listening'));
`;

async function started(file: string, args: readonly string[], graceMs = 10_000, oomKills?: OomKillWatch) {
  const folder = await mkdtemp(join(tmpdir(), 'replica-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const socketPath = join(folder, 'r.sock');
  const words = args.map((word) => (word === 'SOCKET' ? socketPath : word));
  const child = startLeader(file, words, { env });
  await requireStarted(child);
  const pid = child.pid as number;
  onTestFinished(() => signalGroup(pid, 'SIGKILL'));
  const exited = leaderExit(child).then(([code, signal]) => ({ code, signal }));
  const clock = { ...systemClock, timeout: manualClock().timeout };
  const replica = new ReplicaProcess(
    { pid, stdout: child.stdout, stderr: child.stderr, exited },
    { clock, socketPath, env, notes: ['a note'], graceMs, onLine: () => {}, ...(oomKills && { oomKills }) },
  );
  return { replica, pid };
}

const ended = (how: string) => `The process that serves the model ended ${how}.`;

test('a replica is healthy once it answers 200; it runs at low priority; a stop ends it', async () => {
  const { replica, pid } = await started(process.execPath, ['-e', server, 'SOCKET']);
  expect(getPriority(pid)).toBe(10);
  await vi.waitFor(() => expect(replica.log).toContain('listening'));
  expect(replica.log[0]).toBe('a note');
  expect(await replica.isHealthy(5_000)).toBe(false); // it answers 503
  expect(await replica.isHealthy(5_000)).toBe(true);
  expect(await replica.memoryBytes()).toBeGreaterThan(10e6);
  await Promise.all([replica.stop(), replica.stop()]);
  expect(await replica.exited).toMatchObject({ message: ended('by SIGTERM') });
  expect(await replica.isHealthy(5_000)).toBe(false);
  expect(await replica.memoryBytes()).toBeNull();
  await replica.stop();
});

test('nobody listens on the socket yet: not healthy', async () => {
  const { replica } = await started('sleep', ['60']);
  expect(await replica.isHealthy(5_000)).toBe(false);
  await replica.stop();
});

test('a replica that ignores SIGTERM is killed with its descendants after the grace time', async () => {
  const { replica, pid } = await started(
    'sh',
    ['-c', 'trap "" TERM; (while :; do sleep 1; done) & echo up; wait'],
    200,
  );
  await vi.waitFor(() => expect(replica.log).toContain('up'));
  await replica.stop();
  expect(await replica.exited).toMatchObject({ reason: 'crashed', message: expect.stringContaining('SIGKILL') });
  expect(await processesInGroup(pid)).toEqual([]);
});

test('a replica that ends by itself leaves no descendant, and its last line is in the log', async () => {
  const { replica, pid } = await started('sh', ['-c', 'sleep 60 & printf "it broke" >&2; exit 3']);
  expect(await replica.exited).toMatchObject({ message: ended('with exit code 3'), evidence: ['a note', 'it broke'] });
  expect(await processesInGroup(pid)).toEqual([]);
  expect(replica.log.at(-1)).toBe('it broke');
});

test('the log keeps the newest 1,000 lines, each at most 1,000 characters', async () => {
  const { replica } = await started('sh', ['-c', 'seq 2000; head -c 5000 /dev/zero | tr "\\0" x; echo; echo end']);
  await replica.exited;
  expect(replica.log).toHaveLength(1_000);
  expect(replica.log.at(-1)).toBe('end');
  expect(replica.log.at(-2)).toBe(`${'x'.repeat(999)}…`);
  expect(replica.log[0]).toBe('1003');
});

test.each([
  ['at its end, which takes longer than the next looks at its health', ['sleep', '60'], true],
  ['and it was healthy after that', [process.execPath, '-e', server, 'SOCKET'], false],
] as const)(
  'a replica is killed, and the kernel has ended a process for want of memory %s',
  async (_, words, expected) => {
    const kernel = { oomKills: 3 };
    const [file, ...args] = words;
    const { replica, pid } = await started(file, args, 10_000, new OomKillWatch(async () => kernel.oomKills));
    if (!expected) await vi.waitFor(() => expect(replica.log).toContain('listening'));
    kernel.oomKills = 4;
    for (let look = 0; look < 4; look++) await replica.isHealthy(5_000);
    signalGroup(pid, 'SIGKILL');
    expect(await replica.exited).toMatchObject({
      reason: expected ? 'no-memory' : 'crashed',
      message: expect.stringContaining('SIGKILL'),
    });
  },
);
