import { expect, test } from 'vitest';
import { orphanedParts } from './window-processes.ts';

const main = (pid: number) => ({ pid, parent: 1, isPart: false });
const part = (pid: number, parent: number) => ({ pid, parent, isPart: true });

test('the parts of a browser that has ended are orphaned, also those that other parts have started', () => {
  expect(orphanedParts([part(20, 1), part(21, 20), part(22, 900)])).toEqual([20, 21, 22]);
});

test('an instance of the program keeps its parts, and is none itself', () => {
  expect(orphanedParts([main(10), part(11, 10), part(12, 11), part(20, 1)])).toEqual([20]);
});
