import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Scaling } from '../contract/compute/endpoint-compute.ts';
import type { EndpointChange } from '../contract/endpoints/endpoint-request.ts';
import { cardProblem } from '../graphics-cards/card-problems.ts';
import { placeOf } from '../testing/models/place-on-card.ts';
import { scriptedRuntime } from '../testing/models/scripted-runtime.ts';
import { endpointsIn, minimalRequest, partsNamed, somebody } from '../testing/models/some-endpoints.ts';
import { CHAT, superviseEndpoint } from '../testing/models/supervised-endpoint.ts';

const chat = { namespace: 'me', name: 'chat' };
const crashed = cardProblem('driver-crashed', 'SIGSEGV');
const { compute } = minimalRequest('chat');
const image = { llamacpp: { url: 'u', modelPath: '/repository/a.gguf' } };

/** An endpoint that was deployed on the graphics card by the catalog's choice. */
async function onCard() {
  const folder = await mkdtemp(join(tmpdir(), 'endpoints-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const endpoints = endpointsIn(folder);
  const parts = partsNamed('chat', {
    compute: { ...compute, accelerator: 'gpu' },
    model: { repository: 'ada/tiny', framework: 'llamacpp', image },
  });
  await endpoints.create({
    namespace: 'me',
    parts,
    person: somebody,
    reasons: [],
    namePath: [],
    mayUseProcessor: true,
  });
  const record = () => endpoints.record(chat);
  const life = () =>
    record()
      ?.life.filter(({ kind }) => kind === 'placed')
      .map(({ cause }) => cause);
  return { folder, endpoints, record, life };
}

test('an endpoint that leaves the card says so in its life, once, and again when it is back', async () => {
  const { endpoints, record, life } = await onCard();
  await endpoints.placed(chat, null);
  expect(life()).toEqual([]);
  await endpoints.placed(chat, crashed);
  await endpoints.placed(chat, crashed);
  expect(record()?.notOnCard).toEqual(crashed);
  await endpoints.placed(chat, null);
  expect(record()?.notOnCard).toBeNull();
  expect(life()).toEqual([`It runs on the processor. ${crashed.message}`, 'It runs on the graphics card again.']);
  await endpoints.placed({ namespace: 'me', name: 'unknown' }, crashed); // it was removed meanwhile
});

test('where it runs, and that it may, outlasts a restart', async () => {
  const { folder, endpoints } = await onCard();
  await endpoints.placed(chat, crashed);
  await endpoints.close();
  const again = endpointsIn(folder);
  await again.load();
  expect(again.record(chat)).toMatchObject({ notOnCard: crashed, mayUseProcessor: true });
});

test.each<[string, EndpointChange, object]>([
  [
    'another number of replicas',
    { compute: { scaling: { minReplica: 1 } } },
    { notOnCard: crashed, mayUseProcessor: true },
  ],
  ['the processor', { compute: { accelerator: 'cpu' } }, { notOnCard: null, mayUseProcessor: false }],
  [
    'no layers on the card',
    { model: { image: { llamacpp: { ...image.llamacpp, nGpuLayers: 0 } } } },
    { notOnCard: null, mayUseProcessor: true },
  ],
])('after a change to %s', async (_what, change, expected) => {
  const { endpoints, record, life } = await onCard();
  await endpoints.placed(chat, crashed);
  await endpoints.update('me', 'chat', change, somebody);
  expect(record()).toMatchObject(expected);
  expect(life()).toHaveLength(1);
});

/** An endpoint on a card that has memory for one replica only. */
async function onSmallCard(scaling: Partial<Scaling> = {}) {
  let taken = 0;
  const take = async () => {
    taken += 1;
    return taken === 1 ? placeOf() : cardProblem('no-memory');
  };
  const supervised = await superviseEndpoint({
    ...{ accelerator: 'gpu', mayUseProcessor: true, places: { take }, scaling },
    runtime: Object.assign(scriptedRuntime(), { cardPlace: 'needed' }),
  });
  const { clock, runtime, endpoints } = supervised;
  const settled = async (isSettled: () => boolean | Promise<boolean>) => {
    await expect
      .poll(async () => {
        await clock.advance(100);
        return isSettled();
      })
      .toBe(true);
  };
  await settled(async () => (await supervised.state()) === 'running');
  const onCard = () => runtime.started.filter(({ isStopped, spec }) => !isStopped && spec.card !== null).length;
  return { ...supervised, settled, onCard, taken: () => taken, notOnCard: () => endpoints.record(CHAT)?.notOnCard };
}

test('a second replica that the card has no memory for is not started, and the first one stays on the card', async () => {
  const { settled, runtime, onCard, taken, notOnCard, state } = await onSmallCard({ minReplica: 2, maxReplica: 2 });
  await settled(() => taken() > 1);
  expect([runtime.started.length, onCard(), notOnCard(), await state()]).toEqual([1, 1, null, 'running']);
});

test('an update that the card has no memory for fails, and the replica before it stays on the card', async () => {
  const { settled, endpoints, onCard, notOnCard, state } = await onSmallCard({ minReplica: 1 });
  await endpoints.update('me', 'chat', { model: { env: { LLAMA_A: 'c' } } }, somebody);
  await settled(async () => (await state()) === 'updateFailed');
  expect([onCard(), notOnCard(), (await endpoints.get('me', 'chat')).status.errorMessage]).toEqual([
    ...[1, null],
    expect.stringContaining('too little free memory'),
  ]);
});

test('a card that its owner chooses is demanded', async () => {
  const { endpoints, record } = await onCard();
  await endpoints.update('me', 'chat', { compute: { accelerator: 'cpu' } }, somebody);
  await endpoints.update('me', 'chat', { compute: { accelerator: 'gpu' } }, somebody);
  expect(record()).toMatchObject({ mayUseProcessor: false, notOnCard: null });
});
