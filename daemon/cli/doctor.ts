import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asksThisMachine } from '../access/access-token-file.ts';
import { ContainerRegister } from '../containers/container-register.ts';
import { createDaemon, type Daemon } from '../create-daemon.ts';
import { createContainerEngine, createGraphicsCards } from '../create-runtimes.ts';
import type { DaemonOptions } from '../daemon-options.ts';
import type { Finding, RepairResult } from '../doctor/check.ts';
import { type EngineState, isEngineExpected } from '../doctor/container-engine-check.ts';
import { type Diagnosis, examine, OWN_MARK, runnerFor } from '../doctor/examine.ts';
import { LOCK_OBSTRUCTED } from '../doctor/folder-checks.ts';
import { type CardsState, cardsStateOf } from '../doctor/graphics-card-check.ts';
import { TEMPORARY } from '../doctor/host-checks.ts';
import { repairFolder, repairThroughDaemon } from '../doctor/repair.ts';
import { repairsText, reportText } from '../doctor/report.ts';
import { StoredCards } from '../graphics-cards/graphics-cards.ts';
import { systemClock } from '../shared/clock.ts';
import { DataFolderInUse, instanceIn, lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { readJsonFile, writeJsonFile } from '../shared/files/json-file.ts';
import { createLogger } from '../shared/logger.ts';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { plainForkNode } from '../shared/processes/fork-node.ts';
import { parseSavedOptions, savedText } from './daemon-arguments.ts';
import { projectResources, projectVersion } from './project.ts';
import { holderOf } from './shared/holder.ts';
import { print, printJson } from './shared/print.ts';

export interface DoctorOptions {
  readonly fix?: boolean;
  readonly json?: boolean;
}

/** Where the doctor works, and with what. */
interface DoctorDeps {
  readonly paths: DataPaths;
  readonly projectDir: string;
  readonly examine?: typeof examine;
  /** Creates the daemon for repairs that need one. */
  readonly createDaemon?: (options: DaemonOptions) => Pick<Daemon, 'url' | 'accessToken' | 'start' | 'stop'>;
}

/** `robot-daemon doctor` */
export async function doctor(deps: DoctorDeps, { fix, json }: DoctorOptions): Promise<void> {
  const before = await diagnose(deps);
  const repaired = fix ? await repair(before, deps) : null;
  // A second diagnosis shows what the repairs achieved.
  const now = repaired?.length ? await diagnose(deps) : before;
  if (json) printJson({ ...before, repaired, left: now.findings });
  else print(reportText(before) + (repaired ? repairsText(repaired) : ''));
  if (now.findings.some(({ severity }) => severity === 'broken')) process.exitCode = 1;
}

/** Examines a data folder, whether a daemon runs there or not. */
export async function diagnose({ paths, projectDir, examine: look = examine }: DoctorDeps): Promise<Diagnosis> {
  const holder = await holderOf(paths);
  const instance = holder?.instance ?? (await instanceIn(paths));
  return look({
    paths,
    assetsDir: projectResources(projectDir).assetsDir,
    holder: holder && { ...holder.instance, status: holder.daemon?.status ?? null },
    asksThisMachine: asksThisMachine(instance?.options ?? {}),
    wantedPython: savedText(instance, 'python'),
    hubUrl: savedText(instance, 'hubUrl'),
    containerEngine: () => containerEngineOf(paths, savedText(instance, 'containerEngine')),
    graphicsCards: () => graphicsCardsOf(paths, projectDir),
    clock: systemClock,
  });
}

/** @param setting of the newest daemon; see `--container-engine` */
async function containerEngineOf(paths: DataPaths, setting: string | null): Promise<EngineState> {
  const log = createLogger('error');
  const register = new ContainerRegister({ file: paths.containersFile, dataDir: paths.root, log });
  const finder = createContainerEngine({ setting, register, clock: systemClock, log });
  return { status: await finder.status(), isExpected: await isEngineExpected(setting, process.env['PATH'] ?? '') };
}

/** Looks for the graphics cards as a daemon does. */
async function graphicsCardsOf({ graphicsCardsFile }: DataPaths, projectDir: string): Promise<CardsState> {
  const folder = await mkdtemp(join(tmpdir(), TEMPORARY)).catch(() => null);
  if (folder === null) return { isOn: true, cards: [], problem: null, hasFailed: false }; // a finding of its own
  try {
    // What is found is noted in a copy: the doctor changes nothing in the data folder.
    const file = join(folder, 'graphics-cards.json');
    const known = await readJsonFile(graphicsCardsFile, StoredCards).catch(() => null);
    if (known) await writeJsonFile(file, known);
    const finder = createGraphicsCards({
      program: projectResources(projectDir).llamaRunner,
      childEnvironment: () => childEnvironment(process.env, OWN_MARK),
      ...{ file, forkNode: plainForkNode, clock: systemClock, log: createLogger('error', () => {}) },
    });
    return await cardsStateOf(finder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function repair({ daemon, findings }: Diagnosis, deps: DoctorDeps): Promise<RepairResult[]> {
  const { paths } = deps;
  const repairable = findings.filter(({ fix }) => fix.kind !== 'by-hand');
  if (daemon) {
    const token = (await holderOf(paths))?.daemon?.token;
    return daemon.url === null ? [] : repairThroughDaemon(repairable, daemon.url, token);
  }
  const needsDaemon = ({ fix }: Finding) => fix.kind === 'install-again';
  const inTheLocksPlace = findings.filter(({ code }) => code === LOCK_OBSTRUCTED);
  const here = { paths, run: runnerFor(paths), now: systemClock.now };
  const before = await repairFolder(inTheLocksPlace, here); // else nobody could take the lock
  const lock = await lockDataFolder(paths);
  const rest = repairable.filter(needsDaemon);
  const others = repairable.filter((finding) => !needsDaemon(finding) && !inTheLocksPlace.includes(finding));
  const done = [...before, ...(await repairFolder(others, here).finally(() => lock.release()))];
  return rest.length === 0
    ? done
    : [...done, ...(await withDaemon(deps, (url, token) => repairThroughDaemon(rest, url, token)))];
}

/** Runs a daemon while some work takes place, on a simulated robot. */
async function withDaemon<T>(
  deps: DoctorDeps,
  work: (url: string, token: string | undefined) => Promise<T>,
): Promise<T> {
  const { paths, projectDir, createDaemon: create = createDaemon } = deps;
  const before = await instanceIn(paths);
  const parsed = parseSavedOptions({ ...before?.options, dataDir: paths.root, serialPort: null, robot: 'simulation' });
  const daemon = create({
    ...parsed,
    host: '127.0.0.1',
    port: 0,
    startupApp: null,
    wakeUpOnStart: false,
    logLevel: 'error',
    version: await projectVersion(projectDir),
    resources: projectResources(projectDir),
  });
  // Keeps the user's daemon, not this one, as the one that `restart` starts again.
  const restoreRecord = async () => {
    if (before) await writeJsonFile(paths.instanceFile, before);
  };
  await daemon.start().catch(async (error: unknown) => {
    if (!(error instanceof DataFolderInUse)) await restoreRecord(); // else the record is another daemon's
    throw error;
  });
  try {
    return await work(daemon.url, daemon.accessToken ?? undefined);
  } finally {
    await daemon.stop();
    await restoreRecord();
  }
}
