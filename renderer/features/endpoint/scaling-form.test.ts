import { expect, test } from 'vitest';
import { endpoint } from '../../testing/model-fixtures.ts';
import { changeOf, fieldOf, problemsOf, valuesOf } from './scaling-form.ts';

const before = endpoint('ours');
const values = valuesOf(before);

test('unchanged settings are no change; only what differs is sent', () => {
  expect(changeOf(values, before)).toBeNull();
  expect(changeOf({ ...values, type: 'public' }, before)).toEqual({ type: 'public' });
  expect(changeOf({ ...values, scaleToZeroTimeout: ' 7 ' }, before)).toEqual({
    compute: { scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 7 } },
  });
  // One that always runs has no time until it sleeps.
  expect(changeOf({ ...values, minReplica: '1' }, before)).toEqual({
    compute: { scaling: { minReplica: 1, maxReplica: 1, scaleToZeroTimeout: null } },
  });
});

test.each([
  [{ minReplica: '' }, ['minReplica']],
  [{ minReplica: '1.5' }, ['minReplica']],
  [{ minReplica: '2' }, ['maxReplica']],
  [{ maxReplica: '-1' }, ['maxReplica']],
  [{ maxReplica: '99999999999' }, ['maxReplica']],
  [{ scaleToZeroTimeout: 'x' }, ['scaleToZeroTimeout']],
  [{ minReplica: '1', scaleToZeroTimeout: 'x' }, []],
])('%o has problems at %o', (change, fields) => {
  expect(Object.keys(problemsOf({ ...values, ...change }))).toEqual(fields);
});

test('an issue of the daemon belongs to the field that its path ends with', () => {
  expect(fieldOf({ path: ['compute', 'scaling', 'maxReplica'], message: '' })).toBe('maxReplica');
  expect(fieldOf({ path: ['model'], message: '' })).toBeUndefined();
});
