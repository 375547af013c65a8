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
    'The start of "dance" would wake aws/big, which costs $1.20 an hour. Confirm this to start it.',
  ]);
  expect(await refusal(needFor('b', 'aws/big'), needFor('d', 'aws/huge'))).toEqual([
    'endpoint-paid',
    'The start of "dance" would wake aws/big and aws/huge, which together cost $4.20 an hour. Confirm this to start it.',
  ]);
  expect(await refusal(needFor('e', 'aws/odd'))).toEqual([
    'endpoint-paid',
    'The start of "dance" would wake aws/odd, which costs money while it runs. Confirm this to start it.',
  ]);
  expect(await bound(needFor('a', 'lab/free'), needFor('b', 'aws/big', true))).toEqual(['a']);
  expect(await bind(true, needFor('b', 'aws/big'), needFor('d', 'aws/huge', true))).toHaveLength(2);
});

test('an endpoint that costs money and is ready needs no confirmation', async () => {
  const { bound } = over(['aws/big', { ...running, pricePerHour: 1.2 }]);
  expect(await bound(needFor('b', 'aws/big'))).toEqual(['b']);
});

test('the endpoints of a run are described after it', async () => {
  const { endpoints, needs, bind } = over(['lab/a', running], ['lab/b', running], ['lab/c', running]);
  const bound = await bind(false, needFor('a', 'lab/a'), needFor('b', 'lab/b'), needFor('c', 'lab/c'));
  endpoints.set('lab/b', { state: 'failed', message: 'It crashed.' });
  endpoints.set('lab/c', null);
  expect(await needs.used(bound)).toMatchObject([
    { endpoint: endpointRef('lab/a'), need: 'a', trouble: null },
    { endpoint: endpointRef('lab/b'), need: 'b', trouble: 'It crashed.' },
    { endpoint: endpointRef('lab/c'), need: 'c', trouble: 'It was deleted.' },
  ]);
});
