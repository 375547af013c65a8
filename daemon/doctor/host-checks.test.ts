import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataPaths } from '../shared/files/data-paths.ts';
import { checkTemporaryFolder, findingsOfHost, type HostState } from './host-checks.ts';

const paths = dataPaths('/data');
const healthy: HostState = {
  disk: { freeBytes: 50 * 1024 ** 3 },
  hub: { url: 'https://hub.example', answers: true },
  packageIndex: { answers: true },
};
const codes = (change: Partial<HostState>) =>
  findingsOfHost({ ...healthy, ...change }, { paths }).map(({ code, severity }) => [code, severity]);

test('a machine that is online with free disk space has no findings, also if the index was not requested', () => {
  expect(codes({})).toEqual([]);
  expect(codes({ packageIndex: { answers: null } })).toEqual([]);
});

test('a nearly full disk is broken, being offline is a note', () => {
  expect(codes({ disk: { freeBytes: 100 * 1024 ** 2 } })).toEqual([['disk-nearly-full', 'broken']]);
  expect(codes({ hub: { ...healthy.hub, answers: false }, packageIndex: { answers: false } })).toEqual([
    ['hub-offline', 'note'],
    ['index-offline', 'note'],
  ]);
});

test('a folder for temporary files in which nothing can be created is broken; nothing is left in one that works', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'host-checks-'));
  expect(await checkTemporaryFolder(folder.path)).toEqual([]);
  expect(await readdir(folder.path)).toEqual([]);
  await writeFile(join(folder.path, 'file'), '');
  for (const [name, code] of [
    ['nothing', 'ENOENT'],
    ['file', 'ENOTDIR'],
  ]) {
    expect(await checkTemporaryFolder(join(folder.path, name as string))).toMatchObject([
      { code: 'temporary-folder', severity: 'broken', what: expect.stringContaining(`(${code})`) },
    ]);
  }
});
