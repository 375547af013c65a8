import { expect, test, vi } from 'vitest';
import type { OutputLine, OutputPage } from '../../../daemon/contract/apps/runs.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { lines, outputPage, pose, slotHeldBy, snapshot } from '../../testing/fixtures.ts';
import { MAX_CHARACTERS, MAX_LINES } from './output-buffer.ts';

const run = { runId: 'run-1', appName: 'wave' } as const;
const appended = (newLines: OutputLine[], of = run) =>
  ({ type: 'app-output.appended', ...of, lines: newLines }) as const;

/** A daemon that has lines 1 to `last` and keeps the newest 5,000. */
function daemonWith(last: number) {
  const firstKept = Math.max(1, last - 4_999);
  return {
    getAppOutput: ({ query }: { query: { after?: number; before?: number } }) => {
      const { before = last + 1 } = query;
      const from = Math.max(query.after === undefined ? before - 500 : query.after + 1, firstKept);
      return outputPage({ ...run, firstKept, last, lines: lines(from, Math.min(before - 1, from + 499)) });
    },
  };
}

const numbers = (kept: readonly OutputLine[]) => [kept[0]?.number, kept.at(-1)?.number, kept.length];

test('lines are appended in order, and a repeated event adds none', () => {
  const { store } = testDashboard();
  store.getState().apply(appended(lines(1, 3)));
  store.getState().apply(appended(lines(1, 3)));
  store.getState().apply(appended(lines(3, 5)));
  expect(store.getState().output.lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
});

test('only the newest 2,000 lines are kept', () => {
  const { store } = testDashboard();
  for (let from = 1; from <= 5_000; from += 200) store.getState().apply(appended(lines(from, from + 199)));
  expect(numbers(store.getState().output.lines)).toEqual([3_001, 5_000, MAX_LINES]);
});

test('a gap is loaded, and the lines stay in order', async () => {
  const { store, calls } = testDashboard(daemonWith(1_300));
  store.getState().apply(appended(lines(1, 100)));
  store.getState().apply({ type: 'app-output.gap', ...run, from: 101, to: 1_100 });
  store.getState().apply(appended(lines(1_101, 1_300)));
  await vi.waitFor(() => expect(numbers(store.getState().output.lines)).toEqual([1, 1_300, 1_300]));
  expect(calls.map(({ input }) => input)).toEqual([
    { query: { after: 100 } },
    { query: { after: 600 } },
    { query: { after: 1_100 } },
  ]);
});

test('far behind, only the newest lines are loaded', async () => {
  const { store, calls } = testDashboard(daemonWith(9_000));
  store.getState().apply(appended(lines(1, 100)));
  store.getState().apply({ type: 'app-output.gap', ...run, from: 101, to: 9_000 });
  await vi.waitFor(() => expect(numbers(store.getState().output.lines)).toEqual([7_001, 9_000, MAX_LINES]));
  expect(calls).toHaveLength(4);
});

test('far behind, the lines that were received stay until newer ones replace them', async () => {
  const pages = [Promise.withResolvers<OutputPage>(), Promise.withResolvers<OutputPage>()];
  const { store, calls } = testDashboard({ getAppOutput: () => pages[calls.length - 1]?.promise });
  const kept = () => numbers(store.getState().output.lines);
  store.getState().apply(appended(lines(1, 100)));
  store.getState().apply({ type: 'app-output.gap', ...run, from: 101, to: 9_000 });
  expect(kept()).toEqual([1, 100, 100]);
  // Meanwhile the output goes on, faster than it is loaded.
  store.getState().apply({ type: 'app-output.gap', ...run, from: 9_001, to: 90_000 });
  pages[0]?.resolve(outputPage({ ...run, firstKept: 4_001, last: 9_000, lines: lines(7_001, 7_500) }));
  await vi.waitFor(() => expect(kept()).toEqual([7_001, 7_500, 500]));
  expect(calls.map(({ input }) => input)).toEqual([{ query: { after: 7_000 } }, { query: { after: 88_000 } }]);
  store.getState().apply(appended(lines(90_001, 90_100)));
  expect(kept()).toEqual([90_001, 90_100, 100]);
  pages[1]?.resolve(outputPage({ ...run, firstKept: 85_101, last: 90_100, lines: lines(88_001, 88_500) }));
  await vi.waitFor(() => expect(calls).toHaveLength(3));
  expect(calls.at(-1)?.input).toEqual({ query: { before: 90_001 } });
});

test('a snapshot has the newest page; the pages before it are loaded', async () => {
  const output = outputPage({ ...run, last: 1_200, lines: lines(701, 1_200) });
  const { store } = testDashboard(daemonWith(1_200), { output });
  await vi.waitFor(() => expect(numbers(store.getState().output.lines)).toEqual([1, 1_200, 1_200]));
});

test('long lines are bounded by their characters, and those dropped for that are not loaded again', async () => {
  const { store, calls } = testDashboard(daemonWith(400));
  const long = lines(1, 400).map((line) => ({ ...line, text: 'x'.repeat(8_192) }));
  store.getState().apply(appended(long.slice(0, 200)));
  store.getState().apply(appended(long.slice(200)));
  const inBuffer = MAX_CHARACTERS / 8_192;
  await vi.waitFor(() => expect(numbers(store.getState().output.lines)).toEqual([401 - inBuffer, 400, inBuffer]));
  expect(calls).toEqual([]);
});

test('lines that the daemon no longer has leave no gap: those after them replace the lines before', async () => {
  const firstKept = 1_001;
  const { store, calls } = testDashboard({
    getAppOutput: () => outputPage({ ...run, firstKept, last: 1_100, lines: lines(firstKept, 1_100) }),
  });
  store.getState().apply(appended(lines(1, 100)));
  store.getState().apply({ type: 'app-output.gap', ...run, from: 101, to: 1_100 });
  await vi.waitFor(() => expect(numbers(store.getState().output.lines)).toEqual([1_001, 1_100, 100]));
  expect(calls.map(({ input }) => input)).toEqual([{ query: { after: 100 } }]);
});

test('pages that are short, since their lines are long, are all loaded', async () => {
  const { store, calls } = testDashboard(
    {
      getAppOutput: ({ query }: { query: { after?: number; before?: number } }) => {
        const from = query.before === undefined ? (query.after ?? 0) + 1 : Math.max(1, query.before - 30);
        return outputPage({
          ...run,
          last: 200,
          lines: lines(from, Math.min(from + 29, (query.before ?? 201) - 1, 200)),
        });
      },
    },
    { output: outputPage({ ...run, last: 200, lines: lines(150, 180) }) },
  );
  await vi.waitFor(() => expect(numbers(store.getState().output.lines)).toEqual([1, 200, 200]));
  expect(calls.map(({ input }) => input)).toEqual([
    { query: { after: 180 } },
    ...[150, 120, 90, 60, 30].map((before) => ({ query: { before } })),
  ]);
});

test('a reconnect to the same run keeps its lines and adds new ones', async () => {
  const { store, calls } = testDashboard();
  store.getState().apply(appended(lines(1, 50)));
  const output = outputPage({ ...run, last: 80, lines: lines(1, 80) });
  store.getState().apply({ type: 'snapshot', snapshot: snapshot({ output }) });
  expect(numbers(store.getState().output.lines)).toEqual([1, 80, 80]);
  expect(calls).toEqual([]);
});

test('a new run starts with an empty output', () => {
  const { store } = testDashboard();
  store.getState().apply(appended(lines(1, 50)));
  store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('dance', 'starting', 'run-2') });
  expect(store.getState().output).toMatchObject({ runId: 'run-2', appName: 'dance', lines: [] });
});

test.each([
  ['with more lines', appended(lines(21, 30))],
  ['when the run ends', { type: 'app-slot.changed', slot: { state: 'free', lastRun: null } }],
] as const)('a page that fails to load is retried %s', async (_when, event) => {
  let fail = true;
  const daemon = daemonWith(30);
  const { store, calls } = testDashboard({
    getAppOutput: (input: { query: { after: number } }) => {
      if (fail) throw new Error('gone');
      return daemon.getAppOutput(input);
    },
  });
  store.getState().apply({ type: 'app-output.gap', ...run, from: 1, to: 20 });
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  store.getState().apply({ type: 'robot.pose', pose });
  expect(calls).toHaveLength(1);
  fail = false;
  await Promise.resolve();
  store.getState().apply(event);
  await vi.waitFor(() => expect(numbers(store.getState().output.lines)).toEqual([1, 30, 30]));
});
