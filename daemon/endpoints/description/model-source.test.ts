import { expect, test } from 'vitest';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { modelSource } from './model-source.ts';

function sourceOf(image: object, skipRepoDownload = false) {
  const llamacpp = { url: 'engines/llamacpp:cpu', modelPath: '/repository', ...image };
  const { model, experimentalFeatures } = partsNamed('chat');
  const framework = 'llamacpp';
  const wanted = { ...model, repository: 'ada/tiny', revision: 'main', framework, image: { llamacpp } } as const;
  return modelSource({ model: wanted, experimentalFeatures: { ...experimentalFeatures, skipRepoDownload } });
}
const repository = { source: 'repository', repository: 'ada/tiny', revision: 'main', mmproj: null, draft: null };

test.each<[object, object]>([
  [{ modelPath: '/repository/q4/a.gguf' }, { model: 'q4/a.gguf' }],
  [{ modelPath: 'q4/a.gguf' }, { model: 'q4/a.gguf' }],
  [{ modelPath: '/repository', variant: '*Q4*.gguf' }, { model: '*Q4*.gguf' }],
  [{ modelPath: '/repository/' }, { model: '*.gguf' }],
  [
    { modelPath: '/repository/a.gguf', mmprojModelPath: '/repository/v.gguf', specModelPath: 'd.gguf' },
    { model: 'a.gguf', mmproj: 'v.gguf', draft: 'd.gguf' },
  ],
])('%j names files of the repository', (image, files) => expect(sourceOf(image)).toEqual({ ...repository, ...files }));

test.each(['/etc/passwd', '../a.gguf', '/repository/../../a.gguf', '/repositoryx/a.gguf'])(
  '%s is outside the repository',
  (modelPath) =>
    expect(sourceOf({ modelPath })).toMatchObject({ source: 'none', problem: expect.stringContaining('outside') }),
);

test('with skipRepoDownload the paths are those of this machine', () => {
  const image = { modelPath: '/home/ada/a.gguf', mmprojModelPath: '/home/ada/v.gguf' };
  expect(sourceOf(image, true)).toEqual({
    ...{ source: 'own', model: '/home/ada/a.gguf', mmproj: '/home/ada/v.gguf', draft: null },
  });
  expect(sourceOf({ modelPath: 'a.gguf' }, true)).toMatchObject({ problem: expect.stringContaining('absolute path') });
});
