import { expect, test } from 'vitest';
import type { ContainerExit } from '../../containers/container-engine.ts';
import { containerFailure } from './container-exit.ts';

const failureOf = (
  exit: Partial<ContainerExit>,
  lines: readonly string[] = ['a line'],
  usedBytes: number | null = null,
  limitBytes: number | null = 2e9,
) =>
  containerFailure(
    { code: null, how: 'exited', isOutOfMemory: false, ...exit },
    { lines, memory: { limitBytes, usedBytes }, engine: 'Podman 4.3.1' },
  );

test.each<[Partial<ContainerExit>, string, string]>([
  [{ code: 137, isOutOfMemory: true }, 'no-memory', 'because it took too much memory. It might take 2.0 GB.'],
  [{ code: 137 }, 'crashed', 'was killed (exit code 137) by the system or another program.'],
  [{ code: 3 }, 'crashed', 'ended with exit code 3.'],
  [{ how: 'removed' }, 'container-engine', 'Somebody removed the container'],
  [{ how: 'paused' }, 'container-engine', 'Somebody paused the container'],
  [{ how: 'engine-gone' }, 'container-engine', 'Podman 4.3.1 ended, and the container with it.'],
])('%j is %s', (exit, reason, text) => {
  const failure = failureOf(exit);
  expect(failure).toMatchObject({ reason, message: expect.stringContaining(text), evidence: ['a line'] });
  expect(failure.action).toMatch(/^[A-Z].*\.$/);
});

test.each<[number | null, number | null, boolean, string]>([
  [33e6, 2e9, false, 'crashed'],
  [1.7e9, 2e9, false, 'no-memory'],
  [null, 2e9, false, 'crashed'],
  [33e6, null, false, 'crashed'],
  [null, null, false, 'crashed'],
  [33e6, 2e9, true, 'no-memory'],
])('killed with %d bytes in use of %d, by want of memory %j: %s', (usedBytes, limitBytes, isOutOfMemory, reason) => {
  expect(failureOf({ code: 137, isOutOfMemory }, [], usedBytes, limitBytes).reason).toBe(reason);
});

test('a container that somebody killed is reported with what it had used', () => {
  expect(failureOf({ code: 137 }, [], 33e6)).toMatchObject({
    message:
      'The container was killed (exit code 137) by the system or another program: when last measured, it used 33 MB of the 2.0 GB that it might take.',
    action: 'Resume the endpoint. If it happens again, close other programs, so that more memory is free.',
  });
});

test.each([
  ['api_server.py: error: unrecognized arguments: --nope', 'invalid-setting'],
  ["error: unexpected argument '--nope' found", 'invalid-setting'],
  ['torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.', 'no-memory'],
  ['ValueError: No available memory for the cache blocks.', 'no-memory'],
  ["ValueError: Model architectures ['Some'] are not supported for now.", 'model-unsupported'],
  ['but Transformers does not recognize this architecture.', 'model-unsupported'],
  ['RuntimeError: Failed to infer device type', 'no-runtime'],
  ['huggingface_hub.errors.GatedRepoError: 401 Client Error.', 'hub'],
])('the line "%s" of an engine says more than its exit code', (line, reason) => {
  expect(failureOf({ code: 1 }, ['before', line, 'after'])).toMatchObject({ reason, evidence: ['before', line] });
});
