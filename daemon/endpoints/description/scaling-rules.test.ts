import { expect, test } from 'vitest';
import type { Scaling, ScalingFields } from '../../contract/compute/endpoint-compute.ts';
import { checked } from './problems.ts';
import { changedScaling, defaultScaling } from './scaling-rules.ts';

function change(before: Scaling, wanted: ScalingFields) {
  const issues: string[] = [];
  const scaling = changedScaling(before, wanted, (path, message) => issues.push(`${path.join('.')}: ${message}`));
  return { scaling, issues };
}
const awake: Scaling = { minReplica: 1, maxReplica: 2, scaleToZeroTimeout: null, measure: { pendingRequests: 2 } };
const sleepy: Scaling = { minReplica: 0, maxReplica: 2, scaleToZeroTimeout: 30, measure: null };

test.each<[string, Scaling, ScalingFields, Partial<Scaling>]>([
  ['an empty request: the defaults', defaultScaling, {}, { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15 }],
  [
    'a timeout alone: it may sleep',
    defaultScaling,
    { scaleToZeroTimeout: 5 },
    { minReplica: 0, scaleToZeroTimeout: 5 },
  ],
  ['at once', defaultScaling, { scaleToZeroTimeout: 0 }, { scaleToZeroTimeout: 0 }],
  ['null asks for the default', defaultScaling, { scaleToZeroTimeout: null }, { scaleToZeroTimeout: 15 }],
  ['none at all', defaultScaling, { maxReplica: 0 }, { minReplica: 0, maxReplica: 0, scaleToZeroTimeout: 15 }],
  ['it never sleeps', defaultScaling, { minReplica: 1 }, { minReplica: 1, scaleToZeroTimeout: null }],
  [
    'it never sleeps, in the request of stock clients',
    defaultScaling,
    { minReplica: 1, maxReplica: 1, scaleToZeroTimeout: null },
    { minReplica: 1, scaleToZeroTimeout: null },
  ],
  ['omitted fields stay', sleepy, { maxReplica: 3 }, { ...sleepy, maxReplica: 3 }],
  ['it is kept awake', sleepy, { minReplica: 2 }, { ...sleepy, minReplica: 2, scaleToZeroTimeout: null }],
  ['it may sleep again', awake, { minReplica: 0 }, { ...awake, minReplica: 0, scaleToZeroTimeout: 15 }],
  ['null is not omitted', sleepy, { scaleToZeroTimeout: null }, { ...sleepy, scaleToZeroTimeout: 15 }],
  ['the measure is removed', awake, { measure: null }, { ...awake, measure: null }],
])('%s', (_what, before, wanted, after) => {
  expect(change(before, wanted)).toEqual({ scaling: { ...defaultScaling, ...after }, issues: [] });
});

test.each<[ScalingFields, Scaling['measure']]>([
  [{ metric: 'hardwareUsage', threshold: 80 }, { hardwareUsage: 80 }],
  [{ metric: 'pendingRequests', threshold: 1.5 }, { pendingRequests: 1.5 }],
  [{ metric: 'pendingRequests', threshold: null }, { pendingRequests: null }],
  [{ metric: 'hardwareUsage' }, { hardwareUsage: null }],
  [{ metric: 'hardwareUsage', threshold: 80, measure: { pendingRequests: 3 } }, { pendingRequests: 3 }],
  [{ metric: 'hardwareUsage', threshold: 80, measure: { pendingRequests: null } }, { pendingRequests: null }],
  [{ metric: 'hardwareUsage', threshold: 80, measure: { hardwareUsage: null } }, { hardwareUsage: 80 }],
  [{ threshold: 80, measure: { hardwareUsage: null } }, { hardwareUsage: 80 }],
  [{ metric: 'hardwareUsage', threshold: 80, measure: null }, { hardwareUsage: 80 }],
  [{ metric: null, threshold: null, measure: null }, null],
  [{ threshold: null }, null],
  [{ measure: { hardwareUsage: null } }, { hardwareUsage: null }],
])('%j is the measure %j, without the deprecated fields', (wanted, measure) => {
  expect(change(defaultScaling, wanted)).toEqual({ scaling: { ...defaultScaling, measure }, issues: [] });
});

const busy: Scaling['measure'] = { hardwareUsage: 70 };
test.each<[ScalingFields, Scaling['measure']]>([
  [{}, busy],
  [{ threshold: 55 }, { hardwareUsage: 55 }],
  [{ threshold: 0 }, { hardwareUsage: 0 }],
  [{ metric: null, threshold: 55 }, { hardwareUsage: 55 }],
  [{ metric: 'hardwareUsage', threshold: 55 }, { hardwareUsage: 55 }],
  [{ metric: 'pendingRequests', threshold: 55 }, { pendingRequests: 55 }],
  [{ metric: 'hardwareUsage' }, busy],
  [{ metric: 'hardwareUsage', threshold: null }, { hardwareUsage: null }],
  [{ metric: 'pendingRequests' }, { pendingRequests: null }],
  [{ metric: null, threshold: null }, busy],
  [{ threshold: 55, measure: { pendingRequests: 4 } }, { pendingRequests: 4 }],
  [{ threshold: 55, measure: { pendingRequests: null } }, { pendingRequests: 55 }],
  [{ measure: null }, null],
])('%j changes a measure of 70 %% to %j', (wanted, measure) => {
  expect(change({ ...sleepy, measure: busy }, wanted)).toEqual({ scaling: { ...sleepy, measure }, issues: [] });
});

const unknown = 'It is not known what this threshold is for: send measure instead, such as {"hardwareUsage": 80}.';
test.each<[Scaling, ScalingFields, string]>([
  [defaultScaling, { threshold: 80 }, unknown],
  [defaultScaling, { metric: null, threshold: 0 }, unknown],
  [{ ...sleepy, measure: busy }, { measure: null, threshold: 80 }, unknown],
  [{ ...sleepy, measure: busy }, { threshold: 101 }, 'A hardware usage is at most 100 percent.'],
  [defaultScaling, { threshold: 101, measure: { hardwareUsage: null } }, 'A hardware usage is at most 100 percent.'],
])('a threshold that cannot be read is an issue: %j with %j', (before, wanted, message) => {
  expect(change(before, wanted).issues).toEqual([`threshold: ${message}`]);
});

test.each<[string, Scaling, ScalingFields, string[]]>([
  [
    'a minReplica above maxReplica',
    defaultScaling,
    { minReplica: 3, maxReplica: 2 },
    ['minReplica: minReplica, 3, is more than maxReplica, 2.'],
  ],
  [
    'a minReplica above the default maxReplica',
    defaultScaling,
    { minReplica: 2 },
    ['minReplica: minReplica, 2, is more than maxReplica, 1 (not in the request).'],
  ],
  [
    'a maxReplica below the current minReplica',
    awake,
    { maxReplica: 0 },
    ['maxReplica: minReplica, 1 (not in the request), is more than maxReplica, 0.'],
  ],
  [
    'a timeout with a minReplica above 0',
    defaultScaling,
    { minReplica: 1, scaleToZeroTimeout: 15 },
    ['scaleToZeroTimeout: scaleToZeroTimeout needs a minReplica of 0; it is 1.'],
  ],
  [
    'a timeout for an endpoint that never sleeps',
    awake,
    { scaleToZeroTimeout: 15 },
    ['scaleToZeroTimeout: scaleToZeroTimeout needs a minReplica of 0; it is 1 (not in the request).'],
  ],
  [
    'all at once',
    defaultScaling,
    { minReplica: 2, maxReplica: 1, scaleToZeroTimeout: 0, metric: 'hardwareUsage', threshold: 101 },
    [
      'minReplica: minReplica, 2, is more than maxReplica, 1.',
      'scaleToZeroTimeout: scaleToZeroTimeout needs a minReplica of 0; it is 2.',
      'threshold: A hardware usage is at most 100 percent.',
    ],
  ],
])('%s is refused', (_what, before, wanted, issues) => {
  expect(change(before, wanted).issues).toEqual(issues);
});

test('all problems are reported in one error; without problems nothing is thrown', () => {
  expect(checked(() => 'read')).toBe('read');
  const wrong = () =>
    checked((addIssue) => {
      addIssue(['a'], 'One is wrong.');
      addIssue(['b', 0], 'Another is too.');
    });
  expect(wrong).toThrow(
    expect.objectContaining({
      message: 'One is wrong. Another is too.',
      issues: [
        { path: ['a'], message: 'One is wrong.' },
        { path: ['b', 0], message: 'Another is too.' },
      ],
    }),
  );
});
