/** Endpoints of two namespaces with one name have nothing in common. */
import { expect, test } from 'vitest';
import { somebody } from '../../testing/models/some-endpoints.ts';
import { CHAT, superviseEndpoint } from '../../testing/models/supervised-endpoint.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';

const OTHER = { ...CHAT, namespace: 'you' };
const never = new AbortController().signal;

/** `me/chat` and `you/chat`, both of which run. */
async function both() {
  const one = await superviseEndpoint();
  const { endpoints, clock, supervisor } = one;
  const create = async () => {
    const { endpoint } = endpoints.record(CHAT) as EndpointRecord;
    const { status: _, ...parts } = endpoint;
    await endpoints.create({ namespace: 'you', parts, person: somebody, reasons: [], namePath: [] });
    await clock.advance(1_000);
  };
  await create();
  const states = () => [CHAT, OTHER].map((each) => endpoints.record(each)?.endpoint.status.state);
  const acquire = (each = OTHER) => supervisor.acquire(each, { waitMs: 60_000, signal: never });
  return { ...one, create, states, acquire };
}

test('each has replicas, output and memory of its own', async () => {
  const { states, acquire, supervisor, runtime } = await both();
  expect(states()).toEqual(['running', 'running']);
  const backends = [await acquire(CHAT), await acquire(OTHER)];
  expect(backends.map(({ address }) => address)).toEqual(runtime.started.map(({ address }) => address));
  for (const backend of backends) backend.release();
  const linesOf = (each: typeof CHAT) =>
    supervisor
      .output(each)
      .page({})
      .lines.map(({ text }) => text);
  expect([linesOf(CHAT), linesOf(OTHER)]).toEqual([['started 1000'], ['started 1001']]);
  const memory = await supervisor.memory();
  expect(memory.map(({ endpoint, replicas }) => [endpoint, replicas.length])).toEqual([
    [CHAT, 1],
    [OTHER, 1],
  ]);
});

test('an update, a pause, a sleep and a failure of one leave the other as it is', async () => {
  const { states, clock, endpoints, runtime, acquire } = await both();
  const [mine, yours] = runtime.started;
  await endpoints.update('you', 'chat', { model: { env: { LLAMA_A: 'c' } } }, somebody);
  await clock.advance(1_000);
  expect([mine?.isStopped, yours?.isStopped, runtime.started.length]).toEqual([false, true, 3]);
  await endpoints.apply({ namespace: 'you', name: 'chat' }, { type: 'pause' }, { by: somebody });
  await clock.advance(1_000);
  expect([states(), mine?.isStopped]).toEqual([['running', 'paused'], false]);
  (await acquire(CHAT)).release();
  await expect(acquire(OTHER)).rejects.toThrow('is paused');
  await endpoints.apply({ namespace: 'you', name: 'chat' }, { type: 'resume' }, { by: somebody });
  await clock.advance(1_000);
  await endpoints.apply(CHAT, { type: 'scale-to-zero' }, { by: somebody });
  await clock.advance(1_000);
  expect(states()).toEqual(['scaledToZero', 'running']);
  for (let exit = 0; exit < 4; exit++) {
    runtime.started.at(-1)?.end({ code: 1 });
    await clock.advance(10_000);
  }
  expect(states()).toEqual(['scaledToZero', 'failed']);
});

test('one that is deleted ends alone, and can be created again', async () => {
  const { states, clock, endpoints, supervisor, runtime, create } = await both();
  await supervisor.removeAfterEnd(OTHER, () => endpoints.remove('you', 'chat'));
  await clock.advance(1_000);
  expect(runtime.started.map(({ isStopped }) => isStopped)).toEqual([false, true]);
  expect(states()).toEqual(['running', undefined]);
  await create();
  expect(states()).toEqual(['running', 'running']);
  expect(
    supervisor
      .output(OTHER)
      .page({})
      .lines.map(({ text }) => text),
  ).toEqual(['started 1002']);
});
