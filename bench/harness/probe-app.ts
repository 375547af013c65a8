import { join } from 'node:path';
import type { DaemonEvent } from '../../daemon/contract/events.ts';
import { childEnvironment } from '../../daemon/shared/processes/child-environment.ts';
import { type BenchDaemon, startBenchDaemon } from './bench-daemon.ts';
import { type Child, startChild } from './child.ts';
import { fromPythonNs, monotonicMs } from './clock.ts';
import { EventReader } from './event-reader.ts';
import { benchDir } from './programs.ts';

/** Its name. */
export const PROBE_APP = 'bench_probe';

/** The app in bench/apps, installed on its own daemon without other clients. */
export interface ProbeApp extends AsyncDisposable {
  readonly daemon: BenchDaemon;
  readonly events: EventReader;
  /** Starts the app. @returns the milliseconds from just before the request to the entry of its `run()` */
  start(): Promise<number>;
  /** Settles once the slot is free. */
  stop(): Promise<void>;
  /** Runs a module of its package without daemon and SDK, with the same Python and environment variables. */
  bare(module: string): Child;
}

/** @param opened the daemon to install it on, which ends with it; default: a new one */
export async function openProbeApp(opened?: BenchDaemon): Promise<ProbeApp> {
  const daemon = opened ?? (await startBenchDaemon());
  try {
    await daemon.install(join(benchDir, 'apps', PROBE_APP));
    const events = await EventReader.open(daemon.url);
    const start = async () => {
      const line = events.next(isFirstLine, "the app's first line");
      const requestedMs = monotonicMs();
      await daemon.call('startApp', { params: { appName: PROBE_APP } });
      const { enteredNs, python } = firstLine((await line).event);
      return { tookMs: fromPythonNs(enteredNs) - requestedMs, python };
    };
    const stop = async () => void (await daemon.call('stopCurrentApp'));
    const { python } = await start();
    await stop();
    return {
      daemon,
      events,
      start: async () => (await start()).tookMs,
      stop,
      bare: (module) => startChild(python, ['-u', '-m', `${PROBE_APP}.${module}`], childEnvironment(process.env, '')),
      [Symbol.asyncDispose]: async () => {
        await events[Symbol.asyncDispose]();
        await daemon[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await daemon[Symbol.asyncDispose]();
    throw error;
  }
}

/** The time of the next entry of its `run()`. */
export async function enteredMs(events: EventReader): Promise<number> {
  return fromPythonNs(firstLine((await events.next(isFirstLine, "the app's first line")).event).enteredNs);
}

function isFirstLine(event: DaemonEvent): boolean {
  return event.type === 'app-output.appended' && event.lines[0]?.number === 1;
}

function firstLine(event: DaemonEvent): { enteredNs: number; python: string } {
  const text = event.type === 'app-output.appended' ? event.lines[0]?.text : undefined;
  try {
    return JSON.parse(text ?? '');
  } catch {
    throw new Error(`The bench's app wrote "${text}" instead of the time of its entry.`);
  }
}
