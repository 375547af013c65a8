import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JobFailed } from '../../jobs/errors.ts';
import { displayText } from '../../shared/display-text.ts';

/** A part of a repository that is a repository of its own, and whose files are not there. */
export interface MissingSubmodule {
  /** From the top of the repository, with slashes. */
  readonly path: string;
  readonly url: string;
}

const MAX_BYTES = 64 * 1024;
const MAX_SUBMODULES = 50;
/** Failures that files of a submodule would have prevented. */
const affected: ReadonlySet<string> = new Set([
  'not-found',
  'not-an-app',
  'build',
  'import-error',
  'dependency-conflict',
]);

/** The submodules of a checked-out repository without their files. Never throws. */
export async function missingSubmodules(repository: string): Promise<MissingSubmodule[]> {
  const text = await readFile(join(repository, '.gitmodules'), 'utf8').catch(() => '');
  const missing: MissingSubmodule[] = [];
  for (const { path, url } of parseSubmodules(text.slice(0, MAX_BYTES)).slice(0, MAX_SUBMODULES)) {
    const files = await readdir(join(repository, path)).catch(() => []);
    if (files.length === 0) missing.push({ path, url });
  }
  return missing;
}

function parseSubmodules(text: string): MissingSubmodule[] {
  return text.split(/^\s*\[submodule\b.*$/m).flatMap((section) => {
    const value = (key: string) => new RegExp(`^\\s*${key}\\s*=\\s*(.+?)\\s*$`, 'm').exec(section)?.[1];
    const path = value('path')?.replaceAll(/^"|"$|\/+$/g, '');
    if (path === undefined || path === '' || path.split('/').includes('..') || path.startsWith('/')) return [];
    return [{ path, url: value('url') ?? '' }];
  });
}

/**
 * Names the submodule that a failed install lacks; other errors are returned unchanged. Submodules are not downloaded:
 * they name addresses of other servers, which the user has neither seen nor chosen.
 * @param isOwn whether the package is the user's own folder
 */
export function submoduleFailure(error: unknown, submodules: readonly MissingSubmodule[], isOwn: boolean): unknown {
  if (!(error instanceof JobFailed) || !affected.has(error.failure.reason)) return error;
  const { failure } = error;
  const text = [failure.message, ...failure.evidence].join('\n');
  const named = submodules.find((submodule) => isNamed(submodule, text));
  const submodule = named ?? (/No module named/.test(text) ? submodules[0] : undefined);
  if (!submodule) return error;
  const path = displayText(submodule.path, 120);
  const url = displayText(submodule.url, 200);
  return new JobFailed({
    ...failure,
    message: `${path} is a submodule, a part of it from another repository${url && ` (${url})`}, and ${
      isOwn ? 'is empty' : 'is not downloaded with it'
    }. ${named ? '' : 'The failure is likely due to that: '}${failure.message}`,
    action: isOwn
      ? 'Run git submodule update --init in the folder, then install it again.'
      : 'Clone it yourself with git clone --recurse-submodules, then install from that folder.',
  });
}

/** Whether a text names the path of a submodule, or the module that its folder would be. */
function isNamed({ path }: MissingSubmodule, text: string): boolean {
  const name = path.split('/').at(-1) ?? path;
  const modules = [name, name.replaceAll('-', '_'), name.replace(/^py(?:thon)?[-_]|[-_.]py(?:thon)?$/g, '')];
  return (
    mentions(text, path) ||
    mentions(text, path.replaceAll('/', '.')) ||
    modules.some(
      (module) => text.includes(`No module named '${module}'`) || text.includes(`No module named '${module}.`),
    )
  );
}

const mentions = (text: string, what: string) =>
  new RegExp(`(?<![\\w-])${what.replaceAll(/[^\w/]/g, '\\$&')}(?![\\w-])`).test(text);
