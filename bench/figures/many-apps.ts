import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { launchChromium } from '../harness/chromium.ts';
import { type Figure, row } from '../harness/figure.ts';
import { longestTask } from '../harness/page/main-thread.ts';
import { summary } from '../harness/samples.ts';
import { writeInstalledApps } from './list-apps.ts';

const APPS = 500;
const AIM_MS = 100;

/** Whether many installed apps slow the page down. */
export const manyApps: Figure = {
  name: 'many-apps',
  measures: `the page's longest task with ${APPS} installed apps: while the list is opened, scrolled and searched, and while one is started, which fails: processor time, and time by the clock`,
  beside: null,
  measure: async ({ quick }) => {
    await using browser = await launchChromium();
    await using daemon = await startBenchDaemon([], (dataDir) => writeInstalledApps(join(dataDir, 'apps'), APPS));
    const opened = { cpu: [] as number[], wall: [] as number[] };
    const started = { cpu: [] as number[], wall: [] as number[] };
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      const page = await browser.newPage();
      await page.goto(`${daemon.url}/#/`);
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      for (const [taken, does] of [
        [opened, open],
        [started, start],
      ] as const) {
        const { cpuMs, wallMs } = await longestTask(page, () => does(page));
        taken.cpu.push(cpuMs);
        taken.wall.push(wallMs);
      }
      await page.close();
    }
    const aim = () => ({ text: `≤ ${AIM_MS} ms`, most: AIM_MS });
    const ours = (samples: readonly number[]) => ({ ours: summary(samples), beside: null });
    return [
      row('many apps opened, longest task', 'ms', ours(opened.cpu), aim),
      row('many apps opened, longest task by the clock', 'ms', ours(opened.wall)),
      row('one of many apps started, longest task', 'ms', ours(started.cpu), aim),
      row('one of many apps started, longest task by the clock', 'ms', ours(started.wall)),
    ];
  },
};

/** By selectors of CSS: a search by role takes time of the page's own thread, which is measured. */
async function open(page: Page): Promise<void> {
  const last = page.locator('.app-card').nth(APPS - 1);
  const search = page.locator('main search input');
  await page.locator('a[href="#/apps"]').first().click();
  await last.waitFor({ state: 'attached' });
  for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 400);
  await search.pressSequentially('app 49');
  await last.waitFor({ state: 'detached' });
  await search.clear();
  await last.waitFor({ state: 'attached' });
}

/** Its environment is empty, so the daemon refuses the start once it has begun. */
async function start(page: Page): Promise<void> {
  await page.locator('[aria-label="Start App 1"]').click();
  await page.locator('main [role="alert"]').waitFor();
  await page.locator('main [role="alert"] [aria-label="Dismiss this message"]').click();
}
