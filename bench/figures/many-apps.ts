import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { launchChromium } from '../harness/chromium.ts';
import { type Figure, OTHER_CHECKOUT, row } from '../harness/figure.ts';
import { type LongestTask, longestTask } from '../harness/page/main-thread.ts';
import { summaries, takeTurns } from '../harness/samples.ts';
import { writeInstalledApps } from './list-apps.ts';

const APPS = 500;
const AIM_MS = 100;

/** Whether many installed apps slow the page down. */
export const manyApps: Figure = {
  name: 'many-apps',
  measures: `the page's longest task with ${APPS} installed apps: while the list is opened, scrolled and searched, and while one is started, which fails: processor time, and time by the clock`,
  beside: OTHER_CHECKOUT,
  measure: async ({ quick, besideDir }) => {
    await using browser = await launchChromium();
    const fill = (dataDir: string) => writeInstalledApps(join(dataDir, 'apps'), APPS);
    await using daemon = await startBenchDaemon([], fill);
    await using other = besideDir === null ? null : await startBenchDaemon([], fill, besideDir);
    const taken = await takeTurns(
      quick ? 1 : 5,
      () => visit(browser, daemon.url),
      other && (() => visit(browser, other.url)),
    );
    const aim = () => ({ text: `≤ ${AIM_MS} ms`, most: AIM_MS });
    const of = (pick: (one: Visit) => number) => summaries(taken, pick);
    return [
      row(
        'many apps opened, longest task',
        'ms',
        of(({ opened }) => opened.cpuMs),
        aim,
      ),
      row(
        'many apps opened, longest task by the clock',
        'ms',
        of(({ opened }) => opened.wallMs),
      ),
      row(
        'one of many apps started, longest task',
        'ms',
        of(({ started }) => started.cpuMs),
        aim,
      ),
      row(
        'one of many apps started, longest task by the clock',
        'ms',
        of(({ started }) => started.wallMs),
      ),
    ];
  },
};

interface Visit {
  readonly opened: LongestTask;
  readonly started: LongestTask;
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const page = await browser.newPage();
  await page.goto(`${url}/#/`);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const opened = await longestTask(page, () => open(page));
  const started = await longestTask(page, () => start(page));
  await page.close();
  return { opened, started };
}

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
