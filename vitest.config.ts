import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { findRealPrograms } from './scripts/environment/real-programs.ts';
import { icons } from './scripts/page-icons.ts';
import { FileOrder } from './scripts/suites/file-order.ts';

/** More files than cores run at once, since tests wait more than they compute. */
const maxWorkers = 3;
/** A deadline for a test that hangs, far above the time on a busy machine: no test fails because the machine is slow. */
const testTimeout = 60_000;
/** They set how long tests wait for a condition, measure each file, and look for what it leaves behind. */
const setupFiles = [
  'daemon/testing/wait-limit.ts',
  'scripts/suites/measured-file.ts',
  'scripts/suites/nothing-left.ts',
];
const expect = { poll: { timeout: 50_000 } };
/** The files of a worker share its modules and its page, since loading them takes longer than most tests. No module keeps state. */
const isolate = false;
const inNode = { setupFiles, expect, environment: 'node', isolate } as const;
/** The workers inherit it, also of a run of one file. */
findRealPrograms();

const rooms = '{bench,daemon,electron,scripts}/**';

export default defineConfig({
  test: {
    sequence: { sequencer: FileOrder },
    projects: [
      {
        test: {
          ...inNode,
          name: 'unit',
          maxWorkers,
          testTimeout,
          hookTimeout: testTimeout,
          include: [`${rooms}/*.test.ts`],
          exclude: ['**/*.{integration,torture,kills}.test.ts', 'node_modules/**'],
        },
      },
      {
        plugins: [react(), icons()],
        test: {
          name: 'renderer',
          environment: 'jsdom',
          maxWorkers,
          isolate,
          testTimeout,
          hookTimeout: testTimeout,
          include: ['renderer/**/*.test.{ts,tsx}'],
          setupFiles: [...setupFiles, 'renderer/testing/setup.ts'],
          expect,
        },
      },
      {
        // The daemon in the process of the test.
        test: {
          ...inNode,
          name: 'integration',
          maxWorkers,
          testTimeout,
          hookTimeout: testTimeout,
          include: [`${rooms}/*.integration.test.ts`],
        },
      },
      {
        // Real programs, which need dist/ and the tools that install apps.
        test: {
          ...inNode,
          name: 'torture',
          // With four files at once an emulated robot could be so late that its motors counted as lost.
          maxWorkers: 3,
          maxConcurrency: 3,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          include: [`${rooms}/*.{torture,kills}.test.ts`],
          globalSetup: ['scripts/prepare-tests.ts'],
          sequence: { groupOrder: 1 }, // after the others, in a run of all projects
          tags: [
            { name: 'smoke', description: 'one real program of each kind: the part of torture that npm test runs' },
          ],
        },
      },
    ],
  },
});
