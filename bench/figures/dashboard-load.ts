import type { Browser } from '@playwright/test';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { launchChromium } from '../harness/chromium.ts';
import { type Figure, OTHER_CHECKOUT, row } from '../harness/figure.ts';
import { summaries, takeTurns } from '../harness/samples.ts';
import { usableIn } from './time-to-interactive.ts';

/** A small computer beside this one. */
const SLOWER = 4;
const BYTES_PER_KIB = 1024;
/** A task that blocks the page for longer counts with what is above it: web.dev/articles/tbt. */
const LONG_TASK_MS = 50;

/** The bytes that a browser on a slow machine gets, and its work, until the dashboard shows the robot. */
export const dashboardLoad: Figure = {
  name: 'dashboard-load',
  measures: `Chromium ${SLOWER} times slower, cold cache: from navigation to the first snapshot on the page`,
  beside: OTHER_CHECKOUT,
  measure: async ({ quick, besideDir }) => {
    await using browser = await launchChromium();
    await using daemon = await startBenchDaemon();
    await using other = besideDir === null ? null : await startBenchDaemon([], undefined, besideDir);
    const taken = await takeTurns(
      quick ? 2 : 15,
      () => load(browser, daemon.url),
      other && (() => load(browser, other.url)),
    );
    const of = (pick: (one: Load) => number) => summaries(taken, pick);
    const atMost = (most: number, unit: string) => () => ({ text: `≤ ${most} ${unit}`, most });
    return [
      row(
        'dashboard-load, first paint',
        'ms',
        of(({ paintMs }) => paintMs),
        atMost(1_000, 'ms'),
      ),
      row(
        'dashboard-load, blocking time',
        'ms',
        of(({ blockedMs }) => blockedMs),
        atMost(300, 'ms'),
      ),
      row(
        'dashboard-load, as sent',
        'KiB',
        of(({ kib }) => kib),
        atMost(200, 'KiB'),
      ),
    ];
  },
};

interface Load {
  readonly paintMs: number;
  readonly blockedMs: number;
  /** Of all answers, headers too. */
  readonly kib: number;
}

async function load(browser: Browser, url: string): Promise<Load> {
  await using context = await browser.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(recordLongTasks);
  await usableIn(page, url);
  const kib = bytes / BYTES_PER_KIB;
  return { kib, ...(await page.evaluate(readTimes, LONG_TASK_MS)) };
}

/** Runs in the page, before its scripts. */
function recordLongTasks(): void {
  const tasks: PerformanceEntry[] = [];
  Object.assign(globalThis, { longTasks: tasks });
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });
}

/** Runs in the page. */
function readTimes(longTaskMs: number): { readonly paintMs: number; readonly blockedMs: number } {
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const { longTasks } = globalThis as unknown as { readonly longTasks: readonly PerformanceEntry[] };
  const blockedMs = longTasks.reduce((sum, { duration }) => sum + Math.max(0, duration - longTaskMs), 0);
  return { paintMs: paint?.startTime ?? Number.NaN, blockedMs };
}
