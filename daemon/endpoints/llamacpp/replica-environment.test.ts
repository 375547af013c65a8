import { expect, test } from 'vitest';
import { replicaEnvironment } from './replica-environment.ts';

test('the shell’s own settings for llama.cpp and the hub do not reach a replica; the endpoint’s allowed ones do', () => {
  const base = { PATH: '/bin', LLAMA_ARG_API_KEY: 'k', LLAMA_CACHE: '/c', HF_TOKEN: 't', CUDA_VISIBLE_DEVICES: '1' };
  const variables = { LLAMA_ARG_TOP_K: '4', CUDA_VISIBLE_DEVICES: '0', LD_PRELOAD: '/evil.so', PATH: '/evil' };
  expect(replicaEnvironment(base, variables)).toEqual({
    env: { PATH: '/bin', LLAMA_ARG_TOP_K: '4', CUDA_VISIBLE_DEVICES: '0' },
    notes: [
      "Not passed on: A model's process takes only variables that begin with LLAMA_, GGML_, CUDA_, OMP_; LD_PRELOAD does not.",
      "Not passed on: A model's process takes only variables that begin with LLAMA_, GGML_, CUDA_, OMP_; PATH does not.",
    ],
  });
});

test('what selects the graphics card of its place is not changed by the endpoint', () => {
  const card = { variables: { GGML_VK_VISIBLE_DEVICES: '1' } };
  const { env } = replicaEnvironment({}, { GGML_VK_VISIBLE_DEVICES: '5', GGML_X: 'y' }, card);
  expect(env).toEqual({ GGML_VK_VISIBLE_DEVICES: '1', GGML_X: 'y' });
});

test('the value of a secret is not in the notes', () => {
  const { notes } = replicaEnvironment({}, { GGML_X: '/very/secret', HF_TOKEN: 'hidden' });
  expect(notes.join()).not.toMatch(/very|hidden/);
});
