import { readdir, realpath } from 'node:fs/promises';
import { arch, cpus, freemem, homedir, release, version as systemVersion, totalmem, userInfo } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { readAccessToken } from '../../access/access-token-file.ts';
import { crashesIn } from '../../apps/crash/crashes.ts';
import { hasSetAside } from '../../apps/reset/reset-record.ts';
import { StoredVariables, VARIABLES_FILE } from '../../apps/run/app-variables.ts';
import { readNewest } from '../../apps/run/run-output.ts';
import { type AppCrash, AppRun } from '../../contract/apps/runs.ts';
import { byteText } from '../../contract/common/byte-text.ts';
import type { DaemonStatus } from '../../contract/daemon.ts';
import type { Job } from '../../contract/jobs.ts';
import type { RobotState } from '../../contract/robot/robot.ts';
import { StoredJobs } from '../../jobs/job-store.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { readJsonFile } from '../../shared/files/json-file.ts';
import { readAppFolders, readEndpointRecords } from '../inventory.ts';
import type { PrivateFacts } from './private-text.ts';
import type { CrashOutput } from './problem-report.ts';
import type { Facts, ReportedApp } from './report-texts.ts';

/** The machine and the program that makes the report. @param version of Robot Desktop */
export function machineFacts(version: string): Facts {
  const [processor] = cpus();
  const { electron, node } = process.versions;
  return [
    ['Robot Desktop', version],
    ['Node', node],
    ['Electron', electron ?? 'none: robot-daemon'],
    ['system', `${process.platform} ${arch()} ${release()}, ${systemVersion()}`],
    ['processor', `${cpus().length} × ${processor?.model ?? 'unknown'}`],
    ['memory', `${byteText(freemem())} free of ${byteText(totalmem())}`],
  ];
}

/** The facts about a daemon and its robot, from their status. */
export function daemonFacts({ dataDir, startedAt, pid, ...status }: DaemonStatus, robot: RobotState): Facts {
  const { python, storageProblem, unexpectedEnd } = status;
  return [
    ['daemon', `process ${pid}, since ${startedAt}`],
    ['data folder', dataDir],
    ['Python', pythonText(python)],
    ['robot', [robot.backend, robot.state, robot.reason].filter(Boolean).join(', ')],
    ...(storageProblem ? [['storage', storageProblem.reason] as const] : []),
    ...(unexpectedEnd ? [['last end', `${unexpectedEnd.what} ${unexpectedEnd.done}`] as const] : []),
  ];
}

function pythonText(python: DaemonStatus['python']): string {
  if (python.state === 'ready') return `${python.version}, installs with ${python.installer}`;
  return python.state === 'looking' ? 'being looked for' : python.reason;
}

const MOST_CRASHES = 3;
const MOST_LINES = 200;

/** The last lines of the apps that crashed last. @param crashes newest first, one an app */
export async function crashOutputs(paths: DataPaths, crashes: readonly AppCrash[]): Promise<CrashOutput[]> {
  const read = crashes.slice(0, MOST_CRASHES).map(async ({ run }) => ({
    run,
    lines: (await readNewest(join(paths.runs, run.runId), MOST_LINES).catch(() => null)) ?? [],
  }));
  return Promise.all(read);
}

/** The stored jobs, runs and folders of a daemon that does not answer, without records that cannot be read. */
export async function storedContents(paths: DataPaths) {
  const [jobs, runs, folders] = await Promise.all([
    readJsonFile(paths.jobsFile, StoredJobs).catch(() => null),
    readJsonFile(paths.runsFile, z.object({ runs: z.array(AppRun) })).catch(() => null),
    readAppFolders(paths.apps),
  ]);
  const newestRuns = runs?.runs ?? [];
  const apps = folders.flatMap(({ pointer }): ReportedApp[] => (pointer ? [pointer.app] : []));
  const newestJobs: Job[] = (jobs?.jobs ?? []).map(({ job }) => job).reverse();
  return {
    apps,
    jobs: newestJobs,
    runs: newestRuns,
    crashes: await crashOutputs(paths, crashesIn(newestRuns, new Set())),
  };
}

/** Facts about this user and this data folder that a report must not tell. */
export async function privateFacts(paths: DataPaths): Promise<PrivateFacts> {
  const home = homedir();
  const real = await realpath(home).catch(() => home);
  const token = await readAccessToken(paths.accessTokenFile);
  const values = await plainValues(paths);
  return { homes: [...new Set([real, home])], user: userName(), secrets: token === null ? values : [...values, token] };
}

/** null: the system does not tell it. */
function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/** The values of variables that are stored as they are. Those of secrets are masked in an app's output as it comes. */
async function plainValues(paths: DataPaths): Promise<string[]> {
  const [folders, endpoints] = await Promise.all([readAppFolders(paths.apps), readEndpointRecords(paths.endpoints)]);
  const ofApps = await Promise.all(folders.map(({ dir }) => plainValuesOfApp(dir)));
  const ofEndpoints = endpoints.flatMap(({ record }) => Object.values(record.endpoint.model.env));
  return [...ofApps.flat(), ...ofEndpoints];
}

/** Also of variables that a reset of the app has set aside: a run of before has used them. @param dir the folder of the app */
async function plainValuesOfApp(dir: string): Promise<string[]> {
  const aside = (await readdir(dir).catch(() => [])).filter(hasSetAside);
  const stored = await Promise.all(
    [dir, ...aside.map((name) => join(dir, name))].map((folder) =>
      readJsonFile(join(folder, VARIABLES_FILE), StoredVariables).catch(() => null),
    ),
  );
  const variables = stored.flatMap((each) => each?.variables ?? []);
  return variables.filter(({ secret }) => !secret).map(({ value }) => value);
}
