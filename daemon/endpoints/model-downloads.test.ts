import { expect, test } from 'vitest';
import { buildCatalog } from '../catalog/catalog.ts';
import { CatalogItemNotFound } from '../catalog/errors.ts';
import { HubError } from '../hub/errors.ts';
import { ModelFileError } from '../model-files/errors.ts';
import type { WantedModel } from '../model-files/model-choice.ts';
import type { DownloadSize } from '../model-files/model-files.ts';
import type { WantedRevision } from '../model-files/revision-choice.ts';
import { createLogger } from '../shared/logger.ts';
import { smallCatalog } from '../testing/models/small-catalog.ts';
import { modelDownloads } from './model-downloads.ts';

const catalog = await buildCatalog(
  smallCatalog,
  createLogger('error', () => {}),
);

const slow = new HubError('stalled', 'The hub did not answer within 4 seconds.');

function downloads({
  kind = 'embedded' as 'embedded' | 'remote',
  sizes = {} as Record<string, DownloadSize | HubError | ModelFileError>,
  freeBytes = 1e9 as number | null,
} = {}) {
  const asked: WantedRevision[] = [];
  const modelFiles = {
    downloadSize: async (wanted: WantedModel) => {
      asked.push(wanted);
      return sizes[wanted.model] ?? slow;
    },
    repositorySize: async (wanted: WantedRevision) => {
      asked.push(wanted);
      return sizes[wanted.repository] ?? slow;
    },
    disk: async () => (freeBytes === null ? null : { folder: '/models', freeBytes }),
    lackingBytes: (missing: number, free: number) => Math.max(0, missing - free),
  };
  const deps = { catalog: { kind, load: async () => catalog }, modelFiles };
  return { asked, of: (author: string, model: string) => modelDownloads(author, model, deps) };
}

const possible = { problem: null, isBlocked: false };
const unknown = { problem: { message: slow.message, action: slow.action }, isBlocked: false };

test('each recipe that can be served here has its size on the hub, else the estimate of the catalog', async () => {
  const { asked, of } = downloads({ sizes: { 'tiny-q4.gguf': { totalBytes: 2e9, missingBytes: 1.5e9 } } });
  expect(await of('ada', 'Tiny-GGUF')).toEqual({
    recipes: [
      { publicId: 'tiny-q4', totalBytes: 2e9, isExact: true, missingBytes: 1.5e9, lackingBytes: 5e8, ...possible },
      { publicId: 'tiny-q8', totalBytes: 400_000, isExact: false, missingBytes: 400_000, lackingBytes: 0, ...unknown },
      {
        publicId: 'tiny-neuron',
        totalBytes: 400_000,
        isExact: false,
        missingBytes: 400_000,
        lackingBytes: 0,
        ...unknown,
      },
    ],
    disk: { folder: '/models', freeBytes: 1e9 },
  });
  expect(asked).toEqual([
    { repository: 'ada/Tiny-GGUF', revision: null, model: 'tiny-q4.gguf', mmproj: null, draft: null },
    { repository: 'ada/Tiny-GGUF', revision: 'b2c3', model: 'q8/tiny-q8.gguf', mmproj: null, draft: null },
    { repository: 'ada/Tiny-GGUF', revision: null },
  ]);
  const eyes = downloads();
  await eyes.of('ada', 'Eyes-GGUF');
  expect(eyes.asked).toMatchObject([{ mmproj: 'mmproj.gguf' }]);
});

test('what is known against a download is told, and whether the download is certain to fail', async () => {
  const problemOf = async (error: HubError | ModelFileError) => {
    const { recipes } = await downloads({ sizes: { 'tiny-q4.gguf': error } }).of('ada', 'Tiny-GGUF');
    return recipes[0];
  };
  expect(await problemOf(new HubError('unreachable', 'The hub cannot be reached (ENOTFOUND).'))).toEqual({
    ...{ publicId: 'tiny-q4', totalBytes: 400_000, isExact: false, missingBytes: 400_000, lackingBytes: 0 },
    problem: { message: 'The hub cannot be reached (ENOTFOUND).', action: 'Check the network, then try again.' },
    isBlocked: true,
  });
  expect(await problemOf(new HubError('not-found', 'The hub has no such model.'))).toMatchObject({
    problem: { message: 'The hub has no such model.', action: 'Check the name.' },
    isBlocked: true,
  });
  expect(await problemOf(new HubError('auth', 'This account has no access.'))).toMatchObject({ isBlocked: true });
  const missing = new ModelFileError('missing', 'The model has no such file.', 'Choose another recipe.');
  expect(await problemOf(missing)).toMatchObject({ problem: { message: missing.message }, isBlocked: true });
  expect(await problemOf(new HubError('broken', 'The hub has an internal problem.'))).toMatchObject({
    isBlocked: false,
  });
});

test('an unknown disk leaves unknown whether it fits', async () => {
  const { recipes, disk } = await downloads({ freeBytes: null }).of('ada', 'Tiny-GGUF');
  expect(disk).toBeNull();
  expect(recipes.map(({ lackingBytes }) => lackingBytes)).toEqual([null, null, null]);
});

test('an engine in a container reads the whole repository', async () => {
  const { asked, of } = downloads({ sizes: { 'ada/Elsewhere': { totalBytes: 3e8, missingBytes: 0 } } });
  expect((await of('ada', 'Elsewhere')).recipes).toEqual([
    { publicId: 'elsewhere-tei', totalBytes: 3e8, isExact: true, missingBytes: 0, lackingBytes: 0, ...possible },
  ]);
  expect(asked).toEqual([{ repository: 'ada/Elsewhere', revision: null }]);
});

test('nothing is downloaded for the recipes of a remote catalog', async () => {
  const remote = downloads({ kind: 'remote' });
  expect(await remote.of('ada', 'Tiny-GGUF')).toMatchObject({ recipes: [] });
  expect(remote.asked).toEqual([]);
  await expect(downloads().of('ada', 'Nothing')).rejects.toThrow(CatalogItemNotFound);
});
