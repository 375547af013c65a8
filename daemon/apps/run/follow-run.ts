import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SettingsPagePresence } from '../../contract/apps/app-slot.ts';
import type { SettingsPage } from '../../contract/apps/apps.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { knowsPortHolders, portHolder } from '../../shared/processes/port-holder.ts';
import { processesWithEnvironment } from '../../shared/processes/processes.ts';
import { missingPart } from '../crash/missing-part.ts';
import type { BoundNeed, RunNeeds } from '../needs/run-needs.ts';
import type { AppOutput } from './app-output.ts';
import { type AppProcess, RUN_TOKEN_VARIABLE } from './process/app-process.ts';
import { type RunRobot, robotBackToDefault } from './robot-for-runs.ts';
import type { RunHistory } from './run-history.ts';
import { recordOf } from './run-record.ts';
import type { RunUnderWay } from './run-under-way.ts';

export interface FollowRunDeps {
  readonly output: AppOutput;
  readonly history: RunHistory;
  readonly needs: Pick<RunNeeds, 'afterRun'>;
  readonly robot: RunRobot;
  /** Called for every run of an installed app that ended, while it still holds the slot. */
  readonly onRunEnded: (run: AppRun) => void | Promise<void>;
  readonly sdkVersion: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The SDK of an app says hello within this time after the start, or the slot says `silent`, and that it still loads. */
const HELLO_MS = 10_000;
/** Time limit of `onRunEnded`. */
const RUN_ENDED_MS = 5_000;
/** The last lines of a crashed app's output that are searched for the reason. */
const DIAGNOSED_LINES = 200;

/** Waits for the end of a run's processes, records it, and returns the robot to its default position. @returns the record */
export async function followRun(
  run: RunUnderWay,
  process: AppProcess,
  bound: readonly BoundNeed[],
  deps: FollowRunDeps,
): Promise<AppRun> {
  const { output, robot, history, needs, sdkVersion, clock, log } = deps;
  const cancelHello = clock.after(HELLO_MS, () => run.helloTimedOut());
  void watchLoading(clock, run, process.pid);
  const endWatch = watchSettingsPage(clock, run, log);
  const exit = await process.exited;
  cancelHello();
  endWatch();
  output.flush();
  const lines = output.newest(DIAGNOSED_LINES);
  const texts = lines.map(({ text }) => text);
  const robotLost = !robot.state.connected;
  const endedAt = clock.now();
  const [needsThen, missing] = await Promise.all([
    needs.afterRun(run.app, bound),
    exit.code === 0 ? null : missingPart(texts, dirname(dirname(run.launch.python))),
  ]);
  const { variablesSet } = process;
  const seen = { exit, lines, robotLost, missingPart: missing, variablesSet, needs: needsThen };
  const ended = recordOf(run, { ...seen, sdkVersion: sdkVersion() }, endedAt);
  log.info(`apps: ${run.app.name} ended: ${ended.message}`);
  const { staysInPlace } = run;
  run.exited(staysInPlace ? ended.message : `${ended.message} Returning the robot to its default position.`);
  await Promise.all([
    staysInPlace ? null : robotBackToDefault(clock, robot, log),
    history.end(ended),
    // A run from the author's folder says nothing about the installed version.
    run.launch.folder ? null : notifyRunEnded(ended, deps),
  ]);
  return ended;
}

async function notifyRunEnded(run: AppRun, { onRunEnded, clock, log }: FollowRunDeps): Promise<void> {
  try {
    if (!(await settlesWithin(clock, RUN_ENDED_MS, Promise.resolve(onRunEnded(run)))))
      log.warn(`apps: run ${run.runId} is still being evaluated`);
  } catch (error) {
    log.error(`apps: run ${run.runId} could not be evaluated`, error);
  }
}

const LOOK_EVERY_MS = 2_000;
/** A compiled part of a package in the memory of a program. */
const PART = /\/site-packages\/([A-Za-z0-9_]+)[/.]/g;

/**
 * Tells a run what its program loads, until it is known to run: at each look the package of which a compiled part has appeared
 * since the one before. Nothing is known of packages without such parts, and on systems without /proc.
 */
async function watchLoading(clock: Clock, run: RunUnderWay, pid: number): Promise<void> {
  const { known: signal } = run;
  let before: ReadonlySet<string> = new Set();
  while (!signal.aborted) {
    await sleepOn(clock, LOOK_EVERY_MS, signal).catch(() => {});
    if (signal.aborted) return;
    const loaded = await loadedPackages(pid);
    const [fresh] = [...loaded].filter((name) => !before.has(name));
    if (fresh !== undefined && !signal.aborted) run.loads(fresh);
    before = loaded;
  }
}

/** The packages of which a process has mapped compiled parts. @param maps its /proc file */
export async function loadedPackages(pid: number, maps = `/proc/${pid}/maps`): Promise<ReadonlySet<string>> {
  const text = await readFile(maps, 'utf8').catch(() => '');
  return new Set([...text.matchAll(PART)].map(([, name]) => name as string));
}

const POLL_EVERY_MS = { waiting: 250, present: 2_000 };
const ANSWER_WITHIN_MS = 1_000;

/**
 * Watches the settings page of a run's app, if any, which appears some time after the start and may disappear again.
 * @returns a function that ends the watch
 */
function watchSettingsPage(clock: Clock, run: RunUnderWay, log: Logger): () => void {
  const page = run.app.settingsPage;
  if (!page) return () => {};
  const ended = new AbortController();
  run.pageIs('waiting');
  watch(clock, run, page, ended.signal).catch((error: unknown) =>
    log.error(`apps: the settings page of ${run.app.name} could not be watched`, error),
  );
  return () => ended.abort();
}

async function watch(clock: Clock, run: RunUnderWay, page: SettingsPage, signal: AbortSignal): Promise<void> {
  let presence: SettingsPagePresence = 'waiting';
  while (!signal.aborted) {
    const next: SettingsPagePresence = (await answers(clock, page, signal))
      ? await presenceOf(page.port, presence, run.token)
      : 'waiting';
    if (signal.aborted) return;
    if (next !== presence) run.pageIs(next);
    presence = next;
    const pause = presence === 'waiting' ? POLL_EVERY_MS.waiting : POLL_EVERY_MS.present;
    await sleepOn(clock, pause, signal).catch(() => {});
  }
}

/** Any answer counts: the page may redirect or require a log-in. Some servers do not support HEAD. */
async function answers(clock: Clock, page: SettingsPage, signal: AbortSignal): Promise<boolean> {
  const within = () => AbortSignal.any([signal, clock.timeout(ANSWER_WITHIN_MS)]);
  return (await answersTo('HEAD', page, within())) || (await answersTo('GET', page, within()));
}

/** Asks 127.0.0.1, the address of the link; `localhost` may resolve to ::1 only. */
async function answersTo(method: 'HEAD' | 'GET', { port, path }: SettingsPage, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: 'manual', signal });
    await answer.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/** Checks the owner of the page when it appears, and not while it stays: another program may have its port. */
async function presenceOf(port: number, before: SettingsPagePresence, token: string): Promise<SettingsPagePresence> {
  if (before === 'answers') return 'answers';
  const holder = await portHolder(port);
  const ours = holder
    ? (await processesWithEnvironment(RUN_TOKEN_VARIABLE, token)).includes(holder.pid)
    : !knowsPortHolders;
  return ours ? 'answers' : 'port-taken';
}
