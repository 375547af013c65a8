import { fixtureApp } from '../../daemon/testing/daemon/test-daemon.ts';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { launchChromium } from '../harness/chromium.ts';
import { type Figure, row } from '../harness/figure.ts';
import { summary } from '../harness/samples.ts';

const FLOODED_MS = 60_000;

/** The longest time that the page blocks while an app writes 500,000 lines. */
export const flood: Figure = {
  name: 'flood',
  measures: "the page's longest task, from the start of an app that writes 500,000 lines until the last is shown",
  beside: null,
  measure: async ({ quick }) => {
    await using browser = await launchChromium();
    await using daemon = await startBenchDaemon();
    await daemon.install(fixtureApp('floods'));
    const longest: number[] = [];
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      const page = await browser.newPage();
      await page.addInitScript(() => {
        const shared = globalThis as unknown as { longestTaskMs: number };
        shared.longestTaskMs = 0;
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) shared.longestTaskMs = Math.max(shared.longestTaskMs, duration);
        }).observe({ type: 'longtask' });
      });
      await page.goto(`${daemon.url}/#/apps/floods?tab=output`);
      await page.getByRole('button', { name: 'Start floods' }).click();
      const output = page.getByRole('log', { name: 'Output' });
      await output.getByText('flooded', { exact: true }).waitFor({ timeout: FLOODED_MS });
      longest.push(await page.evaluate(() => (globalThis as unknown as { longestTaskMs: number }).longestTaskMs));
      await daemon.call('stopCurrentApp');
      await page.close();
    }
    return [row('flood, longest task', 'ms', { ours: summary(longest), beside: null })];
  },
};
