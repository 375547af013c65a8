/**
 * The fixture that all journeys have: gives each worker a temporary folder of its own, and fails the run when something is left
 * after its last journey: a file there, a child process, or a server. Timers and sockets do not count, since Playwright has some.
 * It names the journeys of a worker that fails.
 */
import { test as base } from '@playwright/test';
import { watchLeftovers } from '../scripts/suites/leftovers.ts';

export const test = base.extend<object, { nothingLeft: undefined }>({
  // `auto` sets it up before the other fixtures of the worker, the browser too, and takes it down after them.
  nothingLeft: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => {
      const watch = watchLeftovers(['ProcessWrap', 'TCPServerWrap', 'PipeServerWrap']);
      await use(undefined);
      const found = await watch.end();
      if (found.length > 0) throw new Error(`After its last journey, this worker leaves ${found.join(', ')}.`);
    },
    { scope: 'worker', auto: true },
  ],
});
