import { expect, test } from 'vitest';
import { movableClock } from './movable-clock.ts';

test('the clock moves until the work is over, and no longer than its limit', async () => {
  const clock = movableClock();
  await clock.during(new Promise<void>((resolve) => clock.after(5_000, resolve)));
  const limited = movableClock(20);
  await expect(limited.during(new Promise(() => {}))).rejects.toThrow('The work is not over after 20 ms.');
});
