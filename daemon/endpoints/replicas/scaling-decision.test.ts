import { expect, test } from 'vitest';
import {
  decideReplicas,
  loadMeasure,
  neededReplicas,
  replicaLimits,
  type ScalingSituation,
  scalingText,
} from './scaling-decision.ts';

const situation = (more: Partial<ScalingSituation> = {}): ScalingSituation => ({
  limits: { min: 1, max: 4 },
  measure: loadMeasure(null),
  ...{ count: 1, ready: more.count ?? 1, room: null, canMeasure: true, recent: 0, highest: null, blocked: null },
  ...more,
});
const decided = (more: Partial<ScalingSituation>) => decideReplicas(situation(more));

test.each<[number, string, Partial<ScalingSituation>]>([
  [1, 'no load', {}],
  [1, 'what one replica takes', { recent: 1.5 }],
  [2, 'a little more', { recent: 1.6 }],
  [2, 'more than two take, at first', { recent: 4.4 }],
  [3, 'more than two take, then', { count: 2, recent: 4.4 }],
  [2, 'more, while one is being started', { count: 2, ready: 1, recent: 4.4 }],
  [4, 'more than there may be', { count: 3, recent: 40 }],
  [3, 'more than the memory has room for', { count: 2, room: 1, recent: 40 }],
  [2, 'more, with no memory left', { count: 2, room: 0, recent: 40 }],
  [3, 'less, but for less than five minutes', { count: 3, recent: 0 }],
  [3, 'less, but not all the time', { count: 3, recent: 0, highest: 3.1 }],
  [2, 'less for five minutes', { count: 3, recent: 0, highest: 2.3 }],
  [1, 'none for five minutes', { count: 3, recent: 0, highest: 0 }],
  [2, 'as much as two take with nothing to spare', { count: 2, recent: 1.4, highest: 1.5 }],
  [2, 'a load that is not known', { count: 2, recent: null, highest: null }],
  [2, 'more, while one has failed', { count: 2, recent: 9, blocked: 'No memory.' }],
  [1, 'less, while one has failed', { count: 2, recent: 0, highest: 0, blocked: 'No memory.' }],
  [3, 'none, with a minimum', { limits: { min: 3, max: 5 }, count: 3, recent: 0, highest: 0 }],
  [3, 'a minimum that was raised', { limits: { min: 3, max: 5 }, count: 1 }],
  [2, 'a maximum that was lowered', { limits: { min: 1, max: 2 }, count: 4, recent: 9 }],
  [2, 'any request with a threshold of 0', { measure: loadMeasure({ pendingRequests: 0 }), recent: 0.1 }],
  [
    4,
    'any request with a threshold of 0, then',
    { measure: loadMeasure({ pendingRequests: 0 }), count: 2, recent: 0.1 },
  ],
  [1, 'no request with a threshold of 0', { measure: loadMeasure({ pendingRequests: 0 }), recent: 0, highest: 0 }],
  [2, 'busy processors', { measure: loadMeasure({ hardwareUsage: null }), recent: 99 }],
  [1, 'processors within the threshold', { measure: loadMeasure({ hardwareUsage: null }), recent: 80 }],
])('%i replicas for %s', (count, _name, more) => expect(decided(more)).toBe(count));

test('the limits and the thresholds of the settings, and the hub’s where there are none', () => {
  expect(replicaLimits({ minReplica: 0, maxReplica: 1 })).toEqual({ min: 1, max: 1 });
  expect(replicaLimits({ minReplica: 2, maxReplica: 9 })).toEqual({ min: 2, max: 9 });
  expect(loadMeasure(null)).toEqual({ of: 'pendingRequests', threshold: 1.5 });
  expect(loadMeasure({ pendingRequests: null })).toEqual({ of: 'pendingRequests', threshold: 1.5 });
  expect(loadMeasure({ pendingRequests: 6 })).toEqual({ of: 'pendingRequests', threshold: 6 });
  expect(loadMeasure({ hardwareUsage: null })).toEqual({ of: 'hardwareUsage', threshold: 80 });
  expect(loadMeasure({ hardwareUsage: 35.5 })).toEqual({ of: 'hardwareUsage', threshold: 35.5 });
  expect([neededReplicas(0, 0), neededReplicas(3, 1.5), neededReplicas(3.01, 1.5)]).toEqual([0, 2, 3]);
});

test.each<[string | null, Partial<ScalingSituation>]>([
  [null, { limits: { min: 2, max: 2 }, count: 2, recent: 9 }],
  ['1 replica: the load is not known yet.', { recent: null }],
  ['1 replica: 0.4 requests at a time, at most 1.5 for each replica.', { recent: 0.43 }],
  ['2 replicas: 2 requests at a time, at most 1.5 for each replica.', { count: 2, recent: 2 }],
  ['1 replica: 1 request at a time, at most 1.5 for each replica.', { recent: 1.04 }],
  [
    '4 replicas, the most that it may have: 12.3 requests at a time, more than 1.5 for each replica.',
    { count: 4, recent: 12.3 },
  ],
  ['3 replicas: 12.3 requests at a time, more than 1.5 for each replica.', { count: 3, recent: 12.3 }],
  [
    '3 replicas, the most that the free memory has room for: 12.3 requests at a time, more than 1.5 for each replica.',
    { count: 3, room: 0, recent: 12.3 },
  ],
  ['2 replicas: 0 requests at a time; it was up to 2.5 in the last five minutes.', { count: 2, highest: 2.5 }],
  ['2 replicas: 0 requests at a time; it may have been higher in the last five minutes.', { count: 2 }],
  [
    '1 replica: 40 % of the hardware in use, at most 80 % for each replica.',
    { measure: loadMeasure({ hardwareUsage: null }), recent: 39.7 },
  ],
  ['1 replica: the use of the hardware cannot be measured here.', { canMeasure: false, recent: null }],
  [
    'No other replica is started for five minutes, because one failed. There is too little memory.',
    { limits: { min: 2, max: 2 }, blocked: 'There is too little memory.' },
  ],
])('%s', (text, more) => expect(scalingText(situation(more))).toBe(text));
