import { expect, test } from 'vitest';
import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import { changeOf } from './change.ts';
import { scalingText } from './look.ts';

const scaling: Scaling = { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15, measure: null };
const withScaling = (change: Partial<Scaling>) => {
  const instance = { accelerator: 'cpu', id: null, instanceType: 'host', instanceSize: 'x1' } as const;
  return { compute: { ...instance, scaling: { ...scaling, ...change } } };
};
const before = withScaling({});

test.each([
  [{}, {}],
  [
    { minReplicas: 0, maxReplicas: 3, sleepAfter: 0 },
    { compute: { scaling: { minReplica: 0, maxReplica: 3, scaleToZeroTimeout: 0 } } },
  ],
  [
    { balance: 'mcp', cache: 'off' },
    { experimentalFeatures: { mcpLb: { stateful: true } }, cacheHttpResponses: false },
  ],
  [
    { balance: 'sticky', access: 'public' },
    { experimentalFeatures: { loadBalancer: 'sticky', mcpLb: null }, type: 'public' },
  ],
  [{ measure: 'hardware', threshold: 60 }, { compute: { scaling: { measure: { hardwareUsage: 60 } } } }],
  [{ measure: 'requests' }, { compute: { scaling: { measure: { pendingRequests: null } } } }],
  [
    { pages: 'http://localhost:1, https://a.example ' },
    { allowedOrigins: ['http://localhost:1', 'https://a.example'] },
  ],
  [{ pages: '' }, { allowedOrigins: [] }],
  [{ threshold: 2.5 }, { compute: { scaling: { measure: { pendingRequests: 2.5 } } } }],
] as const)('the options %o ask for the change %o', (options, change) => {
  expect(changeOf(options, before)).toEqual(change);
});

test('a threshold alone is one of the measure that the endpoint has; a percentage is at most 100', () => {
  const measured = withScaling({ measure: { hardwareUsage: null } });
  expect(changeOf({ threshold: 40 }, measured)).toEqual({ compute: { scaling: { measure: { hardwareUsage: 40 } } } });
  expect(() => changeOf({ threshold: 101 }, measured)).toThrow('--threshold needs a percentage from 0 to 100');
});

test.each([
  [{}, '0 to 1, asleep after 15 min without requests'],
  [{ minReplica: 1, maxReplica: 3, scaleToZeroTimeout: null }, '1 to 3, another one above 1.5 requests each'],
  [{ minReplica: 2, maxReplica: 2, scaleToZeroTimeout: null }, 'always 2'],
  [
    { maxReplica: 4, measure: { hardwareUsage: 60 } },
    '0 to 4, another one above 60 % of the hardware, asleep after 15 min without requests',
  ],
])('the scaling %o is "%s"', (change, text) => {
  expect(scalingText({ ...scaling, ...change })).toBe(text);
});
