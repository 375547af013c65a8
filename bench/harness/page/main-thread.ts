import type { Page } from '@playwright/test';

/** The longest task of a page's main thread, in ms. */
export interface LongestTask {
  /** Its processor time: without the time in which the machine ran something else. */
  readonly cpuMs: number;
  /** Its time by the clock: how long the page did not answer. */
  readonly wallMs: number;
}

/** An event of the browser's tracing. Times are in µs. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Measures the tasks of the main threads of a page's browser, whose only page it should be. */
export async function longestTask(page: Page, during: () => Promise<void>): Promise<LongestTask> {
  const events = await trace(page, during);
  const mainThreads = new Set(
    events.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? `${pid} ${tid}` : [],
    ),
  );
  let [cpu, wall] = [0, 0];
  for (const { name, pid, tid, dur = 0, tdur = 0 } of events) {
    if (name !== 'ThreadControllerImpl::RunTask' || !mainThreads.has(`${pid} ${tid}`)) continue;
    cpu = Math.max(cpu, tdur);
    wall = Math.max(wall, dur);
  }
  return { cpuMs: cpu / 1_000, wallMs: wall / 1_000 };
}

async function trace(page: Page, during: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const devtools = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { recordMode: 'recordUntilFull', includedCategories: ['toplevel'], excludedCategories: ['*'] },
  });
  await during();
  await devtools.send('Tracing.end');
  await complete;
  return events;
}
