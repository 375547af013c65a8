/**
 * Builds folders of dist/: `node scripts/build.ts node=<stamp> renderer=<stamp>`. The stamp identifies the sources;
 * fresh-build.mjs computes and compares it.
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { guardInputs } from '../vite.guard.config.ts';
import { projectDir } from './environment/project.ts';

const dist = join(projectDir, 'dist');
const configs = { node: 'vite.node.config.ts', renderer: 'vite.config.ts' };
type Part = keyof typeof configs;

// Else a test runner's environment would produce a development build.
process.env['NODE_ENV'] = 'production';
await mkdir(dist, { recursive: true });
try {
  await Promise.all(process.argv.slice(2).map((argument) => buildPart(...(argument.split('=') as [Part, string]))));
} catch (error) {
  console.error(`${(error as Error).message}\nThe build failed. The previous build is still in place.`);
  process.exitCode = 1;
}

/** Builds into a new folder, which replaces the one in use when it is complete. */
async function buildPart(part: Part, stamp: string): Promise<void> {
  const made = join(dist, `.${part}-${randomUUID()}`);
  try {
    await build({
      configFile: join(projectDir, configs[part]),
      configLoader: 'native',
      logLevel: 'warn',
      build: { outDir: made, emptyOutDir: true },
    });
    if (part === 'node') {
      await build({
        configFile: join(projectDir, 'vite.runner.config.ts'),
        configLoader: 'native',
        logLevel: 'warn',
        build: { outDir: made, emptyOutDir: false },
      });
      for (const [name, file] of Object.entries(guardInputs)) await buildGuard(made, name, file);
      await copySerialPortBinding(made);
    }
    if (part === 'renderer') await compressFiles(join(made, 'assets'));
    await writeFile(join(made, '.built-from'), stamp);
    await replace(join(dist, part), made);
    // Node's cache of the previous build.
    if (part === 'node') await rm(join(dist, '.compile-cache'), { recursive: true, force: true });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function buildGuard(outDir: string, name: string, file: string): Promise<void> {
  await build({
    configFile: join(projectDir, 'vite.guard.config.ts'),
    configLoader: 'native',
    logLevel: 'warn',
    build: { outDir, emptyOutDir: false, rolldownOptions: { input: { [name]: file } } },
  });
}

/** Copies the serial port's native code for this system, which bundlers omit. */
async function copySerialPortBinding(folder: string): Promise<void> {
  const prebuilds = join(projectDir, 'node_modules', '@serialport', 'bindings-cpp', 'prebuilds');
  for (const name of await readdir(prebuilds)) {
    if (name.startsWith(process.platform)) {
      await cp(join(prebuilds, name), join(folder, 'prebuilds', name), { recursive: true });
    }
  }
}

/** Writes each script and style sheet again as brotli and as gzip, as daemon/http/dashboard.ts sends it. */
async function compressFiles(folder: string): Promise<void> {
  // The first start waits for it: a higher quality, or this one for large files, takes four times as long, and saves 2 %.
  const qualityOf = ({ length }: Buffer) => (length < 400_000 ? 10 : 9);
  const files = (await readdir(folder)).filter((name) => /\.(?:js|css)$/.test(name)).map((name) => join(folder, name));
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: qualityOf(content) };
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

/** Replaces a folder. Of two concurrent builds the later one wins. */
async function replace(folder: string, by: string): Promise<void> {
  const old = `${by}-old`;
  for (let attempts = 0; ; attempts++) {
    await rename(folder, old).catch(() => {}); // the first build
    try {
      await rename(by, folder);
      break;
    } catch (error) {
      if (attempts === 10) throw error; // else another build has just replaced it
      await rm(old, { recursive: true, force: true });
    }
  }
  await rm(old, { recursive: true, force: true });
}
