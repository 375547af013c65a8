import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OomKillWatch } from '../shared/processes/oom-kills.ts';
import { type ScriptedDocker, startScriptedDocker } from '../testing/containers/scripted-docker.ts';
import { type ManualClock, manualClock } from '../testing/manual-clock.ts';
import { EngineClient } from './engine-client.ts';
import { RunningContainer } from './running-container.ts';

const LOOK = 'GET /containers/a/json';
const REMOVAL = 'DELETE /containers/a';

let docker: ScriptedDocker;
let clock: ManualClock;
const started: RunningContainer[] = [];
beforeEach(async () => {
  docker = await startScriptedDocker();
  docker.answers.set('POST /containers/a/wait', () => {}); // it runs
  docker.answers.set(LOOK, (_, response) => response.end(running));
  clock = manualClock();
});
afterEach(async () => {
  docker.answers.set(LOOK, (_, response) => response.writeHead(404).end('{}'));
  let areEnded = false;
  void Promise.all(started.splice(0).map((own) => own.stop(0))).then(() => {
    areEnded = true;
  });
  await passTimeUntil(() => areEnded);
  await docker[Symbol.asyncDispose]();
});

const running = JSON.stringify({ State: { Status: 'running', Running: true, ExitCode: 0, OOMKilled: false } });
const breakOff = (_: unknown, response: ServerResponse) => void response.destroy();
const refuse = (_: unknown, response: ServerResponse) =>
  response.writeHead(500).end(JSON.stringify({ message: 'device or resource busy' }));

function container(kind: 'docker' | 'podman' = 'docker') {
  const client = new EngineClient(clock, { socketPath: docker.socketPath }, 'Docker 27.3.1');
  const ends: boolean[] = [];
  const own = new RunningContainer({
    ...{
      clock,
      client,
      kind,
      countsFiles: false,
      id: 'a',
      published: { host: '127.0.0.1', port: 1 },
      onLine: () => {},
      oomKills: new OomKillWatch(async () => null),
    },
    onEnded: async (isGone) => void ends.push(isGone),
  });
  started.push(own);
  return { own, ends };
}

/** Lets the limits of requests pass until something has happened. */
const passTimeUntil = (hasHappened: () => boolean) => clock.until(() => expect(hasHappened()).toBe(true), 500);

test('a stop that a restarting engine misses leaves the container to a later removal', async () => {
  const { own, ends } = container();
  docker.answers.set('POST /containers/a/stop', breakOff);
  docker.answers.set(REMOVAL, breakOff);
  docker.answers.set(LOOK, (_, response) => {
    docker.answers.set(LOOK, (__, later) => later.end(running)); // the engine is back
    response.destroy();
  });
  await own.stop(1_000);
  expect(await own.exited).toEqual({ code: null, how: 'engine-gone', isOutOfMemory: false });
  expect(ends).toEqual([false]);
});

test.each([
  ['refuses', refuse],
  ['does not answer', breakOff],
])('a stop ends also when the engine %s at the removal', async (_, answer) => {
  const { own, ends } = container();
  docker.answers.set('POST /containers/a/stop', refuse);
  docker.answers.set(REMOVAL, answer);
  let isStopped = false;
  void own.stop(1_000).then(() => {
    isStopped = true;
  });
  await passTimeUntil(() => isStopped);
  expect(ends).toEqual([false]);
});

test('a container of a busy engine that missed its stop is removed by force', async () => {
  const { own, ends } = container();
  docker.answers.set('POST /containers/a/stop', breakOff);
  docker.answers.set(LOOK, breakOff);
  docker.answers.set(REMOVAL, (_, response) => {
    docker.answers.delete(LOOK);
    docker.answers.delete(REMOVAL);
    response.writeHead(204).end();
  });
  await own.stop(1_000);
  expect(await own.exited).toMatchObject({ how: 'exited' });
  expect(ends).toEqual([true]);
});

test('an engine that hangs keeps no connection of a question about memory', async () => {
  const { own } = container();
  const connection = docker.hang('GET /containers/a/stats');
  const usage = own.usage();
  await connection.asked;
  await clock.advance(5_000);
  expect(await usage).toEqual({ memoryBytes: null, cpuSeconds: null });
  await connection.closed;
});

test('a container that somebody pauses has ended, and is removed', async () => {
  const { own, ends } = container();
  docker.answers.set(REMOVAL, (_, response) => {
    docker.answers.delete(LOOK);
    response.writeHead(204).end();
  });
  let hasEnded = false;
  void own.ended.then(() => {
    hasEnded = true;
  });
  await clock.advance(3_000);
  await expect.poll(() => docker.asked).toContain(LOOK);
  expect(hasEnded).toBe(false); // it runs
  const paused = { Status: 'paused', Running: true, Paused: true, ExitCode: 0, OOMKilled: false };
  docker.answers.set(LOOK, (_, response) => response.end(JSON.stringify({ State: paused })));
  await passTimeUntil(() => hasEnded);
  expect(await own.exited).toEqual({ code: null, how: 'paused', isOutOfMemory: false });
  await expect.poll(() => ends).toEqual([true]);
});

test('an end that the engine does not tell is seen by a look', async () => {
  docker.hang('POST /containers/a/wait');
  const { own, ends } = container();
  const exited = { Status: 'exited', Running: false, ExitCode: 3, OOMKilled: false };
  docker.answers.set(LOOK, (_, response) => response.end(JSON.stringify({ State: exited })));
  docker.answers.set(REMOVAL, (_, response) => {
    docker.answers.delete(LOOK);
    response.writeHead(204).end();
  });
  await passTimeUntil(() => ends.length > 0);
  expect(await own.exited).toEqual({ code: 3, how: 'exited', isOutOfMemory: false });
  expect(ends).toEqual([true]);
});

test('the end is reported before the last lines, and the container is removed after them', async () => {
  docker.hang('GET /containers/a/logs');
  const waited = Promise.withResolvers<ServerResponse>();
  docker.answers.set('POST /containers/a/wait', (_, response) => waited.resolve(response));
  const { own, ends } = container();
  const wait = await waited.promise;
  docker.answers.set(LOOK, (_, response) => {
    response.end(JSON.stringify({ State: { Status: 'exited', Running: false, ExitCode: 3, OOMKilled: false } }));
  });
  docker.answers.set(REMOVAL, (_, response) => {
    docker.answers.delete(LOOK);
    response.writeHead(204).end();
  });
  let hasExited = false;
  void own.exited.then(() => {
    hasExited = true;
  });
  wait.end('{"StatusCode":3}');
  await own.ended;
  expect([hasExited, docker.asked.includes(REMOVAL)]).toEqual([false, false]);
  await passTimeUntil(() => hasExited);
  await expect.poll(() => ends).toEqual([true]);
});

test('Podman is asked for the end of a container by its own question, which leaves the processor alone', async () => {
  const questions: (string | undefined)[] = [];
  docker.answers.set('POST /v4.0.0/libpod/containers/a/wait', ({ url }, response) => {
    questions.push(url);
    docker.answers.delete(LOOK);
    response.end('3');
  });
  docker.answers.set('POST /containers/a/stop', (_, response) => response.writeHead(204).end());
  const { own } = container('podman');
  await own.stop(1_000);
  expect(await own.exited).toEqual({ code: 3, how: 'exited', isOutOfMemory: false });
  expect(questions).toEqual([expect.stringContaining('?condition=stopped&condition=exited&interval=500ms')]);
});

test('an engine that breaks off in the middle of telling the end is looked at', async () => {
  const telling = Promise.withResolvers<ServerResponse>();
  docker.answers.set('POST /containers/a/wait', (_, response) => {
    response.write('{"Status');
    telling.resolve(response);
  });
  docker.answers.set('GET /containers/a/logs', breakOff);
  const { own, ends } = container();
  const reply = await telling.promise;
  docker.answers.set(LOOK, (_, response) => {
    response.end(JSON.stringify({ State: { Status: 'exited', Running: false, ExitCode: 3, OOMKilled: false } }));
  });
  docker.answers.set(REMOVAL, (_, response) => {
    docker.answers.delete(LOOK);
    response.writeHead(204).end();
  });
  reply.destroy();
  expect(await own.exited).toEqual({ code: 3, how: 'exited', isOutOfMemory: false });
  await expect.poll(() => ends).toEqual([true]);
});
