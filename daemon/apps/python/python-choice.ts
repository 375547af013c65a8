import { minor, rcompare } from '@renovatebot/pep440';
import type { PythonChoice } from '../../app-package/python-finding.ts';
import { fitsPython } from '../../app-package/python-range.ts';
import { isSupported } from './probe-python.ts';
import type { Python } from './python-finder.ts';

export interface ChoiceDeps {
  /** The Python of the app's installed version; null: none, or it no longer runs. */
  readonly current: () => Promise<Python | null>;
  readonly preferred: Python;
  /** Searches for the installed ones, the newest first. */
  readonly installed: () => Promise<readonly Python[]>;
  /** Finds a version that can be downloaded, or null. */
  readonly downloadable: (requiresPython: string) => Promise<string | null>;
}

/** Chooses an app's Python: that of its installed version, else the preferred one, else the newest installed one that suits. */
export async function choosePython(requiresPython: string | null, deps: ChoiceDeps): Promise<PythonChoice<Python>> {
  const { preferred } = deps;
  const fits = (python: Python) => fitsPython(requiresPython, python.version);
  const current = await deps.current();
  const known = [current, preferred].find((python) => python !== null && fits(python));
  if (known) return { chosen: known, preferred, installed: [known.version], download: null };
  const found = await deps.installed();
  const installed = [...new Set([preferred, ...found].map(({ version }) => version))].sort(rcompare);
  const chosen = found.find(fits) ?? null;
  const download = chosen || requiresPython === null ? null : await deps.downloadable(requiresPython);
  return { chosen, preferred, installed, download };
}

/**
 * Of the versions that can be downloaded, the newest of the release that is nearest to the preferred Python: the packages
 * of an app usually exist for the release that its author uses, and later for newer ones.
 * @returns null when none suits
 */
export function nearestPython(versions: readonly string[], requiresPython: string, preferred: string): string | null {
  const distance = (version: string) => Math.abs(minor(version) - minor(preferred));
  const suitable = versions.filter((version) => isSupported(version) && fitsPython(requiresPython, version));
  suitable.sort((a, b) => distance(a) - distance(b) || rcompare(a, b));
  return suitable[0] ?? null;
}
