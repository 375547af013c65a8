#!/usr/bin/env node
/**
 * Builds a deb with dpkg-deb from the arguments that electron-builder gives to fpm, which it would download. It runs
 * where CUSTOM_FPM_PATH names it. With SOURCE_DATE_EPOCH (Unix time) the same files make the same package.
 */
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { controlFile } from './control-file.ts';
import { BadFpmArguments, type DebArguments, parseFpmArguments } from './fpm-arguments.ts';
import { copyInto, entriesBelow, installedKb, md5sums, setTimes } from './package-tree.ts';

/** dpkg-deb's names of compressions. */
const compressions: Readonly<Record<string, string>> = { gz: 'gzip', xz: 'xz', zst: 'zstd' };

try {
  await buildDeb(parseFpmArguments(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof BadFpmArguments)) throw error;
  console.error(`build-deb: ${error.message}`);
  process.exitCode = 2;
}

async function buildDeb(deb: DebArguments): Promise<void> {
  const compression = compressions[deb.compression];
  if (!compression) throw new BadFpmArguments(`--deb-compression must be gz, xz or zst, not ${deb.compression}.`);
  const root = await mkdtemp(join(tmpdir(), 'robot-desktop-deb-'));
  try {
    await chmod(root, 0o755);
    for (const { from, to } of deb.files) await copyInto(root, from, to.replace(/\/$/, ''));
    await addControl(root, deb);
    const epochS = Number(process.env['SOURCE_DATE_EPOCH'] ?? Math.floor(Date.now() / 1000));
    await setTimes(root, epochS);
    const level = deb.compressionLevel === null ? [] : [`-z${deb.compressionLevel}`];
    await execa('dpkg-deb', ['--root-owner-group', `-Z${compression}`, ...level, '--build', root, deb.output], {
      env: { SOURCE_DATE_EPOCH: String(epochS) },
      stdout: 'ignore',
      stderr: 'inherit',
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function addControl(root: string, deb: DebArguments): Promise<void> {
  const entries = await entriesBelow(root);
  const control = join(root, 'DEBIAN');
  const settings = entries.filter(({ path, isFile }) => isFile && path.startsWith('etc/'));
  await mkdir(control);
  await chmod(control, 0o755);
  await write(join(control, 'control'), controlFile(deb, installedKb(entries)));
  await write(join(control, 'md5sums'), await md5sums(root, entries));
  // dpkg keeps a user's changes to these.
  if (settings.length > 0) await write(join(control, 'conffiles'), settings.map(({ path }) => `/${path}\n`).join(''));
  for (const [name, file] of Object.entries(deb.scripts)) {
    await copyFile(file, join(control, name));
    await chmod(join(control, name), 0o755);
  }
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o644);
}
