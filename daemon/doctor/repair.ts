import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AppPointer } from '../apps/installed/app-pointer.ts';
import { POINTER } from '../apps/installed/app-pointer.ts';
import type { RunStep } from '../apps/python/python-env.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { endOrphans } from '../shared/processes/orphans.ts';
import { readAppFolders } from './app-folders.ts';
import type { Finding, Fix, Mended } from './finding.ts';

const ORPHANS_MS = 5_000;
const PRUNE_MS = 120_000;

export interface MendDeps {
  readonly paths: DataPaths;
  readonly run: RunStep;
  readonly now: () => Date;
}

/** What is mended in the data folder itself, which nobody else may have meanwhile. */
export async function mendFolder(findings: readonly Finding[], deps: MendDeps): Promise<Mended[]> {
  const mended: Mended[] = [];
  for (const { code, where, fix } of findings) {
    try {
      mended.push({ code, where, done: true, what: await apply(fix, deps) });
    } catch (error) {
      mended.push({ code, where, done: false, what: `It could not be mended: ${(error as Error).message}` });
    }
  }
  return mended;
}

/** @returns what was done */
async function apply(fix: Fix, { paths, run, now }: MendDeps): Promise<string> {
  switch (fix.kind) {
    case 'remove':
      for (const path of fix.paths) await rm(path, { recursive: true, force: true });
      return `${fix.paths.length} thing(s) removed.`;
    case 'set-aside':
      return `Kept as ${await setAside(fix.path, paths.root, now())}.`;
    case 'use-previous': {
      const version = await point(fix.key, paths, (pointer) => toPrevious(pointer, now()));
      return `${fix.appName} is back at version ${version}.`;
    }
    case 'forget-previous':
      await point(fix.key, paths, (pointer) => ({ ...pointer, previous: null }));
      return 'The next start of the daemon removes that version.';
    case 'end-orphans': {
      const { killed, gone } = await endOrphans(paths, ORPHANS_MS);
      if (!gone) throw new Error('some have not ended.');
      return `${killed.length} process(es) ended.`;
    }
    case 'prune-cache':
      await run(fix.uv, ['cache', 'prune', '--cache-dir', fix.cacheDir], { deadlineMs: PRUNE_MS });
      return 'Pruned.';
    case 'install-again':
    case 'by-hand':
      throw new Error('it is not mended here.');
  }
}

/** To the top of the data folder, where no daemon looks: `jobs.json.damaged-20261121T101500`. */
async function setAside(path: string, root: string, at: Date): Promise<string> {
  const stamp = at.toISOString().replace(/[-:]|\..*$/g, '');
  const aside = join(root, `${basename(path)}.damaged-${stamp}`);
  await rename(path, aside);
  return aside;
}

/** Switches what is live, as the daemon does: by replacing one small file. @returns the version that is live now */
async function point(key: string, paths: DataPaths, change: (pointer: AppPointer) => AppPointer): Promise<string> {
  const { dir, pointer } = (await readAppFolders(paths.apps)).find((folder) => folder.key === key) ?? {};
  if (!dir || !pointer) throw new Error('the app is gone.');
  const next = change(pointer);
  await writeJsonFile(join(dir, POINTER), next);
  return next.app.version;
}

function toPrevious({ app, previous, pinned }: AppPointer, at: Date): AppPointer {
  if (!previous) throw new Error('there is no version before.');
  const { version, source, installedAt } = app;
  const rolledBack = {
    from: { version, source, installedAt },
    at: at.toISOString(),
    automatic: true,
    reason: `Version ${version} could not be started any more.`,
  };
  return { ...previous, previous: null, pinned, onTrial: false, rolledBack };
}
