import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Tests wait for processes and for time to pass more than they compute: more of their files than cores run at once. */
const maxWorkers = 3;
/** A deadline for a test that hangs, far above what a busy machine needs: no test fails by how fast the machine is. */
const testTimeout = 30_000;
/** The files of a worker share its modules and its page: to load them costs more than most tests. No module keeps state. */
const isolate = false;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
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
          setupFiles: ['renderer/testing/setup.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          environment: 'node',
          // They wait for processes, robots and deadlines most of the time.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          // Loading the daemon's sources again for each file takes longer than most of these files' tests. Nothing here
          // replaces a module or keeps state in one.
          isolate: false,
          include: ['{bench,daemon,electron,scripts}/**/*.{integration,kills}.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          globalSetup: ['e2e/global-setup.ts'],
        },
      },
    ],
  },
});
