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

interface RepairDeps {
  readonly paths: DataPaths;
  readonly run: RunStep;
  readonly now: Now;
}

/** Repairs findings in the data folder itself. The caller holds its lock. */
export async function repairFolder(findings: readonly Finding[], deps: RepairDeps): Promise<RepairResult[]> {
  const results: RepairResult[] = [];
  for (const { code, where, fix } of findings) {
    try {
      results.push({ code, where, done: true, what: await apply(fix, deps) });
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

const ANSWER_WITHIN_MS = 30_000;
const INSTALL_WITHIN_MS = 60 * 60_000;

/**
 * Repairs findings through the REST interface of a daemon: installs, which need one, and what a running one must do.
 * @param token for a daemon that requires one of every request
 */
export async function repairThroughDaemon(
  findings: readonly Finding[],
  url: string,
  token: string | undefined,
): Promise<RepairResult[]> {
  const daemon = daemonAt(url, { deadlineMs: ANSWER_WITHIN_MS, token });
  const results: RepairResult[] = [];
  for (const { code, where, fix } of findings) {
    try {
      const what =
        fix.kind === 'install-again'
          ? await installAgain(daemon, fix.url)
          : fix.kind === 'use-previous'
            ? await rollBack(daemon, fix.appName)
            : fix.kind === 'prune-cache'
              ? await pruneThroughDaemon(daemon)
              : null;
      const done = what !== null;
      results.push({
        code,
        where,
        done,
        what: what ?? 'Not possible while the daemon runs. Run robot-daemon stop, then repeat.',
      });
    } catch (error) {
      results.push({ code, where, done: false, what: `Not repaired: ${(error as Error).message}` });
    }
  }
  return results;
}

async function installAgain(daemon: DaemonClient, address: string): Promise<string> {
  const { state, endedAt, failure } = await install(daemon, address, { pollMs: 200, withinMs: INSTALL_WITHIN_MS });
  if (endedAt === null) throw new Error('the install did not finish in time.');
  if (state === 'done') return `Installed again from ${address}.`;
  throw new Error(failure ? `${failure.message} ${failure.action}` : `the install was ${state}.`);
}

async function rollBack(daemon: DaemonClient, appName: string): Promise<string> {
  await daemon.call('rollBackApp', { params: { appName } });
  return `${appName} is back at its earlier version.`;
}

async function pruneThroughDaemon(daemon: DaemonClient): Promise<string> {
  const { freedBytes } = await daemon.call('pruneDownloadCache');
  return `${byteText(freedBytes)} freed.`;
}
