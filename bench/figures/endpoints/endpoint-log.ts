import { type Figure, row } from '../../harness/figure.ts';
import { heapBytes } from '../../harness/page/heap.ts';
import { longestTask } from '../../harness/page/main-thread.ts';
import { summary } from '../../harness/samples.ts';
import { type EndpointPage, openEndpointPage } from './endpoint-page.ts';

const AIM_MS = 100;
const LINES = 100_000;
/** How many lines a model server writes at once, and the time between. */
const PORTION = 5_000;
const PAUSE_MS = 100;

/** Whether a long log of an endpoint slows its page down, or fills its memory. */
export const endpointLog: Figure = {
  name: 'endpoint-log',
  measures: `Chromium, the page of an endpoint: the page's longest task while its log grows by ${LINES.toLocaleString('en')} lines, and while they are searched and paged through: processor time, and time by the clock; and its memory after half of the lines and after all`,
  beside: null,
  measure: async ({ quick }) => {
    await using log = await openEndpointPage('log');
    const half = quick ? PORTION : LINES / 2;
    await log.writeLog(`${line(0)}\n`);
    await shown(log, line(0));
    const memory = [await heapBytes(log.page)];
    const tasks = [await longestTask(log.page, () => grow(log, 1, half))];
    memory.push(await heapBytes(log.page));
    tasks.push(await longestTask(log.page, () => grow(log, half + 1, 2 * half)));
    memory.push(await heapBytes(log.page));
    const search = await longestTask(log.page, () => searchIn(log, 2 * half));
    const aim = () => ({ text: `≤ ${AIM_MS} ms`, most: AIM_MS });
    const one = (value: number) => ({ ours: summary([value]), beside: null });
    const [before = 0, middle = 0, end = 0] = memory.map((bytes) => bytes / 1e6);
    return [
      row('endpoint log, longest task', 'ms', one(Math.max(...tasks.map(({ cpuMs }) => cpuMs))), aim),
      row('endpoint log, longest task by the clock', 'ms', one(Math.max(...tasks.map(({ wallMs }) => wallMs)))),
      row('endpoint log, longest task of a search', 'ms', one(search.cpuMs), aim),
      row('endpoint log, longest task of a search by the clock', 'ms', one(search.wallMs)),
      row('endpoint log, memory before it grows', 'MB', one(before)),
      row('endpoint log, memory after half of the lines', 'MB', one(middle)),
      row('endpoint log, memory after all lines', 'MB', one(end)),
    ];
  },
};

async function grow(log: EndpointPage, first: number, last: number): Promise<void> {
  for (let from = first; from <= last; from += PORTION) {
    const lines = Array.from({ length: Math.min(PORTION, last + 1 - from) }, (_, at) => line(from + at));
    await log.writeLog(`${lines.join('\n')}\n`);
    await log.page.waitForTimeout(PAUSE_MS);
  }
  await shown(log, line(last));
}

/** A line like those of llama-server; every tenth tells of an error. */
const line = (number: number) =>
  `0.04.031.766 ${number % 10 === 0 ? 'E' : 'I'} slot 0 | task ${number} | prompt evaluated, 42.5 tokens a second`;

async function searchIn({ page }: EndpointPage, last: number): Promise<void> {
  await page.getByRole('switch', { name: 'Errors only' }).click();
  await page.getByText(/matches in/).waitFor();
  await page.getByRole('switch', { name: 'Errors only' }).click();
  await page.getByRole('textbox', { name: 'Search the output' }).pressSequentially('slot 0');
  const status = page.getByText(/^[\d,]+ to [\d,]+ of [\d,]+ matches in/);
  await status.waitFor();
  await page.locator('mark').last().waitFor();
  const newest = (await status.textContent()) ?? '';
  await page.getByRole('button', { name: 'Earlier lines' }).click();
  await page.getByText(newest, { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await page.getByText(line(last), { exact: true }).waitFor();
}

const shown = ({ page }: EndpointPage, text: string) => page.getByText(text, { exact: true }).waitFor();
