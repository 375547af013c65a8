/**
 * Setup of every test file: `vi.waitFor` may wait as long as a test. Its default limit, a second, is too short on a busy
 * machine, and no setting of vitest changes it.
 */
import { vi } from 'vitest';

/** Shorter than the time limit of a test, whose message would not name the condition. */
const WAIT_LIMIT_MS = 50_000;

const changed = Symbol.for('robot-desktop.wait-limit');
const { waitFor } = vi;
// The files of a worker share `vi`.
if (!(changed in waitFor)) {
  vi.waitFor = Object.assign(
    ((callback, options = {}) =>
      waitFor(callback, {
        timeout: WAIT_LIMIT_MS,
        ...(typeof options === 'number' ? { timeout: options } : options),
      })) satisfies typeof waitFor as typeof waitFor,
    { [changed]: true },
  );
}
