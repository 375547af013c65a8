/**
 * Setup of every test file that vitest runs: gives it a temporary folder of its own, and fails the file when something of it
 * is left after its last test: a file there, a timer, a server, a socket, a watched file, or a process, also one that a child
 * left behind. The files of a worker share its process, so what one leaves would meet the next.
 */
import { beforeAll, type WorkerGlobalState } from 'vitest';
import { watchTestFile } from './leftovers.ts';

// An `exit` event never comes: vitest ends its workers by a signal.
const { onCleanup } = (globalThis as unknown as { __vitest_worker__: WorkerGlobalState }).__vitest_worker__;
const watch = watchTestFile(onCleanup);
// A function that `beforeAll` returns runs after the file's own hooks, and this one, registered first, after the file's own such functions.
beforeAll(() => async () => {
  const found = await watch.end();
  if (found.length > 0) throw new Error(`After its last test, this file leaves ${found.join(', ')}.`);
});
