import { expect, test } from 'vitest';
import type { ModelFile } from '../contract/model-files/model-files.ts';
import { checkModelFiles } from './model-file-checks.ts';

const file: ModelFile = {
  ...{ id: 'f1', repository: 'ada/tiny', commit: 'a'.repeat(40), path: 'q4.gguf', location: '/models/q4.gguf' },
  ...{ bytes: 5, totalBytes: 9, state: 'partial', lastUsedAt: null, users: [] },
};

test('a part of a file is removed; parts of a repository lie beside whole files, and are named', () => {
  expect(checkModelFiles([file])).toMatchObject([
    {
      code: 'model-partial',
      what: 'A partial download of q4.gguf of ada/tiny, which no endpoint uses.',
      fix: { kind: 'remove', paths: ['/models/q4.gguf.part', '/models/q4.gguf.part.json'] },
    },
  ]);
  expect(checkModelFiles([{ ...file, path: '.', location: '/models' }])).toMatchObject([
    {
      code: 'model-partial',
      what: 'A partial download of all files of ada/tiny, which no endpoint uses.',
      fix: { kind: 'by-hand', how: 'To remove it: robot-daemon model rm f1' },
    },
  ]);
});

test('files in use are left alone', () => {
  const users = ['chat'];
  expect(
    checkModelFiles([
      { ...file, users },
      { ...file, users, state: 'complete', path: '.' },
    ]),
  ).toEqual([]);
});
