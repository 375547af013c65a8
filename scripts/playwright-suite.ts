import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildRenderer } from './build-renderer.ts';
import { prepareChromium } from './chromium.ts';
import { runProgram, type Suite } from './suites.ts';

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

/** The journeys in a real browser. */
export const playwrightSuite: Suite = {
  name: 'journeys in a browser',
  run: async () => {
    const chromium = prepareChromium();
    await buildRenderer();
    const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-report-'));
    const file = join(folder, 'report.json');
    try {
      const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(chromium ? { CHROMIUM_PATH: chromium } : {}) };
      const code = await runProgram('playwright', ['test', '--project=web', '--reporter=list,json'], env);
      const { stats } = JSON.parse(await readFile(file, 'utf8')) as PlaywrightReport;
      const failed = stats.unexpected + stats.flaky;
      return { passed: stats.expected, failed: failed === 0 && code !== 0 ? 1 : failed, skipped: stats.skipped };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
