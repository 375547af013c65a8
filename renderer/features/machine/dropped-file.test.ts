import { expect, test } from 'vitest';
import { readDrop } from './dropped-file.ts';

function drop({ files = [] as File[], text = '', uris = '', isFolder = false } = {}) {
  const item = { webkitGetAsEntry: () => ({ isDirectory: isFolder }) };
  return readDrop({
    files: files as unknown as FileList,
    items: files.map(() => item) as unknown as DataTransferItemList,
    getData: (type) => (type === 'text/uri-list' ? uris : type === 'text/plain' ? text : ''),
  });
}
const file = (name: string, content = 'GGUF and more') => new File([content], name);

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
