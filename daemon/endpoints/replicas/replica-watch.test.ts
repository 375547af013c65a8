import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import type { ReplicaAddress } from '../runtime/endpoint-runtime.ts';
import { ReplicaWatch } from './replica-watch.ts';

const MINUTE_MS = 60_000;

/** Watches a replica that does not answer yet. */
async function watched(more: {
  readonly preparesModel: boolean;
  readonly container?: string;
  readonly containerPort?: number;
  readonly address?: ReplicaAddress;
}) {
  const manual = manualClock();
  let setForwardMs = 0;
  const clock = { ...manual, now: () => new Date(manual.now().getTime() + setForwardMs) };
  const runtime = scriptedRuntime();
  runtime.isQuick = false;
  const model = { kind: 'nothing' } as const;
  const names = { id: 'r1', endpoint: 'lab/chat', socketPath: '/s' };
  const spec = { ...names, parts: partsNamed('chat'), model, variables: {}, threads: 1, card: null, onLine: () => {} };
  const started = await runtime.start(spec);
  const watch = new ReplicaWatch({ ...started, ...more }, clock, new AbortController().signal);
  const reported: string[] = [];
  let lastLineMs = 0;
  const write = () => {
    lastLineMs = clock.elapsedMs();
  };
  const loaded = watch.loaded({ lastLineMs: () => lastLineMs, onHealth: (text) => reported.push(text) });
  const setTimeForward = (ms: number) => {
    setForwardMs += ms;
  };
  return { clock, replica: runtime.started[0], loaded, reported, write, setTimeForward };
}

test('a model that is on the disk is loaded within ten minutes from the last line that its server writes', async () => {
  const { clock, loaded, write } = await watched({ preparesModel: false });
  await clock.advance(9 * MINUTE_MS);
  write();
  await clock.advance(9 * MINUTE_MS);
  const failed = expect(loaded).rejects.toMatchObject({
    failure: { reason: 'timeout', message: 'The model was not loaded, and nothing was written for 10 minutes.' },
  });
  await clock.advance(2 * MINUTE_MS);
  await failed;
});

test("the system's time may be set forward by a day while a model is loaded", async () => {
  const { clock, replica, loaded, write, setTimeForward } = await watched({ preparesModel: false });
  await clock.advance(5 * MINUTE_MS);
  setTimeForward(24 * 60 * MINUTE_MS);
  write();
  await clock.advance(5 * MINUTE_MS);
  replica?.becomeHealthy();
  await clock.advance(1_000);
  expect(await loaded).toBe(true);
});

test('a container that runs and does not answer names the route that was asked', async () => {
  const { clock, loaded } = await watched({ preparesModel: false, container: 'c1', containerPort: 8000 });
  const failed = expect(loaded).rejects.toMatchObject({
    failure: {
      message:
        'The container did not answer 200 at its health route /health, port 8000, and nothing was written for 10 minutes.',
    },
  });
  await clock.advance(11 * MINUTE_MS);
  await failed;
});

test('a server that writes for ever and answers nothing has an hour', async () => {
  const { clock, loaded, write } = await watched({ preparesModel: false });
  const failed = expect(loaded).rejects.toMatchObject({
    failure: { message: 'The model was not loaded within 1 hour.' },
  });
  for (let minute = 0; minute <= 60; minute += 5) {
    write();
    await clock.advance(5 * MINUTE_MS);
  }
  await failed;
});

test('a container that loads for longer than 15 s says what was asked, and what came back', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = { host: '127.0.0.1', port };
  const { clock, reported, loaded, replica } = await watched({
    preparesModel: false,
    container: 'c1',
    containerPort: 8000,
    address,
  });
  await clock.advance(14_000);
  expect(reported).toEqual([]);
  await clock.advance(2_000);
  await vi.waitFor(() =>
    expect(new Set(reported)).toEqual(new Set(['Asked for /health at its port 8000, it answers 404.'])),
  );
  await new Promise((resolve) => server.close(resolve));
  await clock.advance(11_000);
  await vi.waitFor(() =>
    expect(reported.at(-1)).toBe('Asked for /health at its port 8000, it does not answer within 2 s.'),
  );
  replica?.becomeHealthy();
  await clock.advance(1_000);
  expect(await loaded).toBe(true);
});

test('a container that downloads its model by itself has hours for it', async () => {
  const { clock, replica, loaded } = await watched({ preparesModel: true, container: 'c1' });
  await clock.advance(30 * MINUTE_MS);
  replica?.becomeHealthy();
  await clock.advance(1_000);
  expect(await loaded).toBe(true);
});
