import { expect, test } from 'vitest';
import { seededRandom } from '../../testing/seeded-random.ts';
import { nextRolloutStep } from './plan.ts';

test('replicas are replaced one by one: the new one first, and the next once the earlier one is gone', () => {
  const steps = [
    [
      { size: 2, leaving: 0 },
      { size: 0, ready: 0 },
    ],
    [
      { size: 2, leaving: 0 },
      { size: 1, ready: 0 },
    ],
    [
      { size: 2, leaving: 0 },
      { size: 1, ready: 1 },
    ],
    [
      { size: 1, leaving: 1 },
      { size: 1, ready: 1 },
    ],
    [
      { size: 1, leaving: 0 },
      { size: 1, ready: 1 },
    ],
    [
      { size: 1, leaving: 0 },
      { size: 2, ready: 2 },
    ],
  ] as const;
  expect(steps.map(([old, next]) => nextRolloutStep({ target: 2, old, next }))).toEqual([
    { old: 2, next: 1, isDone: false },
    { old: 2, next: 1, isDone: false },
    { old: 1, next: 1, isDone: false },
    { old: 1, next: 1, isDone: false },
    { old: 1, next: 2, isDone: false },
    { old: 0, next: 2, isDone: true },
  ]);
});

test('whatever happens to replicas, there is at most one too many, and the update ends', () => {
  const random = seededRandom(Number(process.env['TORTURE_SEED'] ?? 20_261_123));
  for (let index = 0; index < 300; index++) {
    const target = 1 + Math.floor(random() * 6);
    const old = { size: target, leaving: 0 };
    const next = { size: 0, ready: 0 };
    let isDone = false;
    for (let turn = 0; turn < 300 && !isDone; turn++) {
      const step = nextRolloutStep({ target, old, next });
      if (step.old < old.size) old.leaving += old.size - step.old;
      old.size = step.old;
      next.size = step.next;
      isDone = step.isDone;
      const sum = old.size + old.leaving + next.size;
      expect(sum).toBeLessThanOrEqual(target + 1);
      if (!isDone && turn < 100 && random() < 0.1)
        next.ready = Math.max(0, next.ready - 1); // one ends by itself
      else expect(isDone ? next.ready : old.size + next.ready).toBeGreaterThanOrEqual(isDone ? target : 0);
      if (random() < 0.5) old.leaving = Math.max(0, old.leaving - 1);
      if (random() < 0.5) next.ready = Math.min(next.size, next.ready + 1);
    }
    expect(isDone).toBe(true);
  }
});

test('without an end of new replicas as many serve as before, all the time', () => {
  for (let target = 1; target <= 6; target++) {
    const old = { size: target, leaving: 0 };
    const next = { size: 0, ready: 0 };
    for (
      let step = nextRolloutStep({ target, old, next });
      !step.isDone;
      step = nextRolloutStep({ target, old, next })
    ) {
      Object.assign(old, { size: step.old });
      next.size = step.next;
      expect(old.size + next.ready).toBe(target);
      next.ready = next.size;
    }
  }
});
