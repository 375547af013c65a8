import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';

/** The packages of node-llama-cpp with native code that needs no graphics card. */
const NATIVE: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

const Package = z.object({ version: z.string() });

/** The archive for npm comes without the runner: its packages take 70 MB. */
const NOT_INCLUDED =
  'This installation comes without it. It runs models of llama.cpp with llama-server or in containers.';

/**
 * Looks for node-llama-cpp and its native package where a program would find them, without loading either.
 * @param program the path of the program that imports them
 * @returns the version, or the reason why they cannot be used, a sentence
 */
export async function bundledPackage(
  program: string,
  platform: NodeJS.Platform,
  arch: string,
): Promise<{ readonly version: string } | { readonly problem: string }> {
  const native = NATIVE[`${platform}-${arch}`];
  if (native === undefined) return { problem: `There is no bundled llama.cpp for ${platform} on ${arch}.` };
  if (!(await exists(program))) return { problem: NOT_INCLUDED };
  const [version, hasNative] = await Promise.all([
    versionOf('node-llama-cpp', program),
    versionOf(`@node-llama-cpp/${native}`, program),
  ]);
  if (version === null || hasNative === null) {
    const missing = version === null ? 'node-llama-cpp' : `@node-llama-cpp/${native}`;
    return { problem: `The package ${missing} is not installed. Install Robot Desktop again.` };
  }
  return { version };
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function versionOf(name: string, program: string): Promise<string | null> {
  for (let folder = dirname(program); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) return Package.parse(JSON.parse(text)).version;
    if (folder === dirname(folder)) return null;
  }
}
