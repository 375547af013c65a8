/** Real processes, left as by a killed daemon: which are ended, and which must not be. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DataPaths, dataPaths } from '../files/data-paths.ts';
import { createLogger } from '../logger.ts';
import { CHILD_MARK_VARIABLE, childMark } from './child-environment.ts';
import { type Leader, LeaderRegister, readLeaders, recordLeader } from './leader-register.ts';
import { endOrphans, orphansOf } from './orphans.ts';
import { startTimeOf } from './process-identity.ts';
import { processesInGroup, signalGroup } from './processes.ts';
import { leaderExit, startLeader } from './start-leader.ts';

const log = createLogger('error', () => {});
const leadersOfTests: number[] = [];
let paths: DataPaths;
let env: Record<string, string>;
let register: LeaderRegister;

beforeEach(async () => {
  paths = dataPaths(await mkdtemp(join(tmpdir(), 'orphans-')));
  const mark = await childMark(paths.root);
  env = { PATH: process.env['PATH'] ?? '', [CHILD_MARK_VARIABLE]: mark };
  register = new LeaderRegister({ file: paths.leadersFile, mark, log });
});
afterEach(async () => {
  await register.close();
  for (const pid of leadersOfTests.splice(0)) signalGroup(pid, 'SIGKILL');
  await rm(paths.root, { recursive: true });
});

/** The leader of its own group, which runs a line of shell. */
function start(line: string, environment = env) {
  const child = startLeader('/bin/sh', ['-c', line], { env: environment });
  const pid = child.pid as number;
  leadersOfTests.push(pid);
  return { pid, exited: leaderExit(child) };
}
async function written(): Promise<Leader[]> {
  await register.written();
  return readLeaders(paths.leadersFile);
}
const write = (leaders: readonly Leader[]) => writeFile(paths.leadersFile, JSON.stringify({ leaders }));
const counts = process.platform === 'linux';

test('a leader is recorded with its start time, and removed when its group is gone', async () => {
  const { pid } = start('sleep 60');
  const forget = recordLeader(pid, env);
  expect(await written()).toEqual([
    { pid, startTime: await startTimeOf(pid), startedSinceBoot: counts ? (expect.any(Number) as number) : null },
  ]);
  forget();
  expect(await written()).toEqual([]);
});

test('without a register, and after its close, nothing is recorded', async () => {
  recordLeader(process.pid, {});
  await register.close();
  recordLeader(process.pid, env);
  expect(await written()).toEqual([]);
});

test('a group is ended, including processes that cleared their environment', async () => {
  const { pid } = start('env -i sleep 60 & wait');
  recordLeader(pid, env);
  await vi.waitFor(async () => expect(await processesInGroup(pid)).toHaveLength(2));
  await written();
  const { killed, gone } = await endOrphans(paths, 2_000);
  expect({ gone, killed: killed.length }).toEqual({ gone: true, killed: 2 });
  expect(await processesInGroup(pid)).toEqual([]);
});

test.runIf(counts)('a group without its leader is ended too, as long as its id cannot have been reused', async () => {
  const leader = start('env -i sleep 60 & wait');
  recordLeader(leader.pid, env);
  const [record] = (await written()) as [Leader];
  await vi.waitFor(async () => expect(await processesInGroup(leader.pid)).toHaveLength(2));
  process.kill(leader.pid, 'SIGKILL');
  await leader.exited;
  const left = await processesInGroup(leader.pid);
  expect(left).toHaveLength(1);

  for (const doubtful of [
    { ...record, startedSinceBoot: null },
    { ...record, startedSinceBoot: (record.startedSinceBoot as number) - 10_000_000 },
    { ...record, startTime: record.startTime.replace(/^[^:]*/, 'another-boot') },
  ]) {
    await write([doubtful]);
    expect((await orphansOf(paths)).groups, JSON.stringify(doubtful)).toEqual(new Set());
  }

  await write([record]);
  expect(await endOrphans(paths, 2_000)).toEqual({ killed: left, gone: true });
});

test('a process that reuses the id of an ended one is left alone, with its group', async () => {
  const { pid } = start('sleep 60 & wait', { PATH: env['PATH'] ?? '' });
  const startTime = (await startTimeOf(pid)) as string;
  const [boot, ticks] = startTime.split(':');
  await write([{ pid, startTime: `${boot}:${Number(ticks) - 1}`, startedSinceBoot: null }]);
  expect(await endOrphans(paths, 2_000)).toEqual({ killed: [], gone: true });
  expect(await startTimeOf(pid)).toBe(startTime);
});

test.runIf(counts)('a process that left its group but carries the mark is ended without a record', async () => {
  const { pid } = start('exec sleep 60');
  // During exec its environment cannot be read.
  await vi.waitFor(async () => expect(await readFile(`/proc/${pid}/comm`, 'utf8')).toBe('sleep\n'));
  expect(await endOrphans(paths, 2_000)).toEqual({ killed: [pid], gone: true });
});

test('a damaged register counts as none', async () => {
  await register.close();
  await writeFile(paths.leadersFile, '{ "leaders": [{');
  expect(await readLeaders(paths.leadersFile)).toEqual([]);
  expect(await readFile(paths.leadersFile, 'utf8')).toBe('{ "leaders": [{');
});
