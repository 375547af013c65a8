import { expect, test } from 'vitest';
import { Catalog } from '../catalog/catalog.ts';
import { type LocalLimits, withLocalLimits } from '../catalog/compute/local-programs.ts';
import { HubError } from '../hub/errors.ts';
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
  paths: readonly string[] | null,
  lacks: Partial<LocalLimits> = {},
) {
  const [offer = machine] = withLocalLimits([machine], { ...limits, ...lacks });
  const wanted = { ...minimalRequest('a').model, repository: 'ada/own', image: { hub: {} }, ...model };
  return localImage(wanted, offer, {
    catalog: { load: () => Catalog.of(smallCatalog) },
    hub: {
      resolveModel: async () => 'c'.repeat(40),
      files: async () => {
        if (paths === null) throw new HubError('unreachable', 'The hub cannot be reached.', 'Try again.');
        return paths.map((path) => ({ path }) as never);
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
    expect(String(refused)).toContain('Choose a repository with a .gguf file, or send the image');
  }
});

test('it stays open where the hub does not tell what the repository holds', async () => {
  expect(await imageFor({}, null)).toEqual({ hub: {} });
});
