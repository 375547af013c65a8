import { expect, test } from 'vitest';
import type { CardProblem, CardProblemKind, GraphicsCard } from '../contract/compute/graphics-cards.ts';
import { EndpointRecord } from '../endpoints/records/endpoint-record.ts';
import { cardProblem } from '../graphics-cards/card-problems.ts';
import { partsNamed, pendingSince } from '../testing/models/some-endpoints.ts';
import { type CardsState, checkGraphicsCards, graphicsText } from './graphics-card-check.ts';

const card: GraphicsCard = {
  ...{ index: 0, name: 'NVIDIA H100', api: 'vulkan', driver: 'NVIDIA 580', sharesMemory: false },
  ...{ totalBytes: 80e9, freeBytes: 70e9 },
};
const works: CardsState = { isOn: true, cards: [card], problem: null, hasFailed: false };
const without = (problem: CardProblem | null): CardsState => ({ ...works, cards: [], problem });
const broke: CardProblem = { kind: 'driver-crashed', message: 'The driver crashed.', action: 'Update it.' };
const TRY_AGAIN = 'To try it again: robot-daemon graphics-card try-again';

interface Deployed {
  readonly accelerator?: 'cpu' | 'gpu';
  readonly vendor?: string;
  readonly nGpuLayers?: number;
  readonly image?: object;
  readonly mayUseProcessor?: boolean;
  readonly notOnCard?: CardProblem | null;
}
function endpoint(name: string, { accelerator = 'gpu', vendor = 'local', nGpuLayers, image, ...more }: Deployed = {}) {
  const { provider, compute, model, ...parts } = partsNamed(name);
  const llamacpp = {
    url: 'engines/llamacpp:gpu',
    modelPath: 'poet.gguf',
    ...(nGpuLayers !== undefined && { nGpuLayers }),
  };
  return EndpointRecord.parse({
    namespace: 'lab',
    endpoint: {
      ...{ ...parts, provider: { ...provider, vendor }, compute: { ...compute, accelerator } },
      ...{ model: { ...model, image: image ?? { llamacpp } }, status: pendingSince('2026-11-28T10:00:00.000Z') },
    },
    ...{ reasons: [], sealed: { variables: {}, imagePassword: null }, ...more },
  });
}

test('a card that models can use is no finding, nor is a machine without one', () => {
  expect(checkGraphicsCards(works, [endpoint('poet')])).toEqual([]);
  expect(checkGraphicsCards(without(null), [endpoint('poet', { accelerator: 'cpu' })])).toEqual([]);
});

test.each<[CardProblemKind, string, string, string]>([
  ['no-loader', '', 'the Vulkan loader (libvulkan.so.1) is not installed.', 'apt install libvulkan1'],
  ['no-driver', '', 'no Vulkan driver for it is installed.', 'apt install mesa-vulkan-drivers'],
  ['no-access', '/dev/dri/renderD128', 'this user may not open /dev/dri/renderD128.', 'usermod -aG render'],
  ['driver-crashed', 'SIGSEGV', 'ended the program that used it (SIGSEGV).', 'Update the graphics driver'],
  ['driver-silent', '20 s', 'did not answer within 20 s.', 'Restart the machine'],
  ['driver-failed', 'Its answer could not be read.', 'Its answer could not be read.', 'Update the graphics driver'],
])('%s is found by name, with what to do', (kind, detail, what, how) => {
  const [found, ...others] = checkGraphicsCards(without(cardProblem(kind, detail)), []);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code: `graphics-card-${kind}`, severity: 'note', where: 'this machine' });
  expect(found?.what).toMatch(/ No endpoint needs it\.$/);
  expect(found?.what).toContain(what);
  if (process.platform !== 'win32')
    expect(found?.fix).toMatchObject({ kind: 'by-hand', how: expect.stringContaining(how) });
  expect(found?.fix).toMatchObject({ how: expect.stringMatching(new RegExp(` ${TRY_AGAIN}$`)) });
});

test('a card that failed earlier is left alone, until someone tries it again', () => {
  expect(checkGraphicsCards({ ...works, problem: broke, hasFailed: true }, [])).toEqual([
    {
      ...{ code: 'graphics-card-left-alone', severity: 'note', where: 'this machine' },
      what: 'The driver crashed. Models do not use the card since then. No endpoint needs it.',
      fix: { kind: 'by-hand', how: `Update it. ${TRY_AGAIN}` },
    },
  ]);
});

test('cards that are switched off are noted, whatever else is wrong with them', () => {
  expect(checkGraphicsCards({ ...works, isOn: false, problem: broke, hasFailed: true }, [])).toEqual([
    {
      ...{ code: 'graphics-card-off', severity: 'note', where: 'this machine' },
      what: 'Models may not use the graphics card: it is switched off. No endpoint needs it.',
      fix: { kind: 'by-hand', how: 'To switch it on: robot-daemon graphics-card on' },
    },
  ]);
});

test('while they are switched off, an engine in a container needs the card too', () => {
  const inContainer = endpoint('poet', { image: { vLLM: { url: 'vllm/vllm-openai' } } });
  expect(checkGraphicsCards(without(broke), [inContainer])[0]?.what).toContain('No endpoint needs it.');
  const [found] = checkGraphicsCards({ ...works, isOn: false }, [inContainer]);
  expect(found).toMatchObject({ severity: 'broken', what: expect.stringContaining('The endpoint poet needs it.') });
});

test('an installation without the program for it has nothing to try again, and an installed llama-server may serve', () => {
  const [found] = checkGraphicsCards(without(cardProblem('not-included')), [endpoint('poet')]);
  expect(found).toMatchObject({ severity: 'note', fix: { how: 'Install llama-server under Models, This machine.' } });
});

const free = { mayUseProcessor: true };
test.each<[string, readonly EndpointRecord[], 'broken' | 'note', string]>([
  ['needs it', [endpoint('poet')], 'broken', 'The endpoint poet needs it.'],
  ['need it', [endpoint('seer'), endpoint('poet')], 'broken', 'The endpoints poet and seer need it.'],
  [
    'runs without it',
    [endpoint('poet', { ...free, notOnCard: broke })],
    ...(['note', 'The endpoint poet runs on the processor instead.'] as const),
  ],
  [
    'need it or run without it',
    [
      endpoint('poet', { ...free, notOnCard: broke }),
      endpoint('seer'),
      endpoint('bard', { ...free, notOnCard: broke }),
    ],
    ...(['broken', 'The endpoint seer needs it. The endpoints bard and poet run on the processor instead.'] as const),
  ],
  [
    'are elsewhere or on the processor',
    [endpoint('far', { vendor: 'hub' }), endpoint('slow', { accelerator: 'cpu' }), endpoint('none', { nGpuLayers: 0 })],
    ...(['note', 'No endpoint needs it.'] as const),
  ],
])('endpoints that %s are named', (_, endpoints, severity, need) => {
  expect(checkGraphicsCards(without(broke), endpoints)).toMatchObject([
    { code: 'graphics-card-driver-crashed', severity, what: `The driver crashed. ${need}` },
  ]);
});

test.each<[string, CardsState]>([
  ['NVIDIA H100 (NVIDIA 580), 80.0 GB', works],
  [
    'NVIDIA H100 (NVIDIA 580), 80.0 GB; A card, 8.0 GB',
    { ...works, cards: [card, { ...card, name: 'A card', driver: null, totalBytes: 8e9 }] },
  ],
  ['none', without(null)],
  ['not used', { ...works, problem: broke }],
  ['switched off', { ...works, isOn: false }],
])('the cards in a line: %s', (text, state) => {
  expect(graphicsText(state)).toBe(text);
});
