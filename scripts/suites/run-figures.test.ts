import { expect, test } from 'vitest';
import { tooExpensive } from './run-figures.ts';

const file = (name: string, processorS: number) => ({ file: name, processorS, durationS: 1, processes: 0 });

test('a file above ten processor seconds says why in its first line, one above thirty belongs in torture', () => {
  const read = (name: string) =>
    name === 'stated.test.ts' ? '/** Real disks that are full. */' : "import { test } from 'x'";
  const files = [
    file('cheap.test.ts', 10),
    file('stated.test.ts', 29),
    file('silent.test.ts', 11),
    file('expensive.test.ts', 31),
    file('smoke.torture.test.ts', 40),
  ];
  expect(tooExpensive(files, read)).toEqual([
    'silent.test.ts takes 11 processor seconds: say why in its first lines.',
    'expensive.test.ts takes 31 processor seconds: it belongs in torture.',
  ]);
});
