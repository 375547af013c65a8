import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dataPaths } from '../files/data-paths.ts';
import { createLogger } from '../logger.ts';
import { CHILD_MARK_VARIABLE, childMark } from './child-environment.ts';
import { ChildProcesses } from './child-processes.ts';
import { readLeaders, recordLeader } from './leader-register.ts';
import { processesWithEnvironment } from './processes.ts';
import { leaderExit, startLeader } from './start-leader.ts';

async function onNewFolder() {
  const paths = dataPaths(await mkdtemp(join(tmpdir(), 'children-')));
  onTestFinished(() => rm(paths.root, { recursive: true }));
  const logged: string[] = [];
  const log = createLogger('warn', (line) => logged.push(line));
  const parentEnvironment = { PATH: process.env['PATH'], ROBOT_X: '1' };
  return { paths, logged, children: new ChildProcesses({ paths, parentEnvironment, log }) };
}
/** Starts a process that sleeps, and waits until others can see its environment. */
async function sleeping(env: NodeJS.ProcessEnv) {
  const process = startLeader('sleep', ['60'], { env });
  onTestFinished(() => void process.kill('SIGKILL'));
  const { pid = 0 } = process;
  const ended = leaderExit(process);
  const mark = env[CHILD_MARK_VARIABLE] ?? '';
  await vi.waitFor(async () => expect(await processesWithEnvironment(CHILD_MARK_VARIABLE, mark)).toContain(pid));
  return { pid, ended };
}

test('children carry the mark of the data folder; without the mark there is no environment', async () => {
  const { paths, children } = await onNewFolder();
  expect(() => children.environment()).toThrow('begin() must run');
  await children.begin();
  expect(children.environment()).toEqual({
    PATH: process.env['PATH'],
    PYTHONIOENCODING: 'utf-8',
    [CHILD_MARK_VARIABLE]: await childMark(paths.root),
  });
  await children.close();
});

test('a child of an earlier daemon is ended at the start, an own child by a sweep', async () => {
  const { paths, children, logged } = await onNewFolder();
  const mark = await childMark(paths.root);
  const orphan = await sleeping({ PATH: process.env['PATH'], [CHILD_MARK_VARIABLE]: mark });
  await children.begin();
  expect(await orphan.ended).toEqual([null, 'SIGKILL']);
  expect(logged.join()).toContain('ended 1 process(es) that an earlier daemon had left running');

  const own = await sleeping(children.environment());
  recordLeader(own.pid, children.environment());
  await children.sweep();
  expect(await own.ended).toEqual([null, 'SIGKILL']);
  expect(logged).toHaveLength(1);
  await children.close();
});

test('after close nothing is recorded', async () => {
  const { paths, children } = await onNewFolder();
  await children.begin();
  await children.close();
  recordLeader(process.pid, children.environment());
  expect(await readLeaders(paths.leadersFile)).toEqual([]);
});
