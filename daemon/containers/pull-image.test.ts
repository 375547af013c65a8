import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ScriptedDocker, startScriptedDocker } from '../testing/containers/scripted-docker.ts';
import { manualClock } from '../testing/manual-clock.ts';
import type { PullProgress, RegistryAccount } from './container-engine.ts';
import { EngineClient } from './engine-client.ts';
import { ContainerEngineGone } from './errors.ts';
import { pullImage } from './pull-image.ts';

const IMAGE = 'ghcr.io/lab/server:1.0';
const ROUTE = 'POST /images/create';

let docker: ScriptedDocker;
beforeEach(async () => {
  docker = await startScriptedDocker();
});
afterEach(() => docker[Symbol.asyncDispose]());

function pull({ account = null as RegistryAccount | null, signal = new AbortController().signal } = {}) {
  const progress: PullProgress[] = [];
  const clock = manualClock();
  const client = new EngineClient(clock, { socketPath: docker.socketPath }, 'Docker 27.3.1');
  const onProgress = (each: PullProgress) => void progress.push(each);
  const done = pullImage(client, IMAGE, account, { clock, signal, stallMs: 60_000, onProgress });
  return { done, progress, clock };
}

/** Replies 200 and these lines. */
const lines = (...replies: object[]) =>
  docker.answers.set(ROUTE, (_, response) =>
    response.end(replies.map((line) => `${JSON.stringify(line)}\r\n`).join('')),
  );

test('bytes and layers are reported while an image is downloaded', async () => {
  lines(
    { id: 'a', status: 'Pulling fs layer', progressDetail: {} },
    { id: 'a', status: 'Downloading', progressDetail: { current: 3, total: 10 } },
    { id: 'a', status: 'Pull complete', progressDetail: {} },
    { status: 'Digest: sha256:1' },
  );
  const { done, progress } = pull();
  await done;
  expect(progress.at(1)).toEqual({ doneBytes: 3, totalBytes: 10, layersDone: 0, layers: 1 });
  expect(progress.at(-1)).toMatchObject({ layersDone: 1 });
});

test('a failure in a reply with 200 is a failure, also one that is longer than a line is kept', async () => {
  lines(
    { id: 'a', status: 'Waiting' },
    { error: 'x', errorDetail: { message: 'write /var: no space left on device' } },
  );
  await expect(pull().done).rejects.toMatchObject({ kind: 'disk-full' });
  const page = 'unauthorized '.padEnd(20_000, '<html>');
  lines({ errorDetail: { message: page }, error: page });
  await expect(pull().done).rejects.toMatchObject({ kind: 'unauthorized' });
});

test('a refusal by status says what the engine says', async () => {
  const message = 'manifest unknown';
  docker.answers.set(ROUTE, (_, response) => response.writeHead(404).end(JSON.stringify({ message })));
  await expect(pull().done).rejects.toMatchObject({ kind: 'missing' });
});

test('the account is sent in its header and nowhere else', async () => {
  const account = { username: 'ada', password: 'hunter2>?' };
  let seen = {};
  docker.answers.set(ROUTE, (request, response) => {
    const header = String(request.headers['x-registry-auth']);
    seen = { url: request.url, auth: JSON.parse(Buffer.from(header, 'base64url').toString()) };
    response.end();
  });
  await pull({ account }).done;
  expect(seen).toEqual({
    url: '/images/create?fromImage=ghcr.io%2Flab%2Fserver&tag=1.0',
    auth: { ...account, serveraddress: 'ghcr.io' },
  });
});

test('a download that stands still ends, and so does one that breaks off or whose engine is not there', async () => {
  docker.answers.set(ROUTE, (_, response) => void response.write('{"status":"Waiting","id":"a"}\n'));
  const { done, progress, clock } = pull();
  const stalled = expect(done).rejects.toMatchObject({ kind: 'stalled' });
  await expect.poll(() => progress.length).toBe(1);
  await clock.advance(60_000);
  await stalled;
  docker.answers.set(ROUTE, (_, response) => {
    response.write('{"status":"Waiting","id":"a"}\n', () => response.destroy());
  });
  await expect(pull().done).rejects.toThrow('broke off');
  await docker.end();
  await expect(pull().done).rejects.toThrow(ContainerEngineGone);
});

test('an abort ends the request, with the reason of its signal', async () => {
  const aborting = new AbortController();
  const closed = new Promise((resolve) => {
    docker.answers.set(ROUTE, (request, response) => {
      request.socket.once('close', resolve);
      response.write('{"status":"Waiting","id":"a"}\n');
    });
  });
  const { done, progress } = pull({ signal: aborting.signal });
  done.catch(() => {});
  await expect.poll(() => progress.length).toBe(1);
  const reason = new Error('paused');
  aborting.abort(reason);
  await expect(done).rejects.toBe(reason);
  await closed;
});
