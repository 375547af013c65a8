/** Builds the dashboard into dist/renderer; with `--if-changed` only when what it is made of has changed. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from './project.ts';

const stampFile = join(projectDir, 'dist', 'renderer', '.built-from');
const madeOf = ['renderer', 'daemon/contract', 'daemon/client', 'vite.config.ts', 'package-lock.json'];

/** @returns whether there was anything to build */
export async function buildRenderer(options: { always?: boolean } = {}): Promise<boolean> {
  const wanted = await contentHash();
  const have = await readFile(stampFile, 'utf8').catch(() => '');
  if (have === wanted && !options.always) return false;
  await buildForProduction();
  await writeFile(stampFile, wanted);
  return true;
}

/** Whatever the environment says: a test runner sets what would make it the page for development. */
async function buildForProduction(): Promise<void> {
  const { NODE_ENV: before = '' } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    const { build } = await import('vite');
    await build({ configFile: join(projectDir, 'vite.config.ts'), logLevel: 'warn' });
  } finally {
    process.env['NODE_ENV'] = before;
  }
}

async function contentHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const part of madeOf) {
    for (const path of await filesIn(part)) hash.update(path).update(await readFile(join(projectDir, path)));
  }
  return hash.digest('hex');
}

async function filesIn(part: string): Promise<string[]> {
  if (/\.\w+$/.test(part)) return [part];
  const entries = await readdir(join(projectDir, part), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name));
  return files.map((entry) => join(entry.parentPath, entry.name).slice(projectDir.length + 1)).sort();
}

if (import.meta.main && (await buildRenderer({ always: !process.argv.includes('--if-changed') }))) {
  console.log('Built the dashboard.');
}
