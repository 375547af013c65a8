import type { AppHost } from '../../app-package/check-app.ts';
import { fitsPython, type PythonChoice } from '../../app-package/python-finding.ts';

interface MorePythons {
  readonly standardModules?: readonly string[];
  readonly download?: string | null;
}

/** The choice of a Python on a machine with these versions, the preferred one first, the others from new to old. */
export function choiceOf(
  requiresPython: string | null,
  versions: readonly [string, ...string[]],
  { standardModules = [], download = null }: MorePythons = {},
): PythonChoice {
  const [preferred, ...others] = versions.map((version) => ({ version, standardModules: new Set(standardModules) }));
  if (!preferred) throw new Error('no Python');
  const chosen = [preferred, ...others].find(({ version }) => fitsPython(requiresPython, version)) ?? null;
  return { chosen, preferred, installed: [...versions], download: chosen ? null : download };
}

/** A host with these Pythons and the SDK 1.0.0. */
export function hostWith(versions: readonly [string, ...string[]], more: MorePythons = {}): AppHost {
  return { choosePython: async (range) => choiceOf(range, versions, more), sdkVersion: '1.0.0' };
}
