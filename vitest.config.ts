import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/suites/longest-first.ts';

/** More files than cores run at once, since tests wait more than they compute. */
const maxWorkers = 3;
/** A deadline for a test that hangs, far above the time on a busy machine: no test fails because the machine is slow. */
const testTimeout = 60_000;
/** How long tests wait for a condition. */
const waitLimit = { setupFiles: ['daemon/testing/wait-limit.ts'], expect: { poll: { timeout: 50_000 } } };
/** The files of a worker share its modules and its page, since loading them takes longer than most tests. No module keeps state. */
const isolate = false;

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...waitLimit,
          name: 'unit',
          environment: 'node',
          maxWorkers,
          isolate,
          testTimeout,
          hookTimeout: testTimeout,
          include: ['{daemon,electron,scripts}/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts', '**/*.kills.test.ts', 'node_modules/**'],
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'renderer',
          environment: 'jsdom',
          maxWorkers,
          isolate,
          testTimeout,
          hookTimeout: testTimeout,
          include: ['renderer/**/*.test.{ts,tsx}'],
          setupFiles: [...waitLimit.setupFiles, 'renderer/testing/setup.ts'],
          expect: waitLimit.expect,
        },
      },
      {
        test: {
          ...waitLimit,
          name: 'integration',
          environment: 'node',
          // These tests start programs that need a core. With four files at once an emulated robot could be so late that its
          // motors counted as lost.
          maxWorkers: 3,
          maxConcurrency: 3,
          sequence: { groupOrder: 1 },
          // Loading the daemon's sources for each file takes longer than most of its tests. No test replaces a module, and
          // no module keeps state.
          isolate: false,
          include: ['{bench,daemon,electron,scripts}/**/*.{integration,kills}.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          globalSetup: ['e2e/global-setup.ts'],
        },
      },
    ],
  },
});
