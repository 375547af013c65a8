import { expect, test } from 'vitest';
import type { HubFile } from '../hub/repository-files.ts';
import { chooseFiles, isChosen } from './choose-files.ts';

const listing = (...paths: string[]): HubFile[] => paths.map((path) => ({ path, size: 1, sha256: null }));
const chosen = (wanted: string, ...paths: string[]) => {
  try {
    return chooseFiles(listing(...paths), wanted, 'ada/m').map(({ path }) => path);
  } catch (error) {
    const { message, action } = error as Error & { action: string };
    return `${message} ${action}`;
  }
};
const part = (at: number, total = 3, prefix = 'q/m') =>
  `${prefix}-${String(at).padStart(5, '0')}-of-${String(total).padStart(5, '0')}.gguf`;

test.each<[string, string[], string[]]>([
  ['m.gguf', ['m.gguf', 'n.gguf'], ['m.gguf']],
  ['*.gguf', ['README.md', 'm.gguf', 'mmproj-m.gguf'], ['m.gguf']],
  ['*Q4*', ['sub/m-Q4_K.gguf', 'sub/m-Q8.gguf'], ['sub/m-Q4_K.gguf']],
  ['mmproj*', ['m.gguf', 'mmproj-m.gguf'], ['mmproj-m.gguf']],
  ['q/*', [part(2), part(1), part(3)], [part(1), part(2), part(3)]],
  [part(2), [part(1), part(2), part(3), part(1, 2)], [part(1), part(2), part(3)]],
])('%s of %j is %j', (wanted, paths, expected) => expect(chosen(wanted, ...paths)).toEqual(expected));

test('without one model, the error names the choice', () => {
  expect(chosen('*', 'a.gguf', part(1), part(2), part(3))).toBe(
    `2 models in ada/m match *. Choose one of them: a.gguf, ${part(1)}.`,
  );
  expect(chosen('b.gguf', 'a.gguf', 'README.md')).toBe(
    'The model ada/m has no file b.gguf. Choose one of its files: a.gguf.',
  );
  expect(chosen('*.gguf', 'README.md')).toBe(
    'The model ada/m has no file *.gguf. Choose a repository with .gguf files.',
  );
  expect(chosen('q/*', part(1), part(3))).toBe(`The model ada/m lacks the part ${part(2)}. Choose another file.`);
});

test('a pattern with many stars is matched quickly', () => {
  expect(isChosen(`${'a'.repeat(1_000)}.gguf`, `${'a*'.repeat(100)}b`)).toBe(false);
});
