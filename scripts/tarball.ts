/**
 * `npm run tarball`: packs the daemon, the dashboard and the commands, which need no Electron, into one archive that npm
 * installs and `npx` runs, in release/. `npm run tarball -- <folder>` puts it there instead.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { execa } from 'execa';
import { projectDir } from './environment/project.ts';

/** The parts of the tree that run without Electron. */
const included = ['bin', 'dist/node', 'dist/renderer', 'assets'];
/** Their files for Electron, for developers and for the bundled llama.cpp, whose packages are too large. */
const omitted = [
  /^dist\/node\/(main|llama-runner)\.cjs$/,
  /^dist\/node\/prebuilds$/, // of this system only
  /^dist\/\w+\/\.built-from$/,
  /^assets\/icons$/,
  /^assets\/(installer|python-sdk)\/tests$/,
  /^assets\/app-templates\/pyrightconfig\.json$/,
  /(^|\/)(__pycache__|\.pytest_cache|\.venv|[^/]+\.egg-info)$/,
];
/** The systems that Node 24 runs on, of those that the serial port's library has native code for. */
const system = /^(linux|darwin|win32)-(?!ia32)/;

const destination = resolve(process.argv[2] ?? join(projectDir, 'release'));
const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-tarball-'));
try {
  await fill(folder);
  await mkdir(destination, { recursive: true });
  const { stdout } = await execa('npm', ['pack', '--json', '--pack-destination', destination], { cwd: folder });
  const [packed] = JSON.parse(stdout) as [{ filename: string; size: number; entryCount: number }];
  const file = join(destination, packed.filename);
  console.log(
    `${file}: ${packed.entryCount} files, ${(packed.size / 1e6).toFixed(1)} MB. Run it: npx "file:${file}" --auto`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function fill(folder: string): Promise<void> {
  const isIncluded = (path: string) => {
    const name = relative(projectDir, path).split(sep).join('/');
    return !omitted.some((pattern) => pattern.test(name));
  };
  for (const part of included)
    await cp(join(projectDir, part), join(folder, part), { recursive: true, filter: isIncluded });
  await cp(join(projectDir, 'LICENSE'), join(folder, 'LICENSE'));
  await cp(join(projectDir, 'docs', 'without-electron.md'), join(folder, 'README.md'));
  const prebuilds = join(projectDir, 'node_modules', '@serialport', 'bindings-cpp', 'prebuilds');
  for (const name of (await readdir(prebuilds)).filter((name) => system.test(name)))
    await cp(join(prebuilds, name), join(folder, 'dist', 'node', 'prebuilds', name), { recursive: true });
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
}

/** All that the commands load is bundled: the package has no dependencies. */
async function manifest(): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(join(projectDir, 'package.json'), 'utf8');
  const { name, version, description, license, author, engines, bin } = JSON.parse(text);
  // npx runs the command that is called as the package.
  const commands = { [name]: bin['robot-daemon'], ...bin };
  return { name, version, description, license, author, engines, bin: commands, files: ['bin', 'dist', 'assets'] };
}
