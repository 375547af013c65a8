import { expect, test } from 'vitest';
import type { EndpointEvent } from './endpoint-lifecycle.ts';
import { servedInContainer } from './endpoint-lifecycle.ts';

const replicas = { type: 'replicas', ready: 1, target: 1 } as const;
const inContainer = { ...replicas, inContainer: true };
const asProcess = { ...replicas, inContainer: false };

test.each<[before: boolean, EndpointEvent, isReady: boolean, after: boolean]>([
  [false, inContainer, true, true],
  [false, { ...inContainer, type: 'update-done' }, true, true],
  [true, asProcess, true, false],
  [true, { ...asProcess, ready: 0 }, false, true],
  [true, replicas, true, true],
  [true, { type: 'idle' }, false, true],
  [false, { type: 'resume' }, false, false],
])('before %s, after %j with ready %s: %s', (before, event, isReady, after) =>
  expect(servedInContainer(before, event, isReady)).toBe(after),
);
