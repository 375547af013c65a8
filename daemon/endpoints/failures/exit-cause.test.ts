import { expect, test } from 'vitest';
import { exitFailure } from './exit-cause.ts';

const failed = { code: 1, signal: null };

test.each([
  [failed, ['error: invalid argument: --nope'], 'invalid-setting'],
  [failed, ['ggml_aligned_malloc: failed to allocate 99.0 MB'], 'no-memory'],
  [failed, ["llama_model_load: error loading model: unknown model architecture: 'x'"], 'model-unsupported'],
  [failed, ["error loading model: tensor 'a' data is not within the file bounds"], 'model-damaged'],
  [failed, ['failed to load model, x.gguf'], 'model-damaged'],
  [{ code: null, signal: 'SIGKILL', isOutOfMemory: true }, ['all slots are idle'], 'no-memory'],
  [{ code: null, signal: 'SIGKILL', isOutOfMemory: false }, ['all slots are idle'], 'crashed'],
  [{ code: null, signal: 'SIGKILL' }, ['all slots are idle'], 'crashed'],
  [{ code: null, signal: 'SIGILL' }, [], 'crashed'],
  [{ code: null, signal: 'SIGSEGV' }, ['all slots are idle'], 'crashed'],
  [{ code: 7, signal: null }, [], 'crashed'],
] as const)('%j after %j is %s', (exit, log, reason) => {
  const failure = exitFailure(exit, log);
  expect(failure.reason).toBe(reason);
  expect(`${failure.message} ${failure.action}`).toMatch(/^[A-Z].*\.$/);
  expect(failure.evidence).toEqual(log);
});

test.each([
  ['the runner', 'The model cannot be served: The graphics card is out of memory: 12 MiB are free.', 'no-card-memory'],
  ['Vulkan', 'ggml_vulkan: Device memory allocation of size 99 failed.', 'no-card-memory'],
  ['Vulkan, later', 'vk::Queue::submit: ErrorOutOfDeviceMemory', 'no-card-memory'],
  ['a buffer of Vulkan', 'llama_model_load: error loading model: unable to allocate Vulkan0 buffer', 'no-card-memory'],
  ['CUDA', 'ggml_backend_cuda_buffer_type_alloc_buffer: cudaMalloc failed: out of memory', 'no-card-memory'],
  ['Metal', 'unable to allocate MTL0 buffer', 'no-card-memory'],
  ['the buffers of the machine', 'unable to allocate CPU buffer', 'no-memory'],
  ['a card that was reset', "terminate called after throwing an instance of 'vk::DeviceLostError'", 'graphics-card'],
  ['a card that is gone', 'vk::Queue::submit: ErrorDeviceLost', 'graphics-card'],
  ['a card that no longer answers', 'The model cannot be served: No graphics card answers.', 'graphics-card'],
  ['the engines of containers', 'torch.OutOfMemoryError: CUDA out of memory.', 'no-memory'],
])('what %s says about the graphics card is told apart', (_whose, line, reason) => {
  expect(exitFailure({ code: null, signal: 'SIGABRT' }, [line, 'and more']).reason).toBe(reason);
});

test.each([
  ['SIGSEGV', true, 'graphics-card'],
  ['SIGBUS', true, 'graphics-card'],
  ['SIGFPE', true, 'graphics-card'],
  ['SIGABRT', true, 'crashed'], // by which llama.cpp gives up, and says why
  ['SIGILL', true, 'crashed'],
  ['SIGKILL', true, 'crashed'],
  ['SIGSEGV', false, 'crashed'],
] as const)('%s is blamed on the driver where a graphics card is used: %s', (signal, usesCard, reason) => {
  const failure = exitFailure({ code: null, signal, usesCard }, ['all slots are idle']);
  expect([failure.reason, failure.evidence]).toEqual([reason, ['all slots are idle']]);
});

test('a cause in the log counts more than the signal on a graphics card', () => {
  const log = ['ggml_aligned_malloc: failed to allocate 99.0 MB'];
  expect(exitFailure({ code: null, signal: 'SIGSEGV', usesCard: true }, log).reason).toBe('no-memory');
});

test('the evidence ends with the line that shows the cause, at most 12 lines', () => {
  const lines = Array.from({ length: 30 }, (_, index) => (index === 20 ? 'failed to allocate' : `line ${index}`));
  const { evidence } = exitFailure(failed, lines);
  expect([evidence.length, evidence.at(-1)]).toEqual([12, 'failed to allocate']);
});

test('the evidence shows the cause of an abort, not the stack that a debugger prints after it', () => {
  const cause = 'get_sub_batch: failed to add token 2 at index 1';
  const stack = Array.from({ length: 20 }, (_, index) => `#${index}  0x00007f88474a6efe in ?? ()`);
  const log = [cause, '', '[New LWP 410]', '0x00007f88474a6efe in ?? () from libc.so.6', ...stack];
  const failure = exitFailure({ code: null, signal: 'SIGABRT' }, [...log, '[Inferior 1 (process 9) detached]']);
  expect(failure.evidence).toEqual([cause]);
});

test.each([
  [true, 'because memory ran out'],
  [false, 'was killed (SIGKILL) by the system or another program.'], // earlyoom and systemd-oomd kill without the kernel
])('a process that was killed, for want of memory: %s', (isOutOfMemory, text) => {
  expect(exitFailure({ code: null, signal: 'SIGKILL', isOutOfMemory }, []).message).toContain(text);
});
