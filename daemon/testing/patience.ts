/** Setup of every test file: waiting for a condition may take as long as a test. The default, a second, is too short on a busy machine. */
import { vi } from 'vitest';

/** Less than the deadline of a test, whose message would not name the condition. */
const PATIENCE_MS = 25_000;

const patient = Symbol.for('patient');
const { waitFor } = vi;
// The files of a worker share this object.
if (!(patient in waitFor)) {
  vi.waitFor = Object.assign(
    ((callback, options = {}) =>
      waitFor(callback, {
        timeout: PATIENCE_MS,
        ...(typeof options === 'number' ? { timeout: options } : options),
      })) satisfies typeof waitFor as typeof waitFor,
    { [patient]: true },
  );
}
