import { expect, test } from 'vitest';
import { folderOf, pathIn, typedPath } from './typed-path.ts';

test.each([
  ['/home/ann/a.gguf', '/home/ann/a.gguf'],
  [' /home/ann/a b.gguf \n/other', '/home/ann/a b.gguf'],
  ['C:\\models\\a.gguf', 'C:\\models\\a.gguf'],
  ['#note\r\nfile:///home/ann/a%20b.gguf\r\n', '/home/ann/a b.gguf'],
  ['file://localhost/models/a.gguf', '/models/a.gguf'],
  ['file:///C:/models/a.gguf', 'C:/models/a.gguf'],
  ['file://server/share/a.gguf', null],
  ['file:///%zz', null],
  ['https://example.org/a.gguf', null],
  ['a.gguf', null],
  ['', null],
])('the path in %j is %j', (text, path) => {
  expect(pathIn(text)).toBe(path);
});

test('the folder of a path', () => {
  expect(['/a/b.gguf', 'C:\\a\\b.gguf', 'b.gguf', '/a/'].map(folderOf)).toEqual(['/a/', 'C:\\a\\', '', '/a/']);
});

test.each([
  [' /m/a.gguf ', '/m/a.gguf'],
  ['"/m/my model.gguf"', '/m/my model.gguf'],
  ["'/m/my model.gguf'", '/m/my model.gguf'],
  ['"C:\\m\\a.gguf"', 'C:\\m\\a.gguf'],
  ['file:///m/my%20model.gguf', '/m/my model.gguf'],
  ['file:///C:/m/a.gguf', 'C:/m/a.gguf'],
  ['file://server/m/a.gguf', 'file://server/m/a.gguf'],
  ['"/m/a.gguf', '"/m/a.gguf'],
  ['~/a.gguf', '~/a.gguf'],
])('%s is typed for %s', (text, path) => {
  expect(typedPath(text)).toBe(path);
});
