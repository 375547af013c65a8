import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse as parseToml } from 'smol-toml';
import * as z from 'zod';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { savingIn } from '../../shared/files/storage-errors.ts';
import type { RunStep } from './python-env.ts';

interface SdkWheel {
  readonly sdkWheel: string;
  /** A file that pins installs to the wheel. */
  readonly constraints: string;
}

interface SdkWheelDeps {
  readonly sdkDir: string;
  /** Holds the wheel. */
  readonly toolsDir: string;
  /** The interpreter that builds it. Asked for only when it is not there yet. */
  readonly python: () => Promise<{ readonly executable: string }>;
  readonly run: RunStep;
}

const BUILD_MS = 180_000;

/**
 * The SDK as a wheel, built once for each content of its folder, into which nothing is written.
 * @throws StorageError, CommandFailed, or the errors of `python`
 */
export function findSdkWheel(deps: SdkWheelDeps): Promise<SdkWheel> {
  return savingIn(deps.toolsDir, () => findOrBuild(deps));
}

async function findOrBuild({ sdkDir, toolsDir, python, run }: SdkWheelDeps): Promise<SdkWheel> {
  await makeFolder(toolsDir);
  const wheelDir = join(await realpath(toolsDir), await wheelFolderName(sdkDir));
  const existing = await wheelIn(wheelDir);
  if (existing) return existing;
  const { executable } = await python();
  const beside = await mkdtemp(`${wheelDir}.`);
  try {
    const script = 'import sys; from robot import build; build.build_wheel(sys.argv[1])';
    await run(executable, ['-B', '-c', script, beside], { cwd: sdkDir, deadlineMs: BUILD_MS });
    const built = (await readdir(beside)).find(isWheel) as string;
    // Also applies in the environments in which packages are built.
    const constraint = `robot-sdk @ ${pathToFileURL(join(wheelDir, built)).href}\n`;
    await writeFile(join(beside, 'constraints.txt'), constraint);
    await rename(beside, wheelDir);
    return (await wheelIn(wheelDir)) as SdkWheel;
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    // Another program, such as the daemon or the command line, may have built it meanwhile.
    const other = await wheelIn(wheelDir);
    if (other) return other;
    throw error;
  }
}

/** The name of the folder of an SDK's wheel among the tools: `sdk-` and 16 hexadecimal digits. @throws what reading the SDK throws */
export const wheelFolderName = async (sdkDir: string): Promise<string> => `sdk-${await contentHash(sdkDir)}`;

async function wheelIn(wheelDir: string): Promise<SdkWheel | null> {
  const wheel = (await readdir(wheelDir).catch(() => [])).find(isWheel);
  if (wheel === undefined) return null;
  return { sdkWheel: join(wheelDir, wheel), constraints: join(wheelDir, 'constraints.txt') };
}

const isWheel = (name: string) => name.endsWith('.whl');

/** A short hash of the files from which the wheel is built: the SDK's own, and the moves beside it. */
async function contentHash(sdkDir: string): Promise<string> {
  const hash = createHash('sha256');
  const assetsDir = dirname(sdkDir);
  const files = [...(await filesIn(join(sdkDir, 'robot'))), ...(await filesIn(join(assetsDir, 'moves')))];
  const paths = [join(sdkDir, 'pyproject.toml'), ...files.sort()];
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  for (const [index, path] of paths.entries()) {
    hash.update(path.slice(assetsDir.length)).update(contents[index] as Buffer);
  }
  return hash.digest('hex').slice(0, 16);
}

/** The files of a folder and of the folders in it, without caches. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name));
}

const Pyproject = z.object({ project: z.object({ version: z.string() }) });

/** The version of the shipped SDK, `1.0.0`. */
export async function readSdkVersion(sdkDir: string): Promise<string> {
  const text = await readFile(join(sdkDir, 'pyproject.toml'), 'utf8');
  return Pyproject.parse(parseToml(text)).project.version;
}
