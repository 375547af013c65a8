import { expect, test } from 'vitest';
import type { Balancing } from '../../contract/endpoints/balancing.ts';
import { type Candidate, type Choice, chooseReplica } from './choose-replica.ts';

type Some = readonly [Candidate, ...Candidate[]];

const given = (rule: Balancing, more: Partial<Choice> = {}): Choice => ({
  ...{ rule, caller: null, mcpSession: null, sessionReplica: null, avoid: new Set<string>() },
  ...more,
});
const replicas = (...requests: readonly number[]) =>
  requests.map((count, index) => ({ id: 'abcdefgh'[index] as string, requests: count })) as unknown as Some;
const chosen = (choice: Choice, ready: Some, random = 0) => chooseReplica(choice, ready, () => random)?.id;

test('random ignores how busy a replica is', () => {
  const ready = replicas(9, 0, 0);
  expect([0, 0.34, 0.67, 0.999].map((random) => chosen(given('random'), ready, random))).toEqual(['a', 'b', 'c', 'c']);
});

test('least_connections takes the replica with the fewest requests, and any of those with equally few', () => {
  expect(chosen(given('least_connections'), replicas(2, 1, 3), 0.9)).toBe('b');
  const ready = replicas(1, 0, 2, 0);
  expect([0, 0.49, 0.5].map((random) => chosen(given('least_connections'), ready, random))).toEqual(['b', 'b', 'd']);
});

test('sticky gives a caller the same replica, in whatever order they stand and however busy they are', () => {
  const [first, ...others] = replicas(0, 5, 1, 4);
  for (let index = 0; index < 200; index++) {
    const choice = given('sticky', { caller: `caller-${index}` });
    const turned = [...others, { ...first, requests: index }] as unknown as Some;
    expect(chosen(choice, turned)).toBe(chosen(choice, [first, ...others] as unknown as Some));
  }
});

test('a new replica takes its share of the callers and moves no other', () => {
  const callers = Array.from({ length: 2_000 }, (_, index) => `token-${index}`);
  const of = (ready: Some) => callers.map((caller) => chosen(given('sticky', { caller }), ready));
  const [before, after] = [of(replicas(0, 0, 0)), of(replicas(0, 0, 0, 0))];
  const moved = after.filter((id, index) => id !== before[index]);
  expect(new Set(moved)).toEqual(new Set(['d']));
  expect(moved.length / callers.length).toBeCloseTo(1 / 4, 1);
  for (const id of 'abc') expect(before.filter((one) => one === id).length / callers.length).toBeCloseTo(1 / 3, 1);
});

test('without a caller sticky is random', () => {
  expect(chosen(given('sticky'), replicas(0, 0), 0.5)).toBe('b');
});

test('an MCP session goes to the replica that opened it', () => {
  const choice = given('mcp', { mcpSession: 's', sessionReplica: 'b' });
  for (const random of [0, 0.5, 0.99]) expect(chosen(choice, replicas(0, 9, 0), random)).toBe('b');
});

test('a session whose replica is gone or unknown has one replica, always the same; a request without one has any', () => {
  for (const sessionReplica of [null, 'gone']) {
    const choice = given('mcp', { mcpSession: 's', sessionReplica });
    expect(new Set([0, 0.5, 0.99].map((random) => chosen(choice, replicas(0, 0, 0), random))).size).toBe(1);
  }
  const first = given('mcp');
  expect([0, 0.5, 0.99].map((random) => chosen(first, replicas(0, 0, 0), random))).toEqual(['a', 'b', 'c']);
});

test.each<[string, Partial<Choice>]>([
  ['random', {}],
  ['sticky', { caller: 'me' }],
  ['least_connections', {}],
  ['mcp', { mcpSession: 's', sessionReplica: 'a' }],
])('%s avoids a replica that was lost to the request, unless there is no other', (rule, more) => {
  const choice = (avoid: readonly string[]) => given(rule as Balancing, { ...more, avoid: new Set(avoid) });
  expect(chosen(choice(['a', 'c']), replicas(0, 9, 0))).toBe('b');
  expect(chosen(choice(['a', 'b']), replicas(0, 0))).toBe(chosen(choice([]), replicas(0, 0)));
});
