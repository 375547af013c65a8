import type { Browser, Locator } from '@playwright/test';
import { type BenchDaemon, startBenchDaemon } from '../harness/bench-daemon.ts';
import { launchChromium } from '../harness/chromium.ts';
import { monotonicMs } from '../harness/clock.ts';
import { EventReader } from '../harness/event-reader.ts';
import { type Figure, NotMeasurable, row } from '../harness/figure.ts';
import { summary } from '../harness/samples.ts';

const MOST_CLICKS = 2;
const MOST_S = 6;
const MS_PER_S = 1_000;

/** The clicks of a new owner until the robot moves, and the wait. The sample that is tried needs no network. */
export const firstRun: Figure = {
  name: 'first-run',
  measures:
    'on a new data folder, by an owner who reads nothing: from the opening of the dashboard, which prepares the tools of installs, to the first motion of the robot by the sample that Home offers',
  beside: null,
  measure: async ({ quick }) => {
    await using browser = await launchChromium();
    const runs: Run[] = [];
    for (let turn = 0; turn < (quick ? 1 : 5); turn++) runs.push(await run(browser));
    const of = (pick: (one: Run) => number) => ({ ours: summary(runs.map(pick)), beside: null });
    return [
      row(
        'first-run, clicks',
        'clicks',
        of(({ clicks }) => clicks),
        () => ({ text: `≤ ${MOST_CLICKS}`, most: MOST_CLICKS }),
      ),
      row(
        'first-run, to a moving robot',
        's',
        of(({ sinceOpenedS }) => sinceOpenedS),
        () => ({ text: `≤ ${MOST_S} s`, most: MOST_S }),
      ),
      row(
        'first-run, from the last click to a moving robot',
        's',
        of(({ sinceClickS }) => sinceClickS),
      ),
    ];
  },
};

interface Run {
  readonly clicks: number;
  readonly sinceOpenedS: number;
  readonly sinceClickS: number;
}

/** One run on a daemon of its own: a second one would find the tools that the first has prepared. */
async function run(browser: Browser): Promise<Run> {
  await using daemon = await startBenchDaemon();
  await using context = await browser.newContext();
  const page = await context.newPage();
  let clicks = 0;
  let clickedMs = 0;
  const click = async (control: Locator) => {
    clicks += 1;
    clickedMs = monotonicMs();
    await control.click();
  };
  const openedMs = monotonicMs();
  await page.goto(daemon.url);
  const tryIt = page.getByRole('button', { name: /^Try it: / });
  await tryIt.waitFor();
  // After the page: the daemon prepares the tools for whoever listens.
  await using events = await EventReader.open(daemon.url);
  const moving = events.next((event) => event.type === 'robot.changed' && !event.robot.atDefault, 'a moving robot');
  const [{ atMs }] = await Promise.all([moving, click(tryIt)]).catch(async (error: unknown) => {
    throw (await withoutPython(daemon)) ?? error;
  });
  return { clicks, sinceOpenedS: (atMs - openedMs) / MS_PER_S, sinceClickS: (atMs - clickedMs) / MS_PER_S };
}

/** The reason for a machine on which no app can be installed; null: it is another one. */
async function withoutPython(daemon: BenchDaemon): Promise<NotMeasurable | null> {
  const [newest] = await daemon.call('listJobs');
  return newest?.failure?.reason === 'python-missing' ? new NotMeasurable(newest.failure.message) : null;
}
