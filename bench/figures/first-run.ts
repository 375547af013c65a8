import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Locator } from '@playwright/test';
import { type BenchDaemon, startBenchDaemon } from '../harness/bench-daemon.ts';
import { launchChromium } from '../harness/chromium.ts';
import { monotonicMs } from '../harness/clock.ts';
import { EventReader } from '../harness/event-reader.ts';
import { type Figure, NotMeasurable, OTHER_CHECKOUT, row } from '../harness/figure.ts';
import { summaries, takeTurns } from '../harness/samples.ts';

const MOST_CLICKS = 2;
const MOST_S = 6;
/** Of an install whose tools are prepared, and of the start. */
const MOST_AFTER_CLICK_S = 3;
/** The time in which somebody reads the first screen, and the tools are prepared. */
const READING_MS = 15_000;
const MS_PER_S = 1_000;

/** The clicks of a new owner until the robot moves, and the wait. The sample that is tried needs no network. */
export const firstRun: Figure = {
  name: 'first-run',
  measures: `on a new data folder: from the opening of the dashboard, which prepares the tools of installs, to the first motion of the robot by the sample that Home offers; by an owner who clicks at once, and from the first click of one who reads for ${READING_MS / MS_PER_S} s before`,
  beside: OTHER_CHECKOUT,
  measure: async ({ quick, besideDir }) => {
    await using browser = await launchChromium();
    const runs = (readsMs: number) =>
      takeTurns(
        quick ? 1 : 4,
        () => run(browser, readsMs),
        besideDir === null ? null : () => run(browser, readsMs, besideDir),
      );
    const atOnce = await runs(0);
    const afterReading = await runs(READING_MS);
    const atMost = (most: number, unit = '') => ({ text: `≤ ${most}${unit}`, most });
    return [
      row(
        'first-run, clicks',
        'clicks',
        summaries(atOnce, ({ clicks }) => clicks),
        () => atMost(MOST_CLICKS),
      ),
      row(
        'first-run, to a moving robot',
        's',
        summaries(atOnce, ({ sinceOpenedS }) => sinceOpenedS),
        () => atMost(MOST_S, ' s'),
      ),
      row(
        'first-run, from the click to a moving robot',
        's',
        summaries(afterReading, ({ sinceClickS }) => sinceClickS),
        () => atMost(MOST_AFTER_CLICK_S, ' s'),
      ),
    ];
  },
};

interface Run {
  readonly clicks: number;
  readonly sinceOpenedS: number;
  /** Since the click that installs. */
  readonly sinceClickS: number;
}

/** One run on a daemon of its own: a second one would find the tools that the first has prepared. */
async function run(browser: Browser, readsMs: number, checkout?: string): Promise<Run> {
  await using daemon = await startBenchDaemon([], undefined, checkout);
  await using context = await browser.newContext();
  const page = await context.newPage();
  const main = page.getByRole('main');
  const openedMs = monotonicMs();
  await page.goto(daemon.url);
  const tryIt = main.getByRole('button', { name: /^Try it: / });
  const install = main.getByRole('button', { name: /^Install / });
  await tryIt.or(install).first().waitFor();
  await sleep(readsMs);
  // After the page: the daemon prepares the tools for whoever listens.
  await using events = await EventReader.open(daemon.url);
  const moving = events.next((event) => event.type === 'robot.changed' && !event.robot.atDefault, 'a moving robot');
  const isOneClick = await tryIt.isVisible();
  const clickedMs = monotonicMs();
  const clicking = isOneClick ? tryIt.click() : installAndStart(install.first(), main);
  const [{ atMs }] = await Promise.all([moving, clicking]).catch(async (error: unknown) => {
    throw (await withoutPython(daemon)) ?? error;
  });
  const since = (beganMs: number) => (atMs - beganMs) / MS_PER_S;
  return { clicks: isOneClick ? 1 : 2, sinceOpenedS: since(openedMs), sinceClickS: since(clickedMs) };
}

/** As the dashboards before "Try it" want it. */
async function installAndStart(install: Locator, main: Locator): Promise<void> {
  await install.click();
  await main
    .getByRole('button', { name: /^Start / })
    .first()
    .click();
}

/** The reason for a machine on which no app can be installed; null: it is another one. */
async function withoutPython(daemon: BenchDaemon): Promise<NotMeasurable | null> {
  const [newest] = await daemon.call('listJobs');
  return newest?.failure?.reason === 'python-missing' ? new NotMeasurable(newest.failure.message) : null;
}
