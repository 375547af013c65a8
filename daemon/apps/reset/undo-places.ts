import { basename, relative } from 'node:path';
import { takenByPackages } from '../installed/saved-files.ts';
import { packagesDirOf } from '../python/python-env.ts';
import { type FoundContents, isEmpty } from './app-contents.ts';
import { SavedSinceReset } from './errors.ts';
import type { StoredReset } from './reset-record.ts';

/** Where the things of an installed app are. */
export interface AppPlaces {
  readonly name: string;
  /** The folder of the app. */
  readonly folder: string;
  /** Its live environment. */
  readonly live: string;
  /** The environment of the version before; null: there is none. */
  readonly before: string | null;
}

export interface UndoOptions {
  /** Removes what the app has saved since, and the variables that were set; default: such an undo is refused. */
  readonly replace?: boolean | undefined;
}

/** A reset with the places that it goes back to. */
export interface PlacedReset {
  readonly reset: StoredReset;
  /** The files beside the code that cannot go back, since the live version has something of its own there. */
  readonly leftOut: readonly string[];
}

/** The folder of packages of an environment, from the folder of the app. */
export async function packagesIn(folder: string, envDir: string): Promise<string> {
  return relative(folder, (await packagesDirOf(envDir)) ?? envDir);
}

/**
 * Says where a reset goes back to. Files beside the code go to the environment that they were in; once that is removed, to
 * the live one, as an update would have carried them.
 */
export async function placesOf(reset: StoredReset, { folder, live, before }: AppPlaces): Promise<PlacedReset> {
  const isThere = [live, before].some((envDir) => envDir !== null && basename(envDir) === reset.env);
  if (isThere || reset.besideCode.length === 0) return { reset, leftOut: [] };
  const leftOut = await takenByPackages(live, reset.besideCode);
  const left = new Set(leftOut);
  const besideCode = reset.besideCode.filter((path) => !left.has(path));
  return { reset: { ...reset, env: basename(live), packages: await packagesIn(folder, live), besideCode }, leftOut };
}

/** @param newer what an undo would remove @throws SavedSinceReset when that is anything, unless it is asked for */
export function requireNoLoss(
  name: string,
  newer: FoundContents,
  { leftOut }: PlacedReset,
  { replace = false }: UndoOptions,
): void {
  if (!replace && !(isEmpty(newer) && leftOut.length === 0)) throw new SavedSinceReset(name, newer, leftOut);
}
