import { expect, test } from 'vitest';
import { createDashboardStore } from '../../store/dashboard-store.ts';
import { testAddresses } from '../../testing/fake-daemon.ts';
import { comparedKey, comparedText, parseCompared, parseComparedKey } from './compare-slice.ts';

const newStore = () =>
  createDashboardStore({
    daemon: { call: () => new Promise(() => {}) },
    addresses: testAddresses,
    events: { retryNow: () => {}, reopen: () => {} },
  });

test.each([
  { repoId: 'anna/big', publicId: null },
  { repoId: 'anna/big', publicId: 'big--llamacpp-cpu-q4' },
  { repoId: 'anna/big', publicId: 'odd/one, with %2C' },
])('%j is a key and an address, and is read from both', (id) => {
  const key = comparedKey(id);
  expect(parseComparedKey(key)).toEqual(id);
  expect(parseCompared(new URLSearchParams({ compare: comparedText([key, 'ben/odd']) }).get('compare') ?? '')).toEqual([
    key,
    'ben/odd',
  ]);
});

test('an address with nonsense, repetitions or too many gives what is usable', () => {
  expect(parseCompared('')).toEqual([]);
  expect(parseCompared('a,/,a/,/b,%zz,a%2Fb,a/b,c/d/e,f/g,h/i')).toEqual(['a/b', 'c/d/e', 'f/g']);
  expect(parseCompared(`a/${'b'.repeat(600)}`)).toEqual([]);
});

test('at most three are collected, and they outlive a reload of the page', () => {
  const { getState } = newStore();
  for (const key of ['a/1', 'a/2', 'a/3', 'a/4', 'a/2']) getState().toggleCompared(key);
  expect(getState().compared).toEqual(['a/1', 'a/3']);
  expect(newStore().getState().compared).toEqual(['a/1', 'a/3']);
  getState().setCompared([]);
  expect(newStore().getState().compared).toEqual([]);
  sessionStorage.setItem('robot-desktop.compared', '{"x":');
  expect(newStore().getState().compared).toEqual([]);
});
