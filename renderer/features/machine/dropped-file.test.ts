import { expect, test } from 'vitest';
import { folderOf, pathIn, readDrop, typedPath } from './dropped-file.ts';

function drop({ files = [] as File[], text = '', uris = '', isFolder = false } = {}) {
  const item = { webkitGetAsEntry: () => ({ isDirectory: isFolder }) };
  return readDrop({
    files: files as unknown as FileList,
    items: files.map(() => item) as unknown as DataTransferItemList,
    getData: (type) => (type === 'text/uri-list' ? uris : type === 'text/plain' ? text : ''),
  });
}
const file = (name: string, content = 'GGUF and more') => new File([content], name);

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

test('a path or an address that is dropped as text is used', async () => {
  expect(await drop({ text: '/models/a.gguf' })).toEqual({ kind: 'path', path: '/models/a.gguf' });
  expect(await drop({ uris: 'file:///models/a.gguf', files: [file('a.gguf')] })).toEqual({
    ...{ kind: 'path', path: '/models/a.gguf' },
  });
});

test('of a file only the name is known', async () => {
  expect(await drop({ files: [file('Tiny.GGUF')] })).toEqual({ kind: 'name', name: 'Tiny.GGUF' });
});

test('what is no model file is refused in words', async () => {
  const messageOf = async (options: Parameters<typeof drop>[0]) => {
    const dropped = await drop(options);
    return dropped.kind === 'unusable' ? dropped.message : dropped;
  };
  expect(await messageOf({})).toBe('That is no file. Drop a .gguf file.');
  expect(await messageOf({ text: 'hello' })).toBe('That is no file. Drop a .gguf file.');
  expect(await messageOf({ files: [file('notes.txt')] })).toBe('notes.txt is no .gguf file.');
  expect(await messageOf({ files: [file('a.gguf', 'PK')] })).toBe('a.gguf is no GGUF file, in spite of its name.');
  expect(await messageOf({ files: [file('a.gguf'), file('b.gguf')] })).toMatch(/^These are several files\./);
  expect(await messageOf({ files: [file('models')], isFolder: true })).toMatch(/^That is a folder\./);
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
