import { fixtureApp } from '../../daemon/testing/daemon/test-daemon.ts';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { launchChromium } from '../harness/chromium.ts';
import { type Figure, row } from '../harness/figure.ts';
import { longestTask } from '../harness/page/main-thread.ts';
import { summary } from '../harness/samples.ts';

const FLOODED_MS = 60_000;

/** The longest task of the page while an app writes 500,000 lines: its processor time, and how long the page did not answer. */
export const flood: Figure = {
  name: 'flood',
  measures:
    "the page's longest task, from the start of an app that writes 500,000 lines until the last is shown: processor time, and time by the clock, which others on this machine lengthen",
  beside: null,
  measure: async ({ quick }) => {
    await using browser = await launchChromium();
    await using daemon = await startBenchDaemon();
    await daemon.install(fixtureApp('floods'));
    const cpu: number[] = [];
    const wall: number[] = [];
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      const page = await browser.newPage();
      await page.goto(`${daemon.url}/#/apps/floods?tab=output`);
      const start = page.getByRole('button', { name: 'Start floods' });
      await start.waitFor();
      const { cpuMs, wallMs } = await longestTask(page, async () => {
        await start.click();
        const output = page.getByRole('log', { name: 'Output' });
        await output.getByText('flooded', { exact: true }).waitFor({ timeout: FLOODED_MS });
      });
      cpu.push(cpuMs);
      wall.push(wallMs);
      await daemon.call('stopCurrentApp');
      await page.close();
    }
    return [
      row('flood, longest task', 'ms', { ours: summary(cpu), beside: null }),
      row('flood, longest task by the clock', 'ms', { ours: summary(wall), beside: null }),
    ];
  },
};
