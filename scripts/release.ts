/**
 * `npm run release -- 1.2.0`: gives package.json, its lock file and the news of CHANGELOG.md this version, and commits and
 * tags that, once every area has passed its long run as it is. It pushes nothing. `npm run release -- 1.2.0 --folder <folder>` does it in another repository.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { projectDir } from './environment/project.ts';
import { openTests } from './suites/open-tests.ts';
import { releasedChangelog } from './versions/changelog.ts';
import { newerVersion } from './versions/newer-version.ts';

const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md'] as const;

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { folder: { type: 'string' } } });
  await release(values.folder ?? projectDir, positionals[0]);
} catch (error) {
  console.error(`Nothing is released. ${(error as Error).message}`);
  process.exitCode = 1;
}

async function release(folder: string, given: string | undefined): Promise<void> {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const git = async (...args: string[]) => (await execa('git', args, { cwd: folder })).stdout;
  const version = newerVersion(given, JSON.parse(await read('package.json')).version);
  const tag = `v${version}`;
  const changes = await git('status', '--porcelain', '--untracked-files=normal');
  if (changes) throw new Error(`There are changes that are not committed. Commit them, or undo them:\n${changes}`);
  const open = openTests(folder);
  if (open.length > 0) throw new Error(`Its long tests are not done:\n${open.join('\n')}\nRun: npm run torture`);
  if (await git('tag', '--list', tag)) throw new Error(`The tag ${tag} exists already. Choose a newer version.`);
  const texts = {
    'package.json': withVersion(await read('package.json'), version),
    'package-lock.json': withVersion(await read('package-lock.json'), version),
    'CHANGELOG.md': releasedChangelog(await read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10)),
  };
  const before = await git('rev-parse', 'HEAD');
  try {
    for (const name of FILES) await writeFile(join(folder, name), texts[name]);
    await git('commit', '--quiet', '--message', `Release ${version}`, ...FILES);
    await git('tag', '--annotate', '--message', `Robot Desktop ${version}`, tag);
  } catch (error) {
    await git('reset', '--quiet', '--hard', before); // also a commit that got no tag
    throw new Error(`Git refused it: ${(error as { stderr?: string }).stderr?.trim() || (error as Error).message}`);
  }
  console.log(`${version} is committed and tagged, and not published. To publish it: git push --follow-tags`);
}

/** A lock file has the version twice. */
function withVersion(text: string, version: string): string {
  const parsed = JSON.parse(text);
  parsed.version = version;
  if (parsed.packages?.['']) parsed.packages[''].version = version;
  return `${JSON.stringify(parsed, null, 2)}\n`;
}
