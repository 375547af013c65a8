/** Records of runs after a restart, an interruption and a damaged file; on a real disk. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { DaemonEvent } from '../../contract/events.ts';
import { createLogger } from '../../shared/logger.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { AppOutput } from './app-output.ts';
import { FinishedRunNotFound, RunNotFound } from './errors.ts';
import { MAX_OUTPUTS, MAX_RUNS, RunHistory, runsWithOutput } from './run-history.ts';
import { WRITE_EVERY_MS } from './run-output.ts';
import { BEGUN } from './started-run.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-history-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

/** A daemon's history over the folder of this test. */
async function loaded() {
  const events: DaemonEvent[] = [];
  const logged: string[] = [];
  const { until, ...time } = manualClock();
  const clock = { ...time, now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, 7)) };
  const output = new AppOutput({ publish: () => {}, clock });
  const history = new RunHistory({
    clock,
    file: join(folder, 'runs.json'),
    dir: join(folder, 'runs'),
    output,
    publish: (event) => events.push(event),
    log: createLogger('error', (line) => logged.push(line)),
  });
  await history.load();
  const begin = (number: number, appName = 'dance') => {
    const runId = idOf(number);
    output.begin(runId, appName);
    history.begin({ runId, appName, version: '1.0.0', startedAt: '2026-01-01T00:00:00.000Z' });
  };
  const write = (...texts: string[]) => {
    for (const text of texts) output.append('stdout', text, false);
    history.outputChanged();
  };
  /** Moves the clock until the output on the disk is as expected. */
  const soon = (expected: () => Promise<void>) => until(expected, WRITE_EVERY_MS);
  return { history, output, events, logged, begin, write, soon };
}
const idOf = (number: number) => number.toString(16).padStart(16, '0');
const run = (number: number, appName = 'dance'): AppRun => ({
  runId: idOf(number),
  appName,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:00:09.000Z',
  outcome: 'stopped',
  exitCode: 0,
  signal: null,
  message: 'Stopped.',
  diagnosis: null,
  version: '1.0.0',
  killed: [],
});
const texts = ({ lines }: { lines: { text: string }[] }) => lines.map(({ text }) => text);

test('a run that ended is published, stored, and known to the next daemon with its output', async () => {
  const first = await loaded();
  first.begin(1);
  first.write('one', 'two');
  await first.history.end(run(1));
  expect(first.events).toEqual([{ type: 'app-run.ended', run: run(1) }]);

  const { history, output } = await loaded();
  expect(history.newest).toEqual(run(1));
  expect(history.list({ limit: 50 })).toEqual([run(1)]);
  expect(output.page()).toMatchObject({ runId: idOf(1), appName: 'dance', firstKept: 1, last: 2 });
  expect(texts(output.page())).toEqual(['one', 'two']);
  expect(await readdir(join(folder, 'runs', idOf(1)))).toEqual(['1.ndjson']);
});

test('runs are listed newest first, of all apps or of one', async () => {
  const { history, begin } = await loaded();
  for (const [number, name] of [
    [1, 'dance'],
    [2, 'wave'],
    [3, 'dance'],
  ] as const) {
    begin(number, name);
    await history.end(run(number, name));
  }
  expect(history.list({ limit: 2 }).map(({ runId }) => runId)).toEqual([idOf(3), idOf(2)]);
  expect(history.list({ app: 'dance', limit: 50 }).map(({ runId }) => runId)).toEqual([idOf(3), idOf(1)]);
});

test('the output of the current and of past runs is read page by page', async () => {
  const { history, begin, write } = await loaded();
  begin(1);
  write(...Array.from({ length: 700 }, (_, index) => `old ${index + 1}`));
  await history.end(run(1));
  begin(2, 'wave');
  write('new 1');
  expect(await history.output(idOf(2))).toMatchObject({ runId: idOf(2), appName: 'wave', firstKept: 1, last: 1 });
  const page = await history.output(idOf(1), { after: 0 });
  expect(page).toMatchObject({ runId: idOf(1), appName: 'dance', firstKept: 1, last: 700 });
  expect([page.lines.length, texts(page)[0]]).toEqual([500, 'old 1']);
  expect(texts(await history.output(idOf(1), { after: 500 })).at(-1)).toBe('old 700');
  await expect(history.output(idOf(3))).rejects.toBeInstanceOf(RunNotFound);
  await history.end(run(2, 'wave'));
});

test('lines of the current run that are no longer in memory are read from the disk', async () => {
  const { history, output, begin, write, soon } = await loaded();
  begin(1);
  for (let batch = 0; batch < 4; batch++) {
    write(...Array.from({ length: 2_000 }, (_, index) => `line ${batch * 2_000 + index + 1}`));
    const last = (batch + 1) * 2_000;
    await soon(async () => {
      const kept = await readFile(join(folder, 'runs', idOf(1), '1.ndjson'), 'utf8');
      const rest = await readdir(join(folder, 'runs', idOf(1)));
      expect(rest.length > 2 || kept.includes(`"line ${last}"`)).toBe(true);
    });
  }
  expect(output.page().firstKept).toBeGreaterThan(1);
  const page = await history.output(idOf(1), { after: 0 });
  expect([page.firstKept, page.last, texts(page)[0]]).toEqual([1, 8_000, 'line 1']);
  expect(await history.output(idOf(1))).toMatchObject({ firstKept: 1, kept: 8_000, matches: 8_000 });
  await history.end(run(1));
});

test('a run interrupted by the kill of its daemon is closed by the next one, with its output', async () => {
  const first = await loaded();
  first.begin(1);
  await first.history.end(run(1));
  first.begin(2, 'wave');
  first.write('last words');
  await first.soon(async () => {
    expect((await readdir(join(folder, 'runs', idOf(2)))).sort()).toEqual(['1.ndjson', 'begun.json']);
    expect(await readFile(join(folder, 'runs', idOf(2), '1.ndjson'), 'utf8')).toContain('last words');
  });

  const killed: AppRun = {
    ...run(2, 'wave'),
    endedAt: '2026-01-01T00:00:07.000Z',
    outcome: 'killed',
    exitCode: null,
    message: 'The daemon stopped while it ran.',
  };
  const second = await loaded();
  expect(second.history.list({ limit: 50 })).toEqual([killed, run(1)]);
  expect(texts(second.output.page())).toEqual(['last words']);
  const third = await loaded();
  expect(third.history.list({ limit: 50 })).toEqual([killed, run(1)]);
  // Killed while it removes the runs: the record is gone, the folder not yet.
  const records = await readFile(join(folder, 'runs.json'), 'utf8');
  await writeFile(join(folder, 'runs.json'), JSON.stringify({ runs: JSON.parse(records).runs.slice(1) }));
  expect((await loaded()).history.list({ limit: 50 })).toEqual([run(1)]);
  await first.history.end(run(2, 'wave'));
});

test('a run whose end is recorded is not closed again, wherever the daemon was killed', async () => {
  const first = await loaded();
  first.begin(1);
  await first.history.end(run(1));
  const begun = join(folder, 'runs', idOf(1), 'begun.json');
  const { runId, appName, version, startedAt } = run(1);
  // Killed after the record was written, before the mark of a started run was removed.
  await writeFile(begun, JSON.stringify({ runId, appName, version, startedAt }));
  expect((await loaded()).history.list({ limit: 50 })).toEqual([run(1)]);
  // Killed while it removes the runs of the app: the record is gone, the folder not yet.
  await writeFile(join(folder, 'runs.json'), JSON.stringify({ runs: [] }));
  expect((await loaded()).history.list({ limit: 50 })).toEqual([]);
});

test('a run whose daemon was killed before its start was stored leaves nothing', async () => {
  await mkdir(join(folder, 'runs', idOf(7)), { recursive: true });
  await mkdir(join(folder, 'runs', 'something-else'), { recursive: true });
  const { history, begin } = await loaded();
  expect(history.list({ limit: 50 })).toEqual([]);
  begin(1);
  await history.end(run(1));
  expect((await readdir(join(folder, 'runs'))).sort()).toEqual([idOf(1), 'something-else']);
});

test('damaged records are set aside, and the next run is stored', async () => {
  await writeFile(join(folder, 'runs.json'), '{"runs": [{"runId": 5}]}');
  const { history, begin, logged } = await loaded();
  expect(history.list({ limit: 50 })).toEqual([]);
  expect(logged.join()).toContain('is set aside');
  begin(1);
  await history.end(run(1));
  expect((await loaded()).history.newest).toEqual(run(1));
  const aside = (await readdir(folder)).find((name) => name.startsWith('runs.json.damaged-')) ?? '';
  expect(await readFile(join(folder, aside), 'utf8')).toContain('"runId": 5');
});

describe('a crash', () => {
  const crash = (number: number, appName = 'dance'): AppRun => ({ ...run(number, appName), outcome: 'crashed' });

  test('stays until a person has seen it, over other runs and daemons, and is published at each change', async () => {
    const first = await loaded();
    for (const ended of [crash(1), run(2, 'wave'), run(3)]) {
      first.begin(Number.parseInt(ended.runId, 16), ended.appName);
      await first.history.end(ended);
    }
    const unseen = [{ run: crash(1), seen: false }];
    expect(first.history.crashes).toEqual(unseen);
    const { history, events } = await loaded();
    expect(history.crashes).toEqual(unseen);
    expect(await history.markSeen(idOf(1))).toEqual([]);
    expect(events).toEqual([{ type: 'app-crashes.changed', crashes: [] }]);
    expect((await loaded()).history.crashes).toEqual([]);
  });

  test('that was the last run of its app is kept as seen; seeing it again changes nothing', async () => {
    const { history, events, begin } = await loaded();
    for (const number of [1, 2]) {
      begin(number);
      await history.end(crash(number));
    }
    const seen = [{ run: crash(2), seen: true }];
    events.length = 0;
    expect(await Promise.all([history.markSeen(idOf(2)), history.markSeen(idOf(2))])).toEqual([seen, seen]);
    expect(events).toEqual([{ type: 'app-crashes.changed', crashes: seen }]);
    begin(3);
    await history.end(run(3));
    expect(history.crashes, 'the earlier crash counts as seen too').toEqual([]);
  });

  test('goes with its app', async () => {
    const { history, events, begin } = await loaded();
    begin(1);
    await history.end(crash(1));
    await history.forget('dance');
    expect([history.crashes, events.at(-1)]).toEqual([[], { type: 'app-crashes.changed', crashes: [] }]);
  });

  test('cannot be seen before it has ended, nor while nothing can be saved', async () => {
    const { history, events, begin } = await loaded();
    begin(1);
    await expect(history.markSeen(idOf(1))).rejects.toThrow(FinishedRunNotFound);
    await history.end(crash(1));
    events.length = 0;
    await rm(folder, { recursive: true });
    await expect(history.markSeen(idOf(1))).rejects.toThrow();
    await mkdir(folder);
    expect([history.crashes, events]).toEqual([[{ run: crash(1), seen: false }], []]);
  });
});

test('with a full disk a run still ends: it is published, and known until the daemon stops', async () => {
  await writeFile(join(folder, 'runs'), 'no folder');
  const { history, begin, write, events, logged } = await loaded();
  begin(1);
  write('one');
  await mkdir(join(folder, 'runs.json'));
  await history.end(run(1));
  expect(events).toEqual([{ type: 'app-run.ended', run: run(1) }]);
  expect(history.newest).toEqual(run(1));
  expect(logged.join()).toContain('could not be saved');
});

test('the number of records is bounded, and outputs without a record are removed', async () => {
  const runs = Array.from({ length: MAX_RUNS.inAll }, (_, index) => run(MAX_RUNS.inAll - index, `app_${index % 20}`));
  await writeFile(join(folder, 'runs.json'), JSON.stringify({ runs }));
  for (const { runId } of runs) await mkdir(join(folder, 'runs', runId), { recursive: true });
  const { history, begin } = await loaded();
  begin(MAX_RUNS.inAll + 1);
  await history.end(run(MAX_RUNS.inAll + 1));
  const kept = history.list({ limit: 1_000 });
  expect([kept.length, kept[0]?.runId, kept.at(-1)?.runId]).toEqual([
    MAX_RUNS.inAll,
    idOf(MAX_RUNS.inAll + 1),
    idOf(2),
  ]);
  expect((await readdir(join(folder, 'runs'))).sort()).toEqual(
    kept
      .slice(0, MAX_OUTPUTS.inAll)
      .map(({ runId }) => runId)
      .sort(),
  );
  await expect(history.output(idOf(3))).rejects.toBeInstanceOf(RunNotFound);
});

test('an app that is started very often does not push out the runs of others', async () => {
  const others = [run(1, 'quiet'), run(2, 'other')];
  const often = Array.from({ length: MAX_RUNS.ofApp }, (_, index) => run(MAX_RUNS.ofApp + 2 - index, 'often'));
  await writeFile(join(folder, 'runs.json'), JSON.stringify({ runs: [...often, ...others.toReversed()] }));
  const { history, begin } = await loaded();
  begin(1_000);
  await history.end(run(1_000, 'often'));
  const kept = history.list({ limit: 1_000 });
  expect(kept.slice(-2).map(({ appName }) => appName)).toEqual(['other', 'quiet']);
  expect([kept.length, kept[0]?.runId]).toEqual([MAX_RUNS.ofApp + 2, idOf(1_000)]);
});

test('the runs of a removed app are removed with their output; others stay, the current one too', async () => {
  const { history, begin, write, soon } = await loaded();
  for (const [number, appName] of [
    [1, 'dance'],
    [2, 'wave'],
  ] as const) {
    begin(number, appName);
    write('hello');
    await history.end(run(number, appName));
  }
  begin(3, 'wave');
  write('still here');
  // Not two files: one of them may be half written, under another name.
  await soon(async () => expect(await readdir(join(folder, 'runs', idOf(3)))).toContain(BEGUN));
  await history.forget('dance');
  expect(history.list({ limit: 10 }).map(({ appName }) => appName)).toEqual(['wave']);
  await expect(history.output(idOf(1))).rejects.toThrow(RunNotFound);
  expect((await readdir(join(folder, 'runs'))).sort()).toEqual([idOf(2), idOf(3)]);
  expect((await loaded()).history.list({ limit: 10 }).map(({ appName }) => appName)).toEqual(['wave', 'wave']);
  await history.end(run(3, 'wave')); // closes its file
});

test('an app that runs often does not displace the output of other apps', () => {
  const runs = [...Array.from({ length: 50 }, (_, index) => run(100 - index, 'busy')), run(1, 'seldom')];
  const kept = runsWithOutput(runs);
  expect(kept.size).toBe(MAX_OUTPUTS.ofApp + 1);
  expect(kept.has(idOf(1))).toBe(true);
});
