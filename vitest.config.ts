import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['{daemon,electron,scripts}/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts', '**/*.kills.test.ts', 'node_modules/**'],
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'renderer',
          environment: 'jsdom',
          include: ['renderer/**/*.test.{ts,tsx}'],
          setupFiles: ['renderer/testing/setup.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          environment: 'node',
          include: ['{bench,daemon,electron,scripts}/**/*.integration.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          globalSetup: ['daemon/testing/prepare-tools.ts'],
        },
      },
      {
        test: {
          name: 'kills',
          environment: 'node',
          include: ['daemon/**/*.kills.test.ts'],
          testTimeout: 3 * 60 * 60_000,
          globalSetup: ['daemon/testing/prepare-tools.ts'],
        },
      },
    ],
  },
});
