import { expect, test } from 'vitest';
import type { CardProblem } from '../../contract/compute/graphics-cards.ts';
import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { CardPlace } from '../../graphics-cards/card-places.ts';
import { cardProblem } from '../../graphics-cards/card-problems.ts';
import { placeOf } from '../../testing/models/place-on-card.ts';
import { scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { partsNamed, pendingSince } from '../../testing/models/some-endpoints.ts';
import { neverServed } from '../records/endpoint-record.ts';
import { noSecrets } from '../records/endpoint-secrets.ts';
import type { EndpointRuntime, NoRuntime } from '../runtime/endpoint-runtime.ts';
import { CardPlacement } from './card-placement.ts';

const never = new AbortController().signal;
const free = placeOf();
const crashed = cardProblem('driver-crashed', 'SIGSEGV');
const noMemory = cardProblem('no-memory');
const failure = (reason: EndpointFailure['reason'], { message, action }: CardProblem): EndpointFailure => ({
  ...{ reason, message, action, evidence: [] },
});
const refused: NoRuntime = { reason: 'graphics-card', problem: crashed.message, action: crashed.action, card: crashed };

interface Machine {
  readonly accelerator?: 'cpu' | 'gpu';
  /** Whether the owner left the choice of the compute to the catalog. */
  readonly mayUseProcessor?: boolean;
  readonly image?: EndpointImage;
  readonly place?: CardPlace | CardProblem;
  /** Whether another replica of the endpoint serves. */
  readonly othersServe?: boolean;
  readonly onCard?: Partial<EndpointRuntime> | NoRuntime;
  readonly onProcessor?: Partial<EndpointRuntime> | NoRuntime;
}

function placementOn({
  accelerator = 'gpu',
  mayUseProcessor = true,
  image = { llamacpp: { url: 'u', modelPath: '/x' } },
  place = free,
  othersServe = false,
  onCard = { label: 'on the card', cardPlace: 'needed' },
  onProcessor = { label: 'on the processor', cardPlace: 'needed' },
}: Machine = {}) {
  const plain = partsNamed('chat');
  const endpoint = {
    ...{ ...plain, status: pendingSince('2026-11-22T10:00:00.000Z') },
    ...{ compute: { ...plain.compute, accelerator }, model: { ...plain.model, image } },
  };
  const done: string[] = [];
  const record = { namespace: 'lab', endpoint, reasons: [], sealed: noSecrets, life: [] };
  const placement = new CardPlacement(
    { ...record, ...neverServed, mayUseProcessor },
    {
      runtimeFor: async ({ compute }) => {
        const found = compute.accelerator === 'gpu' ? onCard : onProcessor;
        return 'problem' in found ? (found as NoRuntime) : { ...scriptedRuntime(), ...found };
      },
      cards: { failed: async ({ kind }) => void done.push(`failed: ${kind}`) },
      places: {
        take: async (wanted) => {
          done.push(`take ${wanted ?? 'any'}`);
          return place;
        },
      },
      othersServe: () => othersServe,
      onPlaced: async (notOnCard) => void done.push(`placed: ${notOnCard?.kind ?? 'on the card'}`),
    },
  );
  const ranOn = () => [placement.parts.compute.accelerator, placement.parts.model.image.llamacpp?.nGpuLayers ?? null];
  return { placement, done, ranOn };
}

test.each<[string, Machine, readonly unknown[]]>([
  ['an endpoint on the card', {}, ['on the card', free, 'gpu', null, ['take any', 'placed: on the card']]],
  [
    'one that names its card and its layers',
    { image: { llamacpp: { url: 'u', modelPath: '/x', mainGpu: 1, nGpuLayers: 7 } } },
    ['on the card', free, 'gpu', 7, ['take 1', 'placed: on the card']],
  ],
  ['an endpoint on the processor', { accelerator: 'cpu' }, ['on the processor', null, 'cpu', null, []]],
  [
    'one on the processor that names layers, which nothing puts on a card',
    { accelerator: 'cpu', image: { llamacpp: { url: 'u', modelPath: '/x', nGpuLayers: 7 } } },
    ['on the processor', null, 'cpu', 7, []],
  ],
  [
    'one on the card with no layers there',
    { image: { llamacpp: { url: 'u', modelPath: '/x', nGpuLayers: 0 } } },
    ['on the processor', null, 'cpu', 0, []],
  ],
  [
    'one whose card no program can use',
    { onCard: refused },
    ['on the processor', null, 'cpu', 0, ['placed: driver-crashed']],
  ],
  [
    'one that no program runs on the card for another reason',
    { onCard: { reason: 'no-runtime', problem: 'It is too old.', action: 'Install a newer one.' } },
    ['on the processor', null, 'cpu', 0, ['placed: no-card']],
  ],
  [
    'one whose card cannot be used any more',
    { place: cardProblem('card-lost') },
    ['on the card', 'on-processor', 'cpu', 0, ['take any', 'placed: card-lost']],
  ],
  [
    'one of a program with a card of its own, such as by CUDA',
    { onCard: { label: 'llama-server', cardPlace: 'welcome' }, place: cardProblem('no-loader') },
    ['llama-server', null, 'gpu', null, ['take any', 'placed: on the card']],
  ],
  [
    'one of such a program on a machine whose Vulkan driver crashes',
    { onCard: { label: 'llama-server', cardPlace: 'welcome' }, place: crashed },
    ['llama-server', null, 'gpu', null, ['take any', 'placed: on the card']],
  ],
  [
    'one of such a program, once the card is switched off',
    { onCard: { label: 'llama-server', cardPlace: 'welcome' }, place: cardProblem('switched-off') },
    ['llama-server', 'on-processor', 'cpu', 0, ['take any', 'placed: switched-off']],
  ],
  [
    'one that names a card which is not there',
    { place: cardProblem('no-such-card', '7') },
    ['on the card', 'on-processor', 'cpu', 0, ['take any', 'placed: no-such-card']],
  ],
  [
    'one in a container',
    { onCard: { label: 'Podman', cardPlace: 'unused' }, image: { vLLM: { url: 'u' } } },
    ['Podman', null, 'gpu', null, ['placed: on the card']],
  ],
])('%s', async (_what, machine, expected) => {
  const { placement, done, ranOn } = placementOn(machine);
  const { label } = await placement.runtime();
  const place = await placement.place(never, () => {});
  await placement.loaded();
  expect([label, place, ...ranOn(), done]).toEqual(expected);
});

test.each<[string, Machine]>([
  ['no program runs', { onCard: refused }],
  ['a card that cannot be used any more', { place: crashed }],
])('an owner who demanded the card gets the reason: %s', async (_what, machine) => {
  const { placement, done } = placementOn({ mayUseProcessor: false, ...machine });
  const started = placement.runtime().then(() => placement.place(never, () => {}));
  await expect(started).rejects.toMatchObject({ failure: { reason: 'graphics-card', message: crashed.message } });
  expect(done.filter((text) => text.startsWith('placed'))).toEqual([]);
});

test('an endpoint that no program runs on the processor either tells why it runs on no card', async () => {
  const none: NoRuntime = { reason: 'no-runtime', problem: 'There is none.', action: 'Install one.' };
  const { placement, done } = placementOn({ onCard: refused, onProcessor: none });
  await expect(placement.runtime()).rejects.toMatchObject({ failure: { message: crashed.message } });
  expect(done).toEqual([]);
});

test.each<[string, EndpointFailure, readonly string[]]>([
  ['a driver that crashed', failure('graphics-card', crashed), ['failed: driver-crashed', 'placed: driver-crashed']],
  [
    'a card that is lost',
    failure('graphics-card', cardProblem('card-lost')),
    ['failed: card-lost', 'placed: card-lost'],
  ],
  [
    'a driver that hangs',
    failure('graphics-card', cardProblem('driver-silent', '10 minutes')),
    ['failed: driver-silent', 'placed: driver-silent'],
  ],
  ['too little memory of the card', failure('no-card-memory', noMemory), ['placed: no-memory']],
])('after %s it goes on on the processor, where the owner did not demand the card', async (_what, cause, expected) => {
  const { placement, done, ranOn } = placementOn();
  await placement.runtime();
  expect(await placement.ended(cause)).toBe('restart-on-processor');
  expect([ranOn(), done]).toEqual([['cpu', 0], expected]);
  expect((await placement.runtime()).label).toBe('on the processor');
  expect(await placement.place(never, () => {})).toBeNull();
  const demanded = placementOn({ mayUseProcessor: false });
  await demanded.placement.runtime();
  await expect(demanded.placement.ended(cause)).rejects.toMatchObject({ failure: cause });
  expect(demanded.done).toEqual(expected.filter((text) => text.startsWith('failed')));
});

test('one more replica, or that of an update, fails where the card has no memory for it: the others stay there', async () => {
  const { placement, done, ranOn } = placementOn({ othersServe: true, place: noMemory });
  await placement.runtime();
  await expect(placement.place(never, () => {})).rejects.toMatchObject({ failure: { reason: 'no-card-memory' } });
  const cause = failure('no-card-memory', noMemory);
  await expect(placement.ended(cause)).rejects.toMatchObject({
    failure: { reason: 'no-card-memory', action: expect.stringContaining('pause and resume the endpoint') },
  });
  expect([ranOn(), done]).toEqual([['gpu', null], ['take any']]);
});

test('a crash on the card of a replica that is left there still counts as the driver’s', async () => {
  const { placement, done } = placementOn();
  await placement.runtime();
  await placement.ended(failure('no-card-memory', noMemory));
  expect(await placement.ended(failure('graphics-card', crashed))).toBe('restart');
  expect(done).toEqual(['placed: no-memory', 'failed: driver-crashed']);
});

test.each<[string, Machine, EndpointFailure]>([
  ['of another cause', {}, failure('crashed', crashed)],
  ['on the processor', { accelerator: 'cpu' }, failure('graphics-card', crashed)],
])('an end %s is only restarted', async (_what, machine, cause) => {
  const { placement, done } = placementOn(machine);
  await placement.runtime();
  expect(await placement.ended(cause)).toBe('restart');
  expect(done).toEqual([]);
});
