import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EndpointChange } from '../contract/endpoints/endpoint-request.ts';
import { cardProblem } from '../graphics-cards/card-problems.ts';
import { endpointsIn, minimalRequest, partsNamed, somebody } from '../testing/models/some-endpoints.ts';

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

test('a card that its owner chooses is demanded', async () => {
  const { endpoints, record } = await onCard();
  await endpoints.update('me', 'chat', { compute: { accelerator: 'cpu' } }, somebody);
  await endpoints.update('me', 'chat', { compute: { accelerator: 'gpu' } }, somebody);
  expect(record()).toMatchObject({ mayUseProcessor: false, notOnCard: null });
});
