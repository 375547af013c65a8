/**
 * Builds folders of dist/: `node scripts/build.ts node=<stamp> renderer=<stamp>`. The stamp says what each is built from;
 * fresh-build.mjs makes and compares it.
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { projectDir } from './environment/project.ts';

const dist = join(projectDir, 'dist');
const configs = { node: 'vite.node.config.ts', renderer: 'vite.config.ts' };
type Part = keyof typeof configs;

// Else a test runner's environment would make it the page for development.
process.env['NODE_ENV'] = 'production';
await mkdir(dist, { recursive: true });
try {
  await Promise.all(process.argv.slice(2).map((argument) => buildPart(...(argument.split('=') as [Part, string]))));
} catch (error) {
  console.error(`${(error as Error).message}\nThe sources could not be built. What was built before is still there.`);
  process.exitCode = 1;
}

/** Builds beside the folder that is in use, which is replaced only by a whole one. */
async function buildPart(part: Part, stamp: string): Promise<void> {
  const made = join(dist, `.${part}-${randomUUID()}`);
  try {
    await build({
      configFile: join(projectDir, configs[part]),
      configLoader: 'native',
      logLevel: 'warn',
      build: { outDir: made, emptyOutDir: true },
    });
    if (part === 'node') await copySerialPortBinding(made);
    await writeFile(join(made, '.built-from'), stamp);
    await replace(join(dist, part), made);
    // Node compiled it from the build before.
    if (part === 'node') await rm(join(dist, '.compile-cache'), { recursive: true, force: true });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** The serial port's native code, for this system: no bundler takes it along. */
async function copySerialPortBinding(folder: string): Promise<void> {
  const prebuilds = join(projectDir, 'node_modules', '@serialport', 'bindings-cpp', 'prebuilds');
  for (const name of await readdir(prebuilds)) {
    if (name.startsWith(process.platform)) {
      await cp(join(prebuilds, name), join(folder, 'prebuilds', name), { recursive: true });
    }
  }
}

/** Puts a folder in the place of another. Of two builds at once the later one stays. */
async function replace(folder: string, by: string): Promise<void> {
  const old = `${by}-old`;
  for (let attempts = 0; ; attempts++) {
    await rename(folder, old).catch(() => {}); // there is none yet
    try {
      await rename(by, folder);
      break;
    } catch (error) {
      if (attempts === 10) throw error; // else another build has just put its own there
      await rm(old, { recursive: true, force: true });
    }
  }
  await rm(old, { recursive: true, force: true });
}
