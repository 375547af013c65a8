import { expect, test } from 'vitest';
import { AntennaTouchDetector } from './antenna-touch-detector.ts';

const ASLEEP = [-3.05, 3.05] as const;

/** Samples ten times a second; each row is the antennas' position and the number of samples. */
function watch(rows: readonly { looks: number; by?: readonly [number, number]; idle?: boolean; commanded?: number }[]) {
  const detector = new AntennaTouchDetector();
  const touches: string[] = [];
  let look = 0;
  for (const { looks, by = [0, 0], idle = true, commanded = 0 } of rows) {
    for (let i = 0; i < looks; i++) {
      const touched = detector.detect({
        measured: [ASLEEP[0] + by[0], ASLEEP[1] - by[1]],
        commanded: [ASLEEP[0] + commanded, ASLEEP[1]],
        idle,
        nowS: look++ / 10,
      });
      if (touched) touches.push(`${touched} at ${(look - 1) / 10}`);
    }
  }
  return touches;
}

test('a push of a quarter of a radian is a touch, one of less is not', () => {
  expect(watch([{ looks: 15 }, { looks: 1, by: [0.26, 0] }])).toEqual(['right at 1.5']);
  expect(watch([{ looks: 15 }, { looks: 1, by: [0, 0.26] }])).toEqual(['left at 1.5']);
  expect(watch([{ looks: 15 }, { looks: 5, by: [0.24, 0.24] }])).toEqual([]);
});

test('one push is one touch until the antenna is back', () => {
  const push = { looks: 3, by: [0.5, 0] } as const;
  expect(watch([{ looks: 15 }, push, { looks: 2, by: [0.15, 0] }, push, { looks: 2, by: [0.05, 0] }, push])).toEqual([
    'right at 1.5',
    'right at 2.5',
  ]);
});

test('nothing is a touch before the antennas have rested for a second, since they sag', () => {
  const sag = Array.from({ length: 20 }, (_, index) => ({ looks: 1, by: [0.05 * index, 0] as const }));
  expect(watch([...sag, { looks: 5, by: [0.95, 0] }])).toEqual([]);
  expect(watch([{ looks: 9 }, { looks: 3, by: [0.5, 0] }])).toEqual([]);
});

test('a commanded motion is no touch, and the antennas must rest again', () => {
  expect(watch([{ looks: 15 }, { looks: 1, by: [0.5, 0], commanded: 0.1 }])).toEqual([]);
  expect(watch([{ looks: 15 }, { looks: 1, commanded: 0.1 }, { looks: 5 }, { looks: 2, by: [0.5, 0] }])).toEqual([]);
});

test('a robot that is not idle reports no touch', () => {
  expect(watch([{ looks: 15 }, { looks: 5, by: [0.5, 0], idle: false }])).toEqual([]);
});

test('an antenna left in another position by a hand rests there, and can be pushed from there', () => {
  const elsewhere = { looks: 15, by: [0.8, 0] } as const;
  expect(watch([{ looks: 15 }, elsewhere, { looks: 2, by: [1.2, 0] }])).toEqual(['right at 1.5', 'right at 3']);
});
