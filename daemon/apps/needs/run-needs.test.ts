import { expect, test } from 'vitest';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { AssignedNeed, NeedProblem } from '../../contract/apps/needs.ts';
import { endpointRef, FakeEndpoints, needFor } from '../../testing/apps/fake-endpoints.ts';
import { mustWait } from './run-needs.ts';

const running = { state: 'running', message: 'Ready.' } as const;
const asleep = { state: 'scaledToZero', message: 'Asleep.' } as const;

const app = (...needs: AssignedNeed[]): Pick<InstalledApp, 'name' | 'needs'> => ({ name: 'dance', needs });

function over(...ids: readonly (readonly [string, Parameters<FakeEndpoints['set']>[1]])[]) {
  const endpoints = new FakeEndpoints();
  for (const [id, endpoint] of ids) endpoints.set(id, endpoint);
  const needs = endpoints.needs();
  const bind = (wakePaid: boolean, ...of: AssignedNeed[]) => needs.bind(app(...of), { wakePaid });
  const bound = async (...of: AssignedNeed[]) => (await bind(false, ...of)).map(({ need }) => need.name);
  /** The code and the message of the refusal. */
  const refusal = async (...of: AssignedNeed[]): Promise<readonly [NeedProblem, string]> => {
    const error = await bind(false, ...of).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ unmet: { appName: 'dance' } });
    const { code, message } = error as { code: NeedProblem; message: string };
    return [code, message];
  };
  return { endpoints, needs, bind, bound, refusal };
}

test('needs without an endpoint are refused together, in one sentence', async () => {
  const { refusal } = over();
  expect(await refusal(needFor('chat', ''))).toEqual([
    'need-unassigned',
    `"dance" needs a model for "chat" (text-generation). Choose one on the app's page.`,
  ]);
  expect(await refusal(needFor('chat', ''), { ...needFor('embed', ''), task: 'feature-extraction' })).toEqual([
    'need-unassigned',
    `"dance" needs models for "chat" and "embed" (text-generation and feature-extraction). Choose them on the app's page.`,
  ]);
});

test.each<[NeedProblem, Parameters<FakeEndpoints['set']>[1], string]>([
  ['endpoint-missing', null, 'was deleted. Choose another one'],
  ['endpoint-unsuitable', { ...running, task: 'text-ranking' }, 'needs text-generation for "chat", and'],
  ['endpoint-paused', { state: 'paused', message: 'Paused.' }, 'is paused. Resume it, then start the app again.'],
  ['endpoint-failed', { state: 'failed', message: 'No memory. Free some.' }, 'has failed: No memory. Free some.'],
])('%s: a required need is refused, an optional one is left out', async (code, endpoint, message) => {
  const { refusal, bound } = over(['lab/chat', endpoint]);
  expect(await refusal(needFor('chat', 'lab/chat'))).toEqual([code, expect.stringContaining(message)]);
  expect(await bound(needFor('chat', 'lab/chat', true))).toEqual([]);
});

test('an endpoint of that name in another namespace is not the assigned one', async () => {
  const { refusal } = over(['home/chat', running]);
  expect((await refusal(needFor('chat', 'lab/chat')))[0]).toBe('endpoint-missing');
});

test('endpoints that are ready, sleep or start can be used; those that sleep are waited for', async () => {
  const { bind } = over(['lab/a', running], ['lab/b', asleep], ['lab/c', { state: 'pending', message: '' }]);
  const waits = async (...of: AssignedNeed[]) => mustWait(await bind(false, ...of));
  expect(await waits(needFor('a', 'lab/a'))).toBe(false);
  expect(await waits(needFor('a', 'lab/a'), needFor('b', 'lab/b', true))).toBe(false);
  expect(await waits(needFor('a', 'lab/a'), needFor('b', 'lab/b'))).toBe(true);
  expect(await waits(needFor('c', 'lab/c'))).toBe(true);
});

test('an endpoint that costs money is woken only if that was confirmed', async () => {
  const { refusal, bind, bound } = over(
    ['aws/big', { ...asleep, pricePerHour: 1.2 }],
    ['aws/huge', { state: 'initializing', message: '', pricePerHour: 3 }],
    ['aws/odd', { ...asleep, pricePerHour: null }],
    ['lab/free', asleep],
  );
  expect(await refusal(needFor('a', 'lab/free'), needFor('b', 'aws/big'), needFor('c', 'aws/big'))).toEqual([
    'endpoint-paid',
    'The start of "dance" would wake aws/big, which costs $1.20 an hour. As long as the app runs, it may wake aws/big again. Confirm this to start it.',
  ]);
  expect(await refusal(needFor('b', 'aws/big'), needFor('d', 'aws/huge'))).toEqual([
    'endpoint-paid',
    'The start of "dance" would wake aws/big and aws/huge, which together cost $4.20 an hour. As long as the app runs, it may wake aws/big and aws/huge again. Confirm this to start it.',
  ]);
  expect(await refusal(needFor('e', 'aws/odd'))).toEqual([
    'endpoint-paid',
    'The start of "dance" would wake aws/odd, which costs money while it runs. As long as the app runs, it may wake aws/odd again. Confirm this to start it.',
  ]);
  expect(await bound(needFor('a', 'lab/free'), needFor('b', 'aws/big', true))).toEqual(['a']);
  expect(await bind(true, needFor('b', 'aws/big'), needFor('d', 'aws/huge', true))).toHaveLength(2);
});

test('the question names every endpoint that a yes would let the start or the run wake', async () => {
  const { refusal } = over(
    ['aws/big', { ...asleep, pricePerHour: 1.2 }],
    ['aws/huge', { ...running, pricePerHour: 3 }],
    ['aws/extra', { ...asleep, pricePerHour: 0.5 }],
    ['lab/free', running],
  );
  const extra = needFor('a', 'aws/extra', true);
  expect(await refusal(extra, needFor('b', 'aws/big'), needFor('c', 'aws/huge'), needFor('d', 'lab/free'))).toEqual([
    'endpoint-paid',
    'The start of "dance" would wake aws/big and aws/extra, which together cost $1.70 an hour. As long as the app runs, it may wake aws/big and aws/extra again, and also aws/huge, which costs $3.00 an hour. Confirm this to start it.',
  ]);
});

test('an endpoint that costs money and is ready needs no confirmation, and the run may not wake it later', async () => {
  const { endpoints, needs, bind, bound } = over(['aws/big', { ...running, pricePerHour: 1.2 }]);
  const need = needFor('b', 'aws/big');
  expect(await bound(need)).toEqual(['b']);
  const run = { ended: new AbortController().signal, pagePort: () => 8042, others: {} };
  for (const confirmed of [false, true]) needs.environment(app(need), await bind(confirmed, need), run);
  expect(endpoints.keys.map(({ mayWakePaid }) => mayWakePaid)).toEqual([false, true]);
  expect(endpoints.keys.map(({ pagePort }) => pagePort())).toEqual([8042, 8042]);
});

test('the diagnosis of a run says that it was not allowed to wake its endpoint', async () => {
  const { endpoints, needs, bind } = over(
    ['aws/big', { ...running, pricePerHour: 1.2 }],
    ['aws/odd', { ...running, pricePerHour: null }],
    ['lab/free', running],
  );
  const of = [needFor('a', 'aws/big'), needFor('b', 'aws/odd'), needFor('c', 'lab/free')];
  const [unasked, confirmed] = [await bind(false, ...of), await bind(true, ...of)];
  const troublesOf = async (run: typeof unasked) =>
    (await needs.afterRun({ needs: of }, run)).map(({ trouble }) => trouble);
  expect(await troublesOf(unasked)).toEqual([null, null, null]);
  for (const [id, pricePerHour] of [
    ['aws/big', 1.2],
    ['aws/odd', null],
    ['lab/free', 0],
  ] as const) {
    endpoints.set(id, { ...asleep, pricePerHour });
  }
  expect(await troublesOf(unasked)).toEqual([
    'It is asleep, and costs $1.20 an hour, which was not confirmed when the app started.',
    'It is asleep, and costs money while it runs, which was not confirmed when the app started.',
    'Asleep.',
  ]);
  expect(await troublesOf(confirmed)).toEqual(['Asleep.', 'Asleep.', 'Asleep.']);
});

test('the endpoints of a run are described after it', async () => {
  const { endpoints, needs, bind } = over(['lab/a', running], ['lab/b', running], ['lab/c', running]);
  const of = [needFor('a', 'lab/a'), needFor('b', 'lab/b'), needFor('c', 'lab/c')];
  const bound = await bind(false, ...of);
  endpoints.set('lab/b', { state: 'failed', message: 'It crashed.' });
  endpoints.set('lab/c', null);
  expect(await needs.afterRun({ needs: of }, bound)).toMatchObject([
    { endpoint: endpointRef('lab/a'), need: 'a', trouble: null },
    { endpoint: endpointRef('lab/b'), need: 'b', trouble: 'It crashed.' },
    { endpoint: endpointRef('lab/c'), need: 'c', trouble: 'It was deleted.' },
  ]);
});

test('the needs that a run had no endpoint for are described after it', async () => {
  const { endpoints, needs, bind } = over(['lab/a', running], ['lab/b', { state: 'paused', message: 'Paused.' }]);
  const declared = [
    needFor('a', 'lab/a'),
    { ...needFor('b', 'lab/b'), optional: true },
    { ...needFor('c', 'lab/c'), endpoint: null, optional: true },
  ];
  const bound = await bind(false, ...declared);
  const task = declared[0]?.task;
  const unserved = async () => (await needs.afterRun({ needs: declared }, bound)).filter(({ url }) => url === null);
  expect(await unserved()).toEqual([
    { need: 'b', task, endpoint: endpointRef('lab/b'), url: null, trouble: 'Paused.' },
    { need: 'c', task, endpoint: null, url: null, trouble: null },
  ]);
  endpoints.set('lab/b', running);
  expect(await unserved()).toMatchObject([{ need: 'b', trouble: null }, { need: 'c' }]);
});
