import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ScriptedDocker, startScriptedDocker } from '../../testing/containers/scripted-docker.ts';
import { type ManualClock, manualClock } from '../../testing/manual-clock.ts';
import { probeEngine } from './probe-engine.ts';

let docker: ScriptedDocker;
let clock: ManualClock;
beforeEach(async () => {
  docker = await startScriptedDocker();
  clock = manualClock();
});
afterEach(() => docker[Symbol.asyncDispose]());

test('an engine that hangs is distinguished from one that does not run, and is not kept waiting for', async () => {
  const connection = docker.hang('GET /info');
  const probe = probeEngine(clock, { socketPath: docker.socketPath });
  await connection.asked;
  await clock.advance(15_000);
  expect(await probe).toEqual({ problem: 'Docker 27.3.1 does not answer in time.', action: 'Restart it.' });
  await connection.closed;
});

test('so is one that does not even greet', async () => {
  const connection = docker.hang('GET /_ping');
  const probe = probeEngine(clock, { socketPath: docker.socketPath });
  await connection.asked;
  await clock.advance(2_000);
  const problem = `The container engine at ${docker.socketPath} does not answer in time.`;
  expect(await probe).toEqual({ problem, action: 'Restart it.' });
  await docker.end();
  expect(await probeEngine(clock, { socketPath: docker.socketPath })).toEqual({ code: 'ENOENT' });
});
