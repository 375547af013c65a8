import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { RunStep } from '../../daemon/apps/python/python-env.ts';
import { PythonMissing } from '../../daemon/apps/python/python-finder.ts';
import { type PreparedTools, PythonTools } from '../../daemon/apps/python/python-tools.ts';
import { installEnvironment } from '../../daemon/apps/python/uv-and-pip.ts';
import type { DaemonEvent } from '../../daemon/contract/events.ts';
import { dataPaths } from '../../daemon/shared/files/data-paths.ts';
import { createLogger } from '../../daemon/shared/logger.ts';
import { childEnvironment } from '../../daemon/shared/processes/child-environment.ts';
import { projectDir, sampleApp } from '../../daemon/testing/daemon/test-daemon.ts';
import { type BenchDaemon, startBenchDaemon } from './bench-daemon.ts';
import { monotonicMs } from './clock.ts';
import { EventReader } from './event-reader.ts';
import { type Figure, type FigureOptions, NotMeasurable, row } from './figure.ts';
import { alternate } from './samples.ts';

const NAME = 'hello_wave';
const MOST_MS = 1_500;
const TIMES_PLAIN = 1.3;
const POLL_MS = 20;
const PLAIN_MS = 60_000;

/** The reference for installs with uv. */
const plainUv =
  'plain `uv venv` and `uv pip install` of the same folder and SDK: same flags, Python and warm download cache';

/** Installs a sample on its own daemon with warm caches, and by hand with uv for reference. */
export interface SampleInstalls extends AsyncDisposable {
  readonly daemon: BenchDaemon;
  /** @returns the milliseconds from just before the request to the event that lists the new version */
  install(): Promise<number>;
  /** Settles once its files are deleted. */
  remove(): Promise<void>;
  rollBack(): Promise<void>;
  /** @returns the milliseconds that plain uv takes for an environment with the same contents */
  plain(): Promise<number>;
}

/** @throws NotMeasurable without uv */
export async function openSampleInstalls(): Promise<SampleInstalls> {
  const daemon = await startBenchDaemon(['--installer', 'uv']);
  try {
    const run = plainRun(daemon.dataDir);
    const prepared = await prepareTools(daemon.dataDir, run);
    const events = await EventReader.open(daemon.url);
    return {
      daemon,
      install: async () => {
        const requestedMs = monotonicMs();
        const [listed] = await Promise.all([
          events.next(listsIt, `${NAME} being installed`),
          daemon.install(sampleApp(NAME)),
        ]);
        return listed.atMs - requestedMs;
      },
      remove: async () => {
        await daemon.call('removeApp', { params: { appName: NAME } });
        while ((await readdir(join(daemon.dataDir, 'work'))).length > 0) await sleep(POLL_MS);
      },
      rollBack: async () => void (await daemon.call('rollBackApp', { params: { appName: NAME } })),
      plain: () => plainMs(daemon.dataDir, prepared, run),
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

/** Makes a figure of installs. @param ours prepares, makes and undoes one install; returns its milliseconds */
export function installFigure(
  name: string,
  measures: string,
  ours: (installs: SampleInstalls) => Promise<number>,
): Figure {
  return {
    name,
    measures,
    beside: plainUv,
    measure: async ({ quick }: FigureOptions) => {
      await using installs = await openSampleInstalls();
      const taken = await alternate(
        quick ? 2 : 25,
        () => ours(installs),
        () => installs.plain(),
      );
      const most = Math.min(MOST_MS, TIMES_PLAIN * taken.beside.median);
      return [row(name, 'ms', taken, () => ({ text: `≤ ${MOST_MS} ms, ≤ ${TIMES_PLAIN} × plain`, most }))];
    },
  };
}

function listsIt(event: DaemonEvent): boolean {
  return event.type === 'installed-apps.changed' && event.installedApps.some(({ name }) => name === NAME);
}

async function plainMs(dataDir: string, { installer, sdkWheel }: PreparedTools, run: RunStep): Promise<number> {
  // A new path each time, as in an install: uv caches its queries of an interpreter by path.
  const folder = await mkdtemp(join(dataDir, 'plain-'));
  const envDir = join(folder, 'env');
  const startMs = monotonicMs();
  await installer.create(envDir, run);
  await installer.install(envDir, { sourceDir: sampleApp(NAME), sdkWheel, sdkExtras: [] }, run, PLAIN_MS);
  const tookMs = monotonicMs() - startMs;
  await rm(folder, { recursive: true });
  return tookMs;
}

/** Runs commands in the environment that the daemon gives to its own. */
function plainRun(dataDir: string): RunStep {
  const env = installEnvironment(dataPaths(dataDir).cache, childEnvironment(process.env, ''));
  return async (file, args, { moreEnv, cwd, deadlineMs: timeout = PLAIN_MS } = {}) => {
    const options = { env: { ...env, ...moreEnv }, extendEnv: false, timeout, lines: true } as const;
    return (await execa(file, args, { ...options, ...(cwd !== undefined && { cwd }) })).stdout;
  };
}

/** Prepares the daemon's tools, which are in its data folder. @throws NotMeasurable without Python */
async function prepareTools(dataDir: string, run: RunStep): Promise<PreparedTools> {
  const tools = new PythonTools({
    toolsDir: join(dataDir, 'tools'),
    sdkDir: join(projectDir, 'assets', 'python-sdk'),
    installerDir: join(projectDir, 'assets', 'installer'),
    wantedPython: null,
    installed: { find: async () => [] },
    installer: 'uv',
    childEnvironment: () => childEnvironment(process.env, ''),
    onStatus: () => {},
    log: createLogger('error'),
  });
  try {
    return await tools.prepare(await tools.python(), run);
  } catch (error) {
    if (error instanceof PythonMissing) throw new NotMeasurable(`${error.message} ${error.action}`);
    throw error;
  } finally {
    tools.close();
  }
}
