import { expect, test } from 'vitest';
import { Catalog } from '../catalog/catalog.ts';
import { type LocalLimits, withLocalLimits } from '../catalog/compute/local-programs.ts';
import { CatalogUnavailable } from '../catalog/errors.ts';
import { HubError } from '../hub/errors.ts';
import type { HubFile } from '../hub/repository-files.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import { smallCatalog } from '../testing/models/small-catalog.ts';
import { minimalRequest } from '../testing/models/some-endpoints.ts';
import { machine } from '../testing/models/some-models.ts';
import { localImage } from './local-image.ts';

const limits: LocalLimits = {
  ...{ cpu: null, gpu: null, vision: null, containers: null, containerGpu: null, canInstall: false },
  images: new Set(['tei:cpu', 'vllm:cpu']),
};

function imageFor(
  model: Partial<ReturnType<typeof minimalRequest>['model']>,
  paths: readonly string[] | HubError,
  lacks: Partial<LocalLimits> = {},
  load: () => Promise<Catalog> = async () => Catalog.of(smallCatalog),
) {
  const [offer = machine] = withLocalLimits([machine], { ...limits, ...lacks });
  const wanted = { ...minimalRequest('a').model, repository: 'ada/own', image: { hub: {} }, ...model };
  return localImage(wanted, offer, {
    catalog: { load },
    hub: {
      resolveModel: async () => 'c'.repeat(40),
      files: async () => {
        if (paths instanceof HubError) throw paths;
        return paths.map((path, at): HubFile => ({ path, size: 100 - at, sha256: null }));
      },
    },
  });
}
const llamacpp = { url: 'engines/llamacpp:cpu', modelPath: '/repository', variant: '*.gguf' };

test('a repository with .gguf files is served by llama.cpp, for its task', async () => {
  expect(await imageFor({}, ['README.md', 'q4.gguf'])).toMatchObject({ llamacpp });
  expect(await imageFor({ task: 'feature-extraction' }, ['q4.gguf'])).toMatchObject({
    llamacpp: { ...llamacpp, mode: 'embeddings' },
  });
  expect(await imageFor({ task: 'text-ranking' }, ['q4.gguf'])).toMatchObject({
    llamacpp: { ...llamacpp, mode: 'reranking', pooling: 'rank' },
  });
});

test('a model of the catalog is served as the catalog would', async () => {
  const [first] = smallCatalog;
  const { authorName, modelName, recipes } = first?.item ?? expect.fail('no model');
  const image = await imageFor({ repository: `${authorName}/${modelName}` }, []);
  const files = recipes.map(({ ggufFile }) => `/repository/${ggufFile}`);
  expect(files).toContain(image.llamacpp?.modelPath);
});

test('another repository is served by an engine in a container, where there is one', async () => {
  const files = ['model.safetensors'];
  expect(await imageFor({ task: 'text-generation' }, files)).toMatchObject({ vLLM: { url: 'engines/vllm:cpu' } });
  expect(await imageFor({ task: 'sentence-similarity' }, files)).toMatchObject({ tei: { url: 'engines/tei:cpu' } });
});

test('one that nothing here can serve is refused at its image, with what to send instead', async () => {
  const files = ['model.safetensors'];
  for (const lacks of [{ containers: 'Install Docker or Podman.' }, { images: new Set<string>() }]) {
    const refused = await imageFor({}, files, lacks).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidBody);
    expect(refused).toMatchObject({ issues: [{ path: ['model', 'image'] }] });
    expect(String(refused)).toContain('Choose a repository with a .gguf file. You can send an image');
  }
});

test('of several models, the one of the usual quantization is served, else the smallest; never a vision file', async () => {
  const chosen = async (...paths: string[]) => (await imageFor({}, paths)).llamacpp;
  expect(await chosen('a-q8_0.gguf', 'mmproj-a.gguf')).toMatchObject(llamacpp);
  expect(await chosen('a-Q8_0.gguf', 'a-Q4_K_M.gguf', 'a-Q2_K.gguf')).toMatchObject({
    modelPath: '/repository/a-Q4_K_M.gguf',
  });
  // Each file here is a byte smaller than the one before, and the parts of a model count together.
  const parts = ['b/a-q8-00002-of-00002.gguf', 'b/a-q8-00001-of-00002.gguf'];
  expect(await chosen('a-f16.gguf', ...parts)).toMatchObject({ modelPath: '/repository/a-f16.gguf' });
  expect(await chosen(...parts)).toMatchObject(llamacpp);
});

test('a task that no engine of this machine serves is refused, whatever the files are', async () => {
  for (const path of ['model.safetensors', 'model.gguf']) {
    await expect(imageFor({ task: 'text-to-image' }, [path])).rejects.toThrow(
      'This machine has no engine for the task text-to-image. You can send an image',
    );
  }
});

test('what llama.cpp lacks here is said, also for a repository with .gguf files', async () => {
  const lacks = { cpu: 'Install llama-server first.' };
  await expect(imageFor({}, ['a.gguf'], lacks)).rejects.toThrow('Install llama-server first.');
});

test('a repository that the hub does not have, or not for this account, is refused at its field', async () => {
  for (const kind of ['not-found', 'auth'] as const) {
    const refused = await imageFor({}, new HubError(kind, 'No such model.', 'Check it.')).catch((error) => error);
    expect(refused).toMatchObject({
      message: 'No such model. Check it.',
      issues: [{ path: ['model', 'repository'] }],
    });
  }
});

test('it stays open where the hub does not tell what the repository holds', async () => {
  expect(await imageFor({}, new HubError('unreachable', 'The hub cannot be reached.'))).toEqual({ hub: {} });
});

test('the hub is asked where the catalog cannot be read', async () => {
  const broken = async () => Promise.reject(new CatalogUnavailable('It does not answer.'));
  expect(await imageFor({}, ['a.gguf'], {}, broken)).toMatchObject({ llamacpp });
});
