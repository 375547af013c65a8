/** The archive of `npm run tarball`: its files, and its commands on a machine that has nothing else and no network. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { execa } from 'execa';
import { extract } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../daemon/assistant/create/create-app.ts';
import { daemonAt } from '../daemon/client/node/daemon-at.ts';
import { install } from '../daemon/client/node/install.ts';
import { AppTemplate } from '../daemon/contract/apps/own-apps.ts';
import { lineMatching } from '../daemon/testing/daemon/line-matching.ts';
import { projectDir } from './environment/project.ts';

let root: string;
let archive: string;
let printed: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'robot desktop tarball ')));
  const { stdout } = await execa(process.execPath, [join(projectDir, 'scripts', 'tarball.ts'), root]);
  printed = stdout;
  archive = join(root, (await readdir(root))[0] ?? '');
  await extract({ file: archive, cwd: root });
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('its files', () => {
  let paths: string[];
  beforeAll(async () => {
    const entries = await readdir(join(root, 'package'), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    paths = files.map(({ parentPath, name }) => relative(join(root, 'package'), join(parentPath, name)));
  });

  test('are those that run without Electron, and no others', () => {
    const kinds = paths.map((path) =>
      path
        .replace(/^dist\/node\/chunks\/[\w.-]+\.cjs$/, 'dist/node/chunks/CHUNK.cjs')
        .replace(
          /^dist\/renderer\/assets\/[\w.-]+\.((?:css|js)(?:\.br|\.gz)?|woff2?)$/,
          'dist/renderer/assets/CHUNK.$1',
        )
        .replace(/^(dist\/node\/prebuilds)\/([^/]+)\/@serialport\+bindings-cpp\.[\w.]+$/, '$1/$2/NATIVE')
        .replace(/^(assets\/(?!app-templates|sample-apps)[^/]+)\/.*(\.\w+)$/, '$1/…$2')
        .replace(/^(assets\/(?:app-templates|sample-apps)\/[^/]+)\/.*$/, '$1/…'),
    );
    expect([...new Set(kinds)].sort()).toEqual([
      'LICENSE',
      'README.md',
      'assets/app-templates/conversation/…',
      'assets/app-templates/default/…',
      'assets/catalog/….json',
      'assets/emulator/….py',
      'assets/hardware/….json',
      'assets/installer/….py',
      'assets/moves/….json',
      'assets/python-sdk/….md',
      'assets/python-sdk/….py',
      'assets/python-sdk/….toml',
      'assets/python-sdk/….typed',
      'assets/runtimes/….json',
      'assets/sample-apps/chat_reply/…',
      'assets/sample-apps/dance/…',
      'assets/sample-apps/hello_wave/…',
      'assets/sample-apps/look_around/…',
      'bin/folder-of-user.cjs',
      'bin/newer-node.cjs',
      'bin/robot-app-assistant.cjs',
      'bin/robot-daemon.cjs',
      'bin/run-built.cjs',
      'dist/node/app-assistant.cjs',
      'dist/node/chunks/CHUNK.cjs',
      'dist/node/command-line.cjs',
      'dist/node/daemon-arguments.cjs',
      'dist/node/gguf-reader.cjs',
      'dist/node/guard.cjs',
      'dist/node/prebuilds/darwin-x64+arm64/NATIVE',
      'dist/node/prebuilds/linux-arm/NATIVE',
      'dist/node/prebuilds/linux-arm64/NATIVE',
      'dist/node/prebuilds/linux-x64/NATIVE',
      'dist/node/prebuilds/win32-arm64/NATIVE',
      'dist/node/prebuilds/win32-x64/NATIVE',
      'dist/node/rescue.cjs',
      'dist/renderer/api-reference/index.html',
      'dist/renderer/assets/CHUNK.css',
      'dist/renderer/assets/CHUNK.css.br',
      'dist/renderer/assets/CHUNK.css.gz',
      'dist/renderer/assets/CHUNK.js',
      'dist/renderer/assets/CHUNK.js.br',
      'dist/renderer/assets/CHUNK.js.gz',
      'dist/renderer/assets/CHUNK.woff2',
      'dist/renderer/color-scheme.js',
      'dist/renderer/favicon.svg',
      'dist/renderer/index.html',
      'dist/renderer/load-again.js',
      'package.json',
    ]);
    // An author gets the tests of a template.
    const others = paths.filter((path) => !/^assets\/app-templates\/\w+\/tests\//.test(path));
    expect(others.filter((path) => /node_modules|__pycache__|\.egg-info|\.map$|\btests?\b|_test/.test(path))).toEqual(
      [],
    );
  });

  test('are bounded in number and size', async () => {
    expect(paths.length).toBeLessThan(600);
    const { size } = await stat(archive);
    expect(size).toBeLessThan(4_500_000);
    expect(printed).toBe(
      `${archive}: ${paths.length} files, ${(size / 1e6).toFixed(1)} MB. Run it: npx "file:${archive}" --auto`,
    );
  });

  test('name no folder of this machine', async () => {
    const own = [projectDir, dirname(await realpath(join(projectDir, 'node_modules')))];
    const texts = await Promise.all(paths.map((path) => readFile(join(root, 'package', path), 'latin1')));
    expect(paths.filter((_, index) => own.some((folder) => texts[index]?.includes(folder)))).toEqual([]);
  });

  test('hold each template of apps, complete', async () => {
    const created = async (assetsDir: string, template: AppTemplate) => {
      const destination = await mkdtemp(join(root, 'created-'));
      const templatesDir = join(assetsDir, 'app-templates');
      return (await createApp({ name: 'First wave', destination, template }, { templatesDir })).files;
    };
    for (const template of AppTemplate.options)
      expect(await created(join(root, 'package', 'assets'), template)).toEqual(
        await created(join(projectDir, 'assets'), template),
      );
  });
});

describe('on a machine with nothing in the home folder and in the cache of npm, and without a registry', () => {
  const folder = (name: string) => join(root, 'machine', name);
  const run = (program: string, ...args: readonly string[]) => {
    const env = {
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      HOME: folder('home'),
      npm_config_cache: folder('cache'),
      npm_config_registry: 'http://127.0.0.1:9/',
    };
    const options = { cwd: folder('cwd'), env, extendEnv: false, reject: false, forceKillAfterDelay: false } as const;
    return execa(program, args, options);
  };
  const installed = (name: string) => join(folder('prefix'), 'bin', name);

  beforeAll(async () => {
    for (const name of ['home', 'cache', 'cwd']) await mkdir(folder(name), { recursive: true });
    const npm = await run('npm', 'install', '--global', '--prefix', folder('prefix'), archive);
    expect(npm).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('added 1 package') });
  });

  test('npx runs the daemon with the dashboard, and a sample app is installed and started', async () => {
    const program = run('npx', '--yes', `file:${archive}`, '--sim', '--port', '0');
    try {
      const url = (await lineMatching(program.stdout, / is at (http:\S+)\/$/))?.[1] ?? expect.fail('no daemon');
      expect(await (await fetch(`${url}/`)).text()).toContain('<div id="root">');
      const daemon = daemonAt(url);
      const sample = (await daemon.call('listSampleApps')).find(({ name }) => name === 'dance');
      expect(await install(daemon, sample?.url ?? '')).toMatchObject({ state: 'done', failure: null });
      expect(await run(installed('robot-daemon'), 'app', 'start', 'dance')).toMatchObject({ exitCode: 0 });
      expect(await daemon.call('getAppSlot')).toMatchObject({ state: 'running', holder: { appName: 'dance' } });
      // npx has the commands on a PATH of its own: a terminal needs their files.
      const { terminal } = await daemon.call('getDaemonStatus');
      expect(terminal?.program.join(' ')).toMatch(/node \S.*bin\/robot-daemon\.cjs$/);
      const runtimes = (await daemon.call('listRuntimes')).runtimes.map(({ id, problem }) => ({ id, problem }));
      expect(runtimes).toContainEqual({
        id: 'bundled',
        problem: 'This installation comes without it. It runs models of llama.cpp with llama-server or in containers.',
      });
    } finally {
      expect(await run(installed('robot-daemon'), 'stop')).toMatchObject({ exitCode: 0 });
      expect((await program).exitCode).toBe(0);
    }
  });

  test('robot-daemon sdk path prints a wheel, and robot-app-assistant creates an app that its check accepts', async () => {
    const { stdout: wheel } = await run(installed('robot-daemon'), 'sdk', 'path');
    expect((await stat(wheel)).isFile()).toBe(true);
    expect(await run(installed('robot-app-assistant'), 'create', 'First wave', '.')).toMatchObject({ exitCode: 0 });
    const check = await run(installed('robot-app-assistant'), 'check', 'first_wave', '--no-build', '--json');
    expect(JSON.parse(check.stdout)).toMatchObject({ findings: [] });
  });

  test('an older Node gets one sentence', async () => {
    const older = join(root, 'older.cjs');
    await writeFile(older, "Object.defineProperty(process, 'versions', { value: { node: '20.1.0' } });");
    for (const name of ['robot-daemon', 'robot-app-assistant'])
      expect(await run(process.execPath, '--require', older, installed(name))).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: `${name} needs Node 24 or newer, and this is ${process.version}. Install it from nodejs.org.`,
      });
  });
});
