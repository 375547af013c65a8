import { expect, test } from 'vitest';
import { partsNamed, pendingSince } from '../testing/models/some-endpoints.ts';
import { modelUsers } from './model-users.ts';
import { neverServed } from './records/endpoint-record.ts';
import { noSecrets } from './records/endpoint-secrets.ts';

const recordOf = (image: object, skipRepoDownload: boolean, namespace = 'lab') => ({
  namespace,
  endpoint: {
    ...partsNamed('chat', {
      model: { repository: 'ada/tiny', revision: 'main', framework: 'llamacpp', image },
      experimentalFeatures: { skipRepoDownload },
    }),
    status: pendingSince('2026-11-22T12:00:00.000Z'),
  },
  ...{ reasons: [], sealed: noSecrets, ...neverServed, life: [] },
});

const userOf = (image: object, skipRepoDownload = false) => modelUsers([recordOf(image, skipRepoDownload)])[0] ?? null;

test('of two users with one name, each is named with its namespace', () => {
  const image = { custom: { url: 'x' } };
  const users = modelUsers([recordOf(image, false), recordOf(image, false, 'home')]);
  expect(users.map(({ endpoint }) => endpoint)).toEqual(['lab/chat', 'home/chat']);
});

test('an endpoint uses the files of the hub that its image names', () => {
  expect(userOf({ llamacpp: { url: 'x', modelPath: 'q4.gguf', mmprojModelPath: '/repository/v.gguf' } })).toEqual({
    endpoint: 'chat',
    repository: 'ada/tiny',
    revision: 'main',
    files: ['q4.gguf', 'v.gguf'],
  });
});

test('an engine in a container uses the whole repository', () => {
  const whole = { endpoint: 'chat', repository: 'ada/tiny', revision: 'main', files: 'all' };
  expect(userOf({ vLLM: { url: 'engines/vllm:gpu' } })).toEqual(whole);
  expect(userOf({ custom: { url: 'x' } })).toEqual(whole);
});

test("a user's own file, an engine that downloads by itself, and the hub's containers use none", () => {
  expect(userOf({ llamacpp: { url: 'x', modelPath: '/home/ada/m.gguf' } }, true)).toBeNull();
  expect(userOf({ custom: { url: 'x' } }, true)).toBeNull();
  expect(userOf({ hub: {} })).toBeNull();
});
