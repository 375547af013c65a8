import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import * as z from 'zod';

const Pyproject = z.object({ project: z.object({ version: z.string() }) });

/** The version of the shipped SDK, `1.0.0`. */
export async function readSdkVersion(sdkDir: string): Promise<string> {
  const text = await readFile(join(sdkDir, 'pyproject.toml'), 'utf8');
  return Pyproject.parse(parseToml(text)).project.version;
}
