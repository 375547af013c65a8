import { join } from 'node:path';
import { findUv, toolEnvironments } from '../apps/python/find-uv.ts';
import { installEnvironment } from '../apps/python/install-environment.ts';
import type { RunStep } from '../apps/python/python-env.ts';
import { findPython, type Python, PythonMissing } from '../apps/python/python-finder.ts';
import type { DaemonStatus } from '../contract/daemon.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { runCommand } from '../shared/processes/run-command.ts';
import { checkApps } from './app-checks.ts';
import type { Examined } from './examined.ts';
import type { Finding } from './finding.ts';
import { type Inventory, takeInventory } from './inventory.ts';
import { checkLeftovers } from './leftover-checks.ts';
import { checkRecords } from './record-checks.ts';
import { checkSerialPort, examineSurroundings, findingsAround, type Surroundings } from './surroundings.ts';
import { checkTools } from './tool-checks.ts';

/** Who has the data folder, if anybody. */
export interface FolderHolder {
  readonly pid: number;
  readonly url: string | null;
  /** null: it does not answer. */
  readonly status: DaemonStatus | null;
}

export interface ExamineOptions {
  readonly paths: DataPaths;
  readonly assetsDir: string;
  readonly holder: FolderHolder | null;
  /** The Python that the daemon was told to use; null: the first good one on PATH. */
  readonly wantedPython: string | null;
  /** null: the usual hub. */
  readonly hubUrl: string | null;
}

/** All that the doctor found. */
export interface Diagnosis {
  readonly dataDir: string;
  readonly daemon: { readonly pid: number; readonly url: string | null; readonly version: string | null } | null;
  readonly python: Pick<Python, 'executable' | 'version'> | null;
  readonly installer: 'uv' | 'pip';
  readonly surroundings: Surroundings;
  readonly inventory: Inventory;
  /** The worst first. */
  readonly findings: readonly Finding[];
}

/** Not that of the data folder: what the doctor runs is no orphan, and no daemon's to end. */
const OWN_MARK = 'doctor';
const DEFAULT_DEADLINE_MS = 30_000;
const byWeight: readonly Finding['severity'][] = ['broken', 'untidy', 'note'];

/** Looks at everything, and changes nothing. */
export async function examine(options: ExamineOptions): Promise<Diagnosis> {
  const { paths, assetsDir, holder, hubUrl } = options;
  const run = runnerFor(paths);
  const installerDir = join(assetsDir, 'installer');
  const found = await lookForPython(options.wantedPython, installerDir);
  const uv = await findUv(await toolEnvironments(paths.tools), run);
  const examined: Examined = {
    paths,
    isHeld: holder !== null,
    installerDir,
    samplesDir: join(assetsDir, 'sample-apps'),
    python: found.python,
    uv,
    run,
  };
  const [surroundings, inventory, ...checked] = await Promise.all([
    examineSurroundings(examined, hubUrl),
    takeInventory(paths),
    checkLeftovers(examined),
    checkRecords(examined),
    checkTools(examined),
    checkApps(examined),
    checkSerialPort({ assetsDir }),
  ]);
  const all = [
    ...found.findings,
    ...(holder ? findingsOfHolder(holder) : []),
    ...checked.flat(),
    ...findingsAround(surroundings, { paths }),
  ];
  return {
    dataDir: paths.root,
    daemon: holder && { pid: holder.pid, url: holder.url, version: holder.status?.version ?? null },
    python: found.python && { executable: found.python.executable, version: found.python.version },
    installer: uv === null ? 'pip' : 'uv',
    surroundings,
    inventory,
    findings: all.sort((a, b) => byWeight.indexOf(a.severity) - byWeight.indexOf(b.severity)),
  };
}

/** Runs programs as the daemon does, with the same environment and the same cache. */
export function runnerFor(paths: DataPaths): RunStep {
  const env = installEnvironment(paths.cache, childEnvironment(process.env, OWN_MARK));
  return (file, args, more = {}) => runCommand(file, args, { env, deadlineMs: DEFAULT_DEADLINE_MS, ...more });
}

async function lookForPython(
  wanted: string | null,
  installerDir: string,
): Promise<{ python: Python | null; findings: Finding[] }> {
  const env = childEnvironment(process.env, OWN_MARK);
  try {
    const signal = AbortSignal.timeout(DEFAULT_DEADLINE_MS);
    return { python: await findPython({ wanted, env, installerDir, signal }), findings: [] };
  } catch (error) {
    if (!(error instanceof PythonMissing)) throw error;
    const { message, action } = error;
    const finding: Finding = {
      code: 'python-missing',
      severity: 'broken',
      what: message,
      where: wanted ?? 'PATH',
      fix: { kind: 'by-hand', how: action },
    };
    return { python: null, findings: [finding] };
  }
}

function findingsOfHolder({ pid, url, status }: FolderHolder): Finding[] {
  if (status) return [];
  return [
    {
      code: 'daemon-silent',
      severity: 'broken',
      what: 'The daemon does not answer: it is still starting, or it hangs.',
      where: `process ${pid}${url === null ? '' : `, ${url}`}`,
      fix: { kind: 'by-hand', how: 'If it goes on so: robot-daemon restart' },
    },
  ];
}
