/** The modules that the start of a daemon loads. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { lineMatching } from '../testing/daemon/line-matching.ts';
import { NO_HUB, newDataDir, robotDaemonProgram } from '../testing/daemon/test-daemon.ts';

/** A line of the parser's own code, which keeps its form in the bundle. */
const PARSER = 'class Command extends';
/** One of the library that runs containers. */
const CONTAINERS = 'X-Registry-Auth';
/** Writes the loaded files when the process ends. */
const listing = (file: string) =>
  `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(Object.keys(require.cache))));`;

test('the start of a daemon loads neither the parser of the commands, as a command does, nor what runs containers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-loaded-'));
  const dataDir = await newDataDir([]);
  const file = join(folder, 'loaded.json');
  const hook = join(folder, 'hook.cjs');
  await writeFile(hook, listing(file));
  const has = async (code: string) => {
    const paths = (JSON.parse(await readFile(file, 'utf8')) as string[]).filter((path) => path.includes('dist'));
    expect(paths.length).toBeGreaterThan(3);
    const sources = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    return sources.some((source) => source.includes(code));
  };
  const run = (...args: string[]) =>
    execa(process.execPath, ['-r', hook, robotDaemonProgram, ...args, '--data-dir', dataDir], { reject: false });

  const daemon = run('--sim', '--port', '0', '--hub', NO_HUB, '--no-wake-up-on-start');
  await lineMatching(daemon.stdout, / is at http:\S+\/$/);
  daemon.kill('SIGTERM');
  expect((await daemon).exitCode).toBe(0);
  expect([await has(PARSER), await has(CONTAINERS)]).toEqual([false, false]);
  await run('status');
  expect(await has(PARSER)).toBe(true);
  for (const each of [folder, dataDir]) await rm(each, { recursive: true, force: true });
});
