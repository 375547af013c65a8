import { expect, test, vi } from 'vitest';
import { lazy } from './lazy.ts';

test('the work runs at the first call, once for all callers', async () => {
  const work = vi.fn(async () => 7);
  const value = lazy(work);
  expect(work).not.toHaveBeenCalled();
  expect(await Promise.all([value(), value()])).toEqual([7, 7]);
  expect(await value()).toBe(7);
  expect(work).toHaveBeenCalledTimes(1);
});

test('every waiting caller gets the failure, and the next call runs the work again', async () => {
  const value = lazy(vi.fn(async () => 7).mockRejectedValueOnce(new Error('no memory')));
  const outcomes = await Promise.allSettled([value(), value()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await value()).toBe(7);
});
