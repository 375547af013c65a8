import { expect, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { partsNamed, pendingSince } from '../testing/models/some-endpoints.ts';
import type { EndpointUse, ReplicaMemory } from './measured-memory/memory-records.ts';
import { MemoryWatch } from './memory-watch.ts';
import type { StoredEndpoint } from './records/stored-endpoint.ts';
import { TrafficRecords } from './traffic-records.ts';

const running = { ...pendingSince('2026-11-23T10:00:00.000Z'), state: 'running' as const };
const chat: StoredEndpoint = { ...partsNamed('chat'), status: running };

const named = (name: string) => ({ namespace: 'me', name });

const of = (...bytes: readonly number[]) =>
  bytes.map((each) => ({ bytes: each, isContainer: false, countsFiles: false, state: 'ready' as const, slots: null }));

function watchOf(memory: () => Promise<readonly EndpointUse[]>, endpoint = () => chat) {
  const clock = manualClock();
  const traffic = new TrafficRecords(clock);
  const noted: (readonly [name: string, replicas: readonly ReplicaMemory[], answers: number])[] = [];
  const logged: string[] = [];
  const watch = new MemoryWatch({
    ...{ clock, memory, traffic },
    endpoint: ({ name }) => (name === 'chat' ? endpoint() : undefined),
    records: { note: ({ name }, replicas, answers) => void noted.push([name, replicas, answers]) },
    log: createLogger('error', (line) => logged.push(line)),
  });
  const measured = () =>
    traffic.history(named('chat')).samples.flatMap(({ memoryBytes }) => (memoryBytes === null ? [] : [memoryBytes]));
  return { clock, traffic, noted, logged, watch, measured };
}

test('the sum of an endpoint’s replicas goes into its history, and each into the records with its answers', async () => {
  const { clock, traffic, noted, watch, measured } = watchOf(async () => [
    { endpoint: named('chat'), replicas: of(3e9, 4e9) },
    { endpoint: named('gone'), replicas: of(1) },
  ]);
  watch.start();
  await clock.advance(15_000);
  traffic.hit(named('chat'));
  for (const outcome of ['answered', 'answered', 'refused', 'failed', 'cancelled', null] as const) {
    const request = traffic.begin(named('chat'));
    if (outcome !== null) request.ended(outcome);
  }
  await clock.advance(15_000);
  expect(noted).toEqual([
    ['chat', of(3e9, 4e9), 0],
    ['chat', of(3e9, 4e9), 2],
  ]);
  expect(measured()).toEqual([7e9, 7e9]);
  watch.stop();
  await clock.advance(60_000);
  expect(noted).toHaveLength(2);
});

test('a measurement that fails is logged, and the next one comes', async () => {
  let fails = true;
  const { clock, noted, logged, watch } = watchOf(async () => {
    if (fails) throw new Error('no /proc');
    return [{ endpoint: named('chat'), replicas: of(1e9) }];
  });
  watch.start();
  await clock.advance(15_000);
  expect(logged).toEqual([expect.stringContaining('could not be measured')]);
  fails = false;
  await clock.advance(15_000);
  expect(noted).toEqual([['chat', of(1e9), 0]]);
  watch.stop();
});

test('answers count from when all replicas have the settings, and of one kind', async () => {
  let replicas: readonly ReplicaMemory[] = of(3e9);
  let endpoint = chat;
  const { clock, traffic, noted, watch } = watchOf(
    async () => [{ endpoint: named('chat'), replicas: replicas }],
    () => endpoint,
  );
  const answersAfter = async (answers: number) => {
    for (let request = 0; request < answers; request += 1) traffic.begin(named('chat')).ended('answered');
    await clock.advance(15_000);
    return noted.at(-1)?.[2];
  };
  watch.start();
  expect(await answersAfter(5)).toBe(0);
  expect(await answersAfter(20)).toBe(20);
  const { model } = chat;
  endpoint = { ...chat, model: { ...model, args: ['--ctx-size', '32768'] }, status: { ...running, state: 'updating' } };
  expect(await answersAfter(20)).toBe(0);
  endpoint = { ...endpoint, status: running };
  replicas = [...of(3e9), { bytes: 3e9, isContainer: false, countsFiles: false, state: 'draining', slots: null }];
  expect(await answersAfter(20)).toBe(0);
  replicas = of(3e9);
  expect(await answersAfter(20)).toBe(0);
  expect(await answersAfter(3)).toBe(3);
  expect(await answersAfter(4)).toBe(7);
  replicas = [{ bytes: 3e9, isContainer: true, countsFiles: false, state: 'ready', slots: null }];
  expect(await answersAfter(20)).toBe(0);
  watch.stop();
});
