/** The step before every command: installs the dependencies and builds dist/, each only if it is stale. */
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectDir } from './environment/project.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-tree-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @returns its output and exit code */
async function setup(tree: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const options = { env, all: true, stripFinalNewline: false, reject: false } as const;
  const { exitCode, all } = await execa(process.execPath, [join(tree, 'scripts', 'setup.mjs'), ...args], options);
  return { code: exitCode, text: all };
}

describe('the build', () => {
  const build = () => setup(join(folder, 'tree'), ['--build']);
  const help = () =>
    execa(process.execPath, [join(folder, 'tree', 'bin', 'robot-daemon.cjs'), '--help'], { stripFinalNewline: false });
  const built = (part: string, file: string) => readFile(join(folder, 'tree', 'dist', part, file), 'utf8');
  const building = { code: 0, text: expect.stringContaining('Building the changed sources') };

  beforeAll(async () => {
    const tree = join(folder, 'tree');
    await mkdir(tree);
    const names = ['bin', 'daemon', 'docs', 'electron', 'renderer', 'scripts', 'LICENSE'];
    for (const name of [...names, 'package.json', 'package-lock.json']) {
      await cp(join(projectDir, name), join(tree, name), { recursive: true });
    }
    for (const name of await readdir(projectDir)) {
      if (/config.*\.(ts|json)$/.test(name)) await cp(join(projectDir, name), join(tree, name));
    }
    await borrowModules(join(tree, 'node_modules'));
  });

  /** Links each package, not the folder: an installation in the tree then removes links, not the project's packages. */
  async function borrowModules(to: string): Promise<void> {
    const from = join(projectDir, 'node_modules');
    await mkdir(to);
    for (const name of await readdir(from)) {
      if (name === '.installed' || name === '.package-lock.json') await cp(join(from, name), join(to, name));
      else if (name !== '.cache') await symlink(join(from, name), join(to, name));
    }
  }

  test('is missing at first: the command says how to build', async () => {
    await expect(help()).rejects.toMatchObject({
      exitCode: 1,
      stderr: `robot-daemon is not built yet. Run "npm run build" in ${join(folder, 'tree')}.\n`,
    });
  });

  test('runs at the first start, without a warning, and not again', async () => {
    expect(await build()).toEqual({ code: 0, text: 'Building the changed sources (a few seconds)…\n' });
    expect((await help()).stdout).toContain('Usage: robot-daemon');
    expect(await build()).toEqual({ code: 0, text: '' });
  });

  test('runs again after an edit, for the edited part only', async () => {
    const [page, program] = await Promise.all([built('renderer', '.built-from'), built('node', '.built-from')]);
    const file = join(folder, 'tree', 'daemon', 'cli', 'robot-daemon.ts');
    await writeFile(file, (await readFile(file, 'utf8')).replace('Runs the daemon', 'Brings up the daemon'));
    await writeFile(join(folder, 'tree', 'daemon', 'left-over.ts'), 'export {};\n');
    expect(await build()).toEqual(building);
    expect((await help()).stdout).toContain('Brings up the daemon');
    expect(await built('node', '.built-from')).not.toBe(program);
    expect(await built('renderer', '.built-from')).toBe(page);
  });

  test('does not run again for a changed test', async () => {
    await appendFile(join(folder, 'tree', 'daemon', 'cli', 'daemon-arguments.test.ts'), '\n');
    expect(await build()).toEqual({ code: 0, text: '' });
  });

  test('keeps the previous build when it fails, and says so', async () => {
    const file = join(folder, 'tree', 'daemon', 'cli', 'status.ts');
    const whole = join(folder, 'status.ts');
    await rename(file, whole);
    await writeFile(file, `${await readFile(whole, 'utf8')}\nconst = 1;\n`);
    const { code, text } = await build();
    expect(code).toBe(1);
    expect(text).toContain('status.ts');
    expect(text).toContain('The build failed. The previous build is still in place.');
    expect((await help()).stdout).toContain('Brings up the daemon');
    await rename(whole, file); // as it was: nothing to build
    expect(await build()).toEqual({ code: 0, text: '' });
  });

  test('runs again after a deletion, and is complete after two concurrent builds, with no temporary files', async () => {
    await rm(join(folder, 'tree', 'daemon', 'left-over.ts'));
    expect(await Promise.all([build(), build()])).toEqual([building, building]);
    expect((await help()).stdout).toContain('Brings up the daemon');
    expect((await readdir(join(folder, 'tree', 'dist'))).sort()).toEqual(['.compile-cache', 'node', 'renderer']);
    expect(await build()).toEqual({ code: 0, text: '' });
  });
});

describe('the dependencies', () => {
  const tree = () => join(folder, 'small');
  const installing = expect.stringContaining('Installing dependencies');
  const npm = (...args: string[]) => execa('npm', args, { cwd: tree(), env: { npm_config_offline: 'true' } });

  /** A project with a dependency, and one for development, from local files. */
  beforeAll(async () => {
    for (const [path, version, name = 'part'] of [
      ['parts/one', '1.0.0'],
      ['parts/two', '2.0.0'],
      ['parts/tool', '1.0.0', 'tool'],
    ] as const) {
      const cwd = join(tree(), path);
      await mkdir(join(cwd, 'package'), { recursive: true });
      await writeFile(join(cwd, 'package', 'package.json'), JSON.stringify({ name, version }));
      await execa('tar', ['-czf', join('..', `${name}-${version}.tgz`), 'package'], { cwd }); // as npm packs it
    }
    await mkdir(join(tree(), 'scripts'));
    for (const name of ['setup.mjs', 'fresh-build.mjs', 'npm-record.mjs']) {
      await cp(join(projectDir, 'scripts', name), join(tree(), 'scripts', name));
    }
    await depend('1.0.0');
  });
  async function depend(version: string): Promise<void> {
    const manifest = {
      name: 'small',
      dependencies: { part: `file:parts/part-${version}.tgz` },
      devDependencies: { tool: 'file:parts/tool-1.0.0.tgz' },
    };
    await writeFile(join(tree(), 'package.json'), JSON.stringify(manifest));
    await npm('install', '--package-lock-only');
  }

  const has = (name: string) => existsSync(join(tree(), 'node_modules', name, 'package.json'));

  test('are installed once: at first those of a start, the others when a command needs them', async () => {
    expect(await setup(tree(), ['--omit=dev'])).toEqual({ code: 0, text: installing });
    expect([has('part'), has('tool')]).toEqual([true, false]);
    expect(await setup(tree(), ['--omit=dev'])).toEqual({ code: 0, text: '' });
    const marker = join(tree(), 'node_modules', 'part', 'kept');
    await writeFile(marker, '');
    expect(await setup(tree())).toEqual({ code: 0, text: expect.stringContaining('Installing what checks') });
    expect([has('part'), has('tool'), existsSync(marker)]).toEqual([true, true, true]);
    expect(await setup(tree())).toEqual({ code: 0, text: '' });
    expect(await setup(tree(), ['--omit=dev'])).toEqual({ code: 0, text: '' });
  });

  test('are not installed again after npm ci by hand', async () => {
    await npm('ci');
    expect(await setup(tree())).toEqual({ code: 0, text: '' });
  });

  test('are installed again when package-lock.json has another version', async () => {
    await depend('2.0.0');
    expect(await setup(tree())).toEqual({ code: 0, text: installing });
    expect(JSON.parse(await readFile(join(tree(), 'node_modules', 'part', 'package.json'), 'utf8')).version).toBe(
      '2.0.0',
    );
  });

  test('are installed again after an interrupted npm', async () => {
    await rm(join(tree(), 'node_modules', '.installed'));
    await rm(join(tree(), 'node_modules', '.package-lock.json')); // written last
    expect(await setup(tree())).toEqual({ code: 0, text: installing });
  });
});
