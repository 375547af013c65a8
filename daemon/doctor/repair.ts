import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppPointer, POINTER } from '../apps/installed/app-pointer.ts';
import { downloadCacheIn, pruneDownloads } from '../apps/python/download-cache.ts';
import type { RunStep } from '../apps/python/python-env.ts';
import type { DaemonClient } from '../client/calls.ts';
import { daemonAt } from '../client/node/daemon-at.ts';
import { install } from '../client/node/install.ts';
import { byteText } from '../contract/common/byte-text.ts';
import type { Now } from '../shared/clock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { setAside } from '../shared/files/set-aside.ts';
import { endOrphans } from '../shared/processes/orphans.ts';
import type { Finding, Fix, RepairResult } from './check.ts';
import { readAppFolders } from './inventory.ts';

const ORPHANS_MS = 5_000;
const ANSWER_WITHIN_MS = 30_000;
const INSTALL_WITHIN_MS = 60 * 60_000;
const NOT_WHILE_IT_RUNS = 'Not possible while the daemon runs. Run robot-daemon stop, then repeat.';

interface RepairDeps {
  readonly paths: DataPaths;
  readonly run: RunStep;
  readonly now: Now;
}

/** Repairs findings in the data folder itself. The caller holds its lock. */
export function repairFolder(findings: readonly Finding[], deps: RepairDeps): Promise<RepairResult[]> {
  return repairEach(findings, (fix) => apply(fix, deps));
}

/**
 * Repairs findings through the REST interface of a daemon: installs, which need one, and what a running one must do.
 * @param token for a daemon that requires one of every request
 */
export function repairThroughDaemon(
  findings: readonly Finding[],
  url: string,
  token: string | undefined,
): Promise<RepairResult[]> {
  const daemon = daemonAt(url, { deadlineMs: ANSWER_WITHIN_MS, token });
  return repairEach(findings, (fix) => applyThrough(daemon, fix));
}

/** @param repair returns a sentence that says what was done; null: not possible while the daemon runs */
async function repairEach(
  findings: readonly Finding[],
  repair: (fix: Fix) => Promise<string | null>,
): Promise<RepairResult[]> {
  const results: RepairResult[] = [];
  for (const { code, where, fix } of findings) {
    try {
      const what = await repair(fix);
      results.push({ code, where, done: what !== null, what: what ?? NOT_WHILE_IT_RUNS });
    } catch (error) {
      results.push({ code, where, done: false, what: `Not repaired: ${(error as Error).message}` });
    }
  }
  return results;
}

/** @returns a sentence that says what was done */
async function apply(fix: Fix, { paths, run, now }: RepairDeps): Promise<string> {
  switch (fix.kind) {
    case 'remove':
      for (const path of fix.paths) await rm(path, { recursive: true, force: true });
      return `${fix.paths.length} item(s) removed.`;
    case 'set-aside':
      return `Kept as ${await setAside(fix.path, paths.root, now())}.`;
    case 'empty-lock':
      return 'Emptied.';
    case 'use-previous': {
      const version = await point(fix.key, paths, (pointer) => toPrevious(pointer, now()));
      return `${fix.appName} is back at version ${version}.`;
    }
    case 'forget-previous':
      await point(fix.key, paths, (pointer) => ({ ...pointer, previous: null }));
      return 'The next start of the daemon removes that version.';
    case 'end-orphans': {
      const { killed, gone } = await endOrphans(paths, ORPHANS_MS);
      if (!gone) throw new Error('some processes still run.');
      return `${killed.length} process(es) ended.`;
    }
    case 'prune-cache':
      await pruneDownloads(fix.cacheDir, fix.uv, run);
      return `Removed. ${byteText((await downloadCacheIn(fix.cacheDir)).bytes)} are left.`;
    case 'install-again':
    case 'by-hand':
      throw new Error('this repair needs the daemon or a person.');
  }
}

/** Changes an app's pointer by replacing one small file, as the daemon does. @returns the version that is live now */
async function point(key: string, paths: DataPaths, change: (pointer: AppPointer) => AppPointer): Promise<string> {
  const { dir, pointer } = (await readAppFolders(paths.apps)).find((folder) => folder.key === key) ?? {};
  if (!dir || !pointer) throw new Error('the app is no longer installed.');
  const next = change(pointer);
  await writeJsonFile(join(dir, POINTER), next);
  return next.app.version;
}

function toPrevious({ app, previous, pinned }: AppPointer, at: Date): AppPointer {
  if (!previous) throw new Error('there is no earlier version.');
  const { version, source, installedAt } = app;
  const rolledBack = {
    from: { version, source, installedAt },
    at: at.toISOString(),
    automatic: true,
    reason: `Version ${version} no longer started.`,
  };
  return { ...previous, previous: null, pinned, onTrial: false, rolledBack };
}

async function applyThrough(daemon: DaemonClient, fix: Fix): Promise<string | null> {
  switch (fix.kind) {
    case 'install-again':
      return installAgain(daemon, fix.url);
    case 'use-previous':
      await daemon.call('rollBackApp', { params: { appName: fix.appName } });
      return `${fix.appName} is back at its earlier version.`;
    case 'prune-cache':
      return `${byteText((await daemon.call('pruneDownloadCache')).freedBytes)} freed.`;
    default:
      return null;
  }
}

async function installAgain(daemon: DaemonClient, address: string): Promise<string> {
  const { state, endedAt, failure } = await install(daemon, address, { pollMs: 200, withinMs: INSTALL_WITHIN_MS });
  if (endedAt === null) throw new Error('the install did not finish in time.');
  if (state === 'done') return `Installed again from ${address}.`;
  throw new Error(failure ? `${failure.message} ${failure.action}` : `the install was ${state}.`);
}
