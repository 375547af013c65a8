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
