import { join } from 'node:path';
import type { RunStep } from '../apps/python/python-env.ts';
import { findHostPython, type Python, PythonMissing } from '../apps/python/python-finder.ts';
import { findUv, installEnvironment, toolEnvironments } from '../apps/python/uv-and-pip.ts';
import type { DaemonStatus } from '../contract/daemon.ts';
import type { ContainerEngineStatus } from '../contract/endpoints/runtimes.ts';
import type { JobProgress } from '../jobs/job-queue.ts';
import type { Clock } from '../shared/clock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { runCommand } from '../shared/processes/run-command.ts';
import { checkApps } from './app-checks.ts';
import { broken, byHand, type CheckContext, type Finding } from './check.ts';
import { checkContainerEngine, type EngineState } from './container-engine-check.ts';
import { checkLeftovers, checkObstacles } from './folder-checks.ts';
import { type CardsState, checkGraphicsCards } from './graphics-card-check.ts';
import {
  checkProxy,
  checkSerialPort,
  checkTemporaryFolder,
  examineHost,
  findingsOfHost,
  type HostState,
} from './host-checks.ts';
import { type Inventory, readEndpointRecords, takeInventory } from './inventory.ts';
import { checkModelFiles } from './model-file-checks.ts';
import { checkRecords } from './record-checks.ts';
import { checkSecrets, countSecrets, type SecretCounts } from './secret-checks.ts';
import { checkTools } from './tool-checks.ts';

interface FolderHolder {
  readonly pid: number;
  readonly url: string | null;
  /** null: no answer. */
  readonly status: DaemonStatus | null;
}

export interface ExamineOptions {
  readonly paths: DataPaths;
  readonly assetsDir: string;
  readonly holder: FolderHolder | null;
  /** Whether the daemon requires a token of programs of this machine, too. */
  readonly asksThisMachine: boolean;
  /** The Python given by option; null: the first suitable one on PATH. */
  readonly wantedPython: string | null;
  /** null: the default hub. */
  readonly hubUrl: string | null;
  /** Looks for the container engine. */
  readonly containerEngine: () => Promise<EngineState>;
  /** Looks for the graphics cards. */
  readonly graphicsCards: () => Promise<CardsState>;
  readonly clock: Clock;
  /** The name of the app that runs now; default: not known. */
  readonly runningApp?: () => string | null;
  /** The environment of the programs that it runs; default: that of this process, with the doctor's own mark. */
  readonly childEnvironment?: () => Record<string, string>;
  /** Hears of the steps `python` and `checks`. Its signal ends the programs that run, and rejects the examination. */
  readonly progress?: Pick<JobProgress, 'signal' | 'step' | 'detail'>;
}

export interface Diagnosis {
  readonly dataDir: string;
  readonly daemon: { readonly pid: number; readonly url: string | null; readonly version: string | null } | null;
  readonly python: Pick<Python, 'executable' | 'version'> | null;
  readonly installer: 'uv' | 'pip';
  readonly surroundings: HostState;
  readonly containerEngine: ContainerEngineStatus;
  readonly graphicsCards: CardsState;
  readonly inventory: Inventory;
  /** null: they could not be read. */
  readonly secrets: SecretCounts | null;
  /** Most severe first. */
  readonly findings: readonly Finding[];
}

/** Differs from the data folder's mark: no daemon takes the doctor's own children for orphans. */
export const OWN_MARK = 'doctor';
const DEFAULT_DEADLINE_MS = 30_000;
const severities: readonly Finding['severity'][] = ['broken', 'untidy', 'note'];

/** Runs every check, without changing anything. @throws the reason of the signal */
export async function examine(options: ExamineOptions): Promise<Diagnosis> {
  const { paths, assetsDir, holder, hubUrl, progress, clock } = options;
  const env = options.childEnvironment?.() ?? ownEnvironment();
  const run = runnerFor(paths, env, progress?.signal);
  const installerDir = join(assetsDir, 'installer');
  progress?.step('python');
  const found = await searchPython(options.wantedPython, paths, { installerDir, env, signal: progress?.signal, clock });
  const uv = await findUv(await toolEnvironments(paths.tools), run);
  const context: CheckContext = {
    paths,
    isHeld: holder !== null,
    heldSince: holder?.status?.startedAt ?? null,
    runningApp: options.runningApp ?? (() => null),
    installerDir,
    samplesDir: join(assetsDir, 'sample-apps'),
    sdkDir: join(assetsDir, 'python-sdk'),
    python: found.python,
    uv,
    run,
    onDetail: (text) => progress?.detail(text),
    clock,
  };
  progress?.step('checks');
  const [surroundings, inventory, secrets, containers, cards, stored, obstacles, ...checked] = await Promise.all([
    examineHost(context, hubUrl),
    takeInventory(paths),
    countSecrets(paths).catch(() => null),
    options.containerEngine(),
    options.graphicsCards(),
    readEndpointRecords(paths.endpoints),
    guarded('the layout of the data folder', paths.root, checkObstacles(context)),
    guarded('leftovers', paths.root, checkLeftovers(context)),
    guarded('the records', paths.root, checkRecords(context)),
    guarded('the secrets', paths.secretKeyFile, checkSecrets(context)),
    guarded('the tools', paths.tools, checkTools(context)),
    guarded('the apps', paths.apps, checkApps(context)),
    ...(holder ? [guarded('what is connected to the daemon', paths.root, checkProxy(holder, options))] : []),
    checkTemporaryFolder(),
    checkSerialPort({ assetsDir }),
  ]);
  progress?.signal.throwIfAborted(); // a check that was ended has a finding of its own, which says nothing
  const inTheWay = new Set(obstacles.map(({ where }) => where));
  const endpoints = stored.map(({ record }) => record);
  const all = [
    ...found.findings,
    ...(holder ? findingsOfHolder(holder) : []),
    ...obstacles,
    ...checked.flat().filter(({ where }) => !inTheWay.has(where)),
    ...checkModelFiles(inventory.modelFiles),
    ...checkContainerEngine(containers, endpoints),
    ...checkGraphicsCards(cards, endpoints),
    ...findingsOfHost(surroundings, { paths }),
  ];
  return {
    dataDir: paths.root,
    daemon: holder && { pid: holder.pid, url: holder.url, version: holder.status?.version ?? null },
    python: found.python && { executable: found.python.executable, version: found.python.version },
    installer: uv === null ? 'pip' : 'uv',
    surroundings,
    containerEngine: containers.status,
    graphicsCards: cards,
    inventory,
    secrets,
    findings: all.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)),
  };
}

/** The findings of a check; a check that fails is a finding itself, so that the others are seen. */
async function guarded(what: string, where: string, check: Promise<Finding[]>): Promise<Finding[]> {
  const fix = byHand('Make it readable for this user, then run the doctor again.');
  return check.catch((error: Error) => [broken('check-failed', `Cannot check ${what}: ${error.message}`, where, fix)]);
}

const ownEnvironment = () => childEnvironment(process.env, OWN_MARK);

/**
 * Runs programs with the environment and the cache that the daemon's installs use.
 * @param child the environment of any program that is started
 * @param signal ends them
 */
export function runnerFor(paths: DataPaths, child = ownEnvironment(), signal?: AbortSignal): RunStep {
  const env = installEnvironment(paths.cache, child);
  const options = { env, deadlineMs: DEFAULT_DEADLINE_MS, ...(signal && { signal }) };
  return (file, args, more = {}) => runCommand(file, args, { ...options, ...more });
}

async function searchPython(
  wanted: string | null,
  paths: DataPaths,
  {
    installerDir,
    env,
    signal: ended,
    clock,
  }: Pick<ExamineOptions, 'clock'> & {
    readonly installerDir: string;
    readonly env: Record<string, string>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<{ python: Python | null; findings: Finding[] }> {
  const limit = clock.timeout(DEFAULT_DEADLINE_MS);
  const signal = ended ? AbortSignal.any([limit, ended]) : limit;
  try {
    const python = await findHostPython({ wanted, toolsDir: paths.tools, env, installerDir, signal });
    return { python, findings: [] };
  } catch (error) {
    if (!(error instanceof PythonMissing)) throw error;
    const finding = broken('python-missing', error.message, wanted ?? 'PATH', byHand(error.action));
    return { python: null, findings: [finding] };
  }
}

function findingsOfHolder({ pid, url, status }: FolderHolder): Finding[] {
  if (status) return [];
  const what = 'The daemon does not answer: it is still starting, or it hangs.';
  const where = `process ${pid}${url === null ? '' : `, ${url}`}`;
  return [
    broken('daemon-silent', what, where, byHand('If it still does not answer in a minute: robot-daemon restart')),
  ];
}
