import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { downloadCacheIn } from '../apps/python/download-cache.ts';
import { wheelFolderName } from '../apps/python/sdk-wheel.ts';
import { byteText } from '../contract/common/byte-text.ts';
import { pathExists } from '../shared/async/succeeds.ts';
import { broken, type CheckContext, type Finding, untidy } from './check.ts';
import { pythonRuns } from './environment-health.ts';

/** More that no app uses is worth pruning. */
const LARGE_CACHE_BYTES = 1024 ** 3;

/** Checks the installer's tools: environments with pip, wheels of the SDK, the download cache. Each is made again at need. */
export async function checkTools(context: CheckContext, largeCacheBytes = LARGE_CACHE_BYTES): Promise<Finding[]> {
  const { paths, isHeld } = context;
  const names = await readdir(paths.tools).catch(() => []);
  const [useless, old] = isHeld ? [[], []] : await Promise.all([brokenTools(names, context), oldTools(names, context)]);
  const findings: Finding[] = [];
  if (useless.length > 0) {
    const what = 'Tools of the installer are incomplete, have lost their Python, or were made in another folder.';
    findings.push(broken('tools-broken', what, useless.join(', '), { kind: 'remove', paths: useless }));
  }
  const unused = old.filter((path) => !useless.includes(path));
  if (unused.length > 0) {
    const what = 'Tools of an earlier Python or an earlier SDK are no longer used.';
    findings.push(untidy('tools-old', what, unused.join(', '), { kind: 'remove', paths: unused }));
  }
  return [...findings, ...(await largeCache(context, largeCacheBytes))];
}

async function brokenTools(names: readonly string[], { paths, run }: CheckContext): Promise<string[]> {
  const useless = await Promise.all(
    names.map(async (name) => {
      const path = join(paths.tools, name);
      if (/^sdk-[0-9a-f]+\./.test(name)) return path; // an unfinished wheel of the SDK
      if (name.startsWith('sdk-')) return (await hasNotMoved(path)) ? null : path;
      if (!name.startsWith('python-')) return null;
      const isWhole = (await pathExists(join(path, 'ready'))) && (await pythonRuns(path, run));
      return isWhole ? null : path;
    }),
  );
  return useless.filter((path) => path !== null);
}

/** Installs require the SDK's wheel by its full path, which changes when the data folder moves. */
async function hasNotMoved(wheelDir: string): Promise<boolean> {
  const constraints = await readFile(join(wheelDir, 'constraints.txt'), 'utf8').catch(() => '');
  return constraints.includes(`${pathToFileURL(await realpath(wheelDir)).href}/`);
}

/** The newest wheel need not be the one in use: an earlier version of the program may have come back. */
async function oldTools(names: readonly string[], { paths, python, sdkDir }: CheckContext): Promise<string[]> {
  const wheels = names.filter((name) => /^sdk-[0-9a-f]+$/.test(name));
  const used = wheels.length > 0 ? await wheelFolderName(sdkDir) : null;
  const old = names.filter(
    (name) =>
      (wheels.includes(name) && name !== used) ||
      (python && name.startsWith('python-') && !name.startsWith(`python-${python.version}-`)),
  );
  return old.map((name) => join(paths.tools, name));
}

async function largeCache({ paths, uv }: CheckContext, largeBytes: number): Promise<Finding[]> {
  const { path, bytes, unusedBytes } = await downloadCacheIn(paths.cache);
  if (unusedBytes <= largeBytes) return [];
  const what = `Downloads of installs take ${byteText(bytes)}, ${byteText(unusedBytes)} of them for no installed app.`;
  return [untidy('cache-large', what, path, { kind: 'prune-cache', uv, cacheDir: path })];
}
