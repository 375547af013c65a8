/** The contents of a package from `npm run package`, on Linux with the stand-in instead of Electron's binary. */
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractAll, listPackage } from '@electron/asar';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../daemon/assistant/create/create-app.ts';
import { daemonAt } from '../daemon/client/node/daemon-at.ts';
import { install } from '../daemon/client/node/install.ts';
import { AppTemplate } from '../daemon/contract/apps/own-apps.ts';
import { lineMatching } from '../daemon/testing/daemon/line-matching.ts';
import { newDataDir } from '../daemon/testing/daemon/test-daemon.ts';
import { startRunner } from '../daemon/testing/models/start-runner.ts';
import { projectDir } from './environment/project.ts';
import { packageSizes, sizesTable } from './packaging/package-sizes.ts';
import { packageConfiguration, packForTest } from './testing/test-package.ts';

test('electron-builder accepts every option of the configuration', async () => {
  // Its own check before it packs, which it does not export.
  const { validateConfiguration } = await import('app-builder-lib/out/util/config/config.js');
  const { DebugLogger } = await import('builder-util');
  const logger = new DebugLogger(false);
  await expect(validateConfiguration(await packageConfiguration(), logger)).resolves.toBeUndefined();
  await expect(validateConfiguration({ ...(await packageConfiguration()), colour: 'red' }, logger)).rejects.toThrow(
    'colour',
  );
});

test('it says at once that Electron cannot be downloaded', async () => {
  const env = { ELECTRON_MIRROR: 'http://127.0.0.1:9/' };
  const packing = execa(process.execPath, [join(projectDir, 'scripts', 'package.ts')], { env });
  await expect(packing).rejects.toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Electron cannot be downloaded, 127.0.0.1:9 does not answer'),
  });
});

describe.runIf(process.platform === 'linux')('the unpacked program', () => {
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'robot-desktop-package-'));
    program = join(folder, 'linux-unpacked');
    await packForTest(folder, 'dir');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('its archive holds the code that Electron runs and nothing else', async () => {
    const files = listPackage(join(program, 'resources', 'app.asar'), { isPack: false }).filter((path) =>
      /\.\w+$/.test(path),
    );
    const kinds = files.map((path) =>
      path
        .replace(/node\/chunks\/[^/]*\.cjs$/, 'node/chunks/CHUNK.cjs')
        .replace(new RegExp(`linux-${process.arch}/@serialport.*$`), 'NATIVE'),
    );
    expect([...new Set(kinds)].sort()).toEqual([
      '/dist/node/app-assistant.cjs',
      '/dist/node/chunks/CHUNK.cjs',
      '/dist/node/command-line.cjs',
      '/dist/node/daemon-arguments.cjs',
      '/dist/node/gguf-reader.cjs',
      '/dist/node/main.cjs',
      '/dist/node/prebuilds/NATIVE',
      '/package.json',
    ]);
  });

  test('the files for Python lie beside the archive, without tests', async () => {
    const assets = join(program, 'resources', 'assets');
    expect((await readdir(assets)).sort()).toEqual([
      'app-templates',
      'catalog',
      'emulator',
      'hardware',
      'icons',
      'installer',
      'moves',
      'python-sdk',
      'runtimes',
      'sample-apps',
    ]);
    expect((await readdir(join(assets, 'python-sdk'))).sort()).toEqual(['README.md', 'pyproject.toml', 'robot']);
    expect((await readdir(join(assets, 'installer'))).sort()).toEqual([
      'check_class',
      'import_check.py',
      'load_entry_point.py',
      'probe_python.py',
    ]);
    expect((await readdir(join(assets, 'sample-apps'))).sort()).toEqual([
      'chat_reply',
      'dance',
      'hello_wave',
      'look_around',
    ]);
    const all = await readdir(join(program, 'resources'), { recursive: true });
    // An author gets the tests of a template.
    const others = all.filter((path) => !/^node_modules|app-templates\/\w+\/tests/.test(path));
    expect(others.filter((path) => /node_modules|__pycache__|\.map$|\btests\b/.test(path))).toEqual([]);
  });

  test('beside it lie the dashboard, and Node with the commands that run on it from any folder', async () => {
    const resources = join(program, 'resources');
    expect(await readdir(join(resources, 'dist', 'renderer'))).toEqual(
      (await readdir(join(projectDir, 'dist', 'renderer'))).filter((name) => name !== '.built-from'),
    );
    const node = join(resources, 'node', 'bin', 'node');
    expect((await execa(node, ['--version'])).stdout).toBe(process.version);
    expect((await readdir(join(resources, 'node'))).sort()).toEqual(['LICENSE', 'bin']);
    const { version } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8'));
    const link = join(folder, 'a link');
    for (const command of ['robot-daemon', 'robot-app-assistant']) {
      await symlink(join(resources, 'bin', command), link);
      // Without another Node on PATH.
      const options = { cwd: tmpdir(), extendEnv: false, env: { PATH: '/usr/bin:/bin' } };
      expect((await execa(link, ['--version'], options)).stdout).toBe(version);
      await rm(link);
    }
    expect(await readdir(join(resources, 'dist'))).not.toContain('.compile-cache');
  });

  /** Megabytes of a million bytes, a tenth above what they are. More is a reason to look why. */
  const atMostMb = {
    'Node, for the commands': 140,
    'code that Electron runs': 8,
    'code of the commands': 9,
    dashboard: 4,
    'llama.cpp and its packages': 130,
    'Python and data': 8,
  };
  test('no part of it is larger than it should be', async () => {
    const sizes = await packageSizes(program, join(program, 'resources'));
    console.log(sizesTable(sizes));
    for (const [part, mb] of Object.entries(atMostMb)) {
      expect.soft((sizes.get(part) ?? 0) / 1e6, part).toBeLessThan(mb);
      expect.soft(sizes.get(part), part).toBeGreaterThan(0);
    }
  });

  test('apps are created from its templates, complete', async () => {
    const created = async (assetsDir: string, template: AppTemplate) => {
      const destination = await mkdtemp(join(folder, 'created-'));
      const templatesDir = join(assetsDir, 'app-templates');
      return (await createApp({ name: 'First wave', destination, template }, { templatesDir })).files;
    };
    for (const template of AppTemplate.options)
      expect(await created(join(program, 'resources', 'assets'), template)).toEqual(
        await created(join(projectDir, 'assets'), template),
      );
  });

  test('the program that serves models lies beside the archive with all that it loads, and answers', async () => {
    const packages = join(program, 'resources', 'node_modules');
    const native = [`linux-${process.arch}`, ...(process.arch === 'x64' ? ['linux-x64-vulkan'] : [])];
    expect((await readdir(join(packages, '@node-llama-cpp'))).sort()).toEqual(native);
    const file = join(program, 'resources', 'dist', 'node', 'llama-runner.cjs');
    await using runner = await startRunner({}, {}, { program: file });
    await runner.healthy();
    const body = {
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 8,
      response_format: { type: 'json_object' }, // its grammar is a file
    };
    expect(await runner.post('/v1/chat/completions', body)).toMatchObject({ status: 200 });
  });

  test('it finds the same graphics cards as in the source tree, or says the same why not', async () => {
    const answerIn = async (tree: string) => {
      const runner = join(tree, 'dist', 'node', 'llama-runner.cjs');
      const env = { GGML_VK_VISIBLE_DEVICES: '0' }; // the software driver, where there is no other one
      const { exitCode, stdout, stderr } = await execa(process.execPath, [runner, '--list-cards'], {
        env,
        reject: false,
      });
      return exitCode === 0 ? { ...JSON.parse(stdout), freeBytes: null } : { exitCode, stderr };
    };
    expect(await answerIn(join(program, 'resources'))).toEqual(await answerIn(projectDir));
  });

  test('it runs from any folder without the source tree: an app is installed and started', async () => {
    // The stand-in is no Electron and reads no archive.
    extractAll(join(program, 'resources', 'app.asar'), join(program, 'resources', 'app'));
    const elsewhere = await mkdtemp(join(tmpdir(), 'robot-desktop-moved-'));
    const dataDir = await newDataDir();
    await cp(program, elsewhere, { recursive: true });
    const child = execa(join(elsewhere, 'robot-desktop'), ['--', '--emulator', '--port', '0', '--data-dir', dataDir], {
      cwd: elsewhere,
      env: { STANDIN_NODE: process.execPath, STANDIN_HEADLESS: '1' },
      stderr: 'inherit',
      buffer: false,
      reject: false,
      forceKillAfterDelay: false,
    });
    try {
      const url = (await lineMatching(child.stdout, / is at (http:\S+)\/$/))?.[1] ?? '';
      const page = await (await fetch(`${url}/`)).text();
      expect(page).toContain('<div id="root">');
      const daemon = daemonAt(url);
      const robot = async () => (await daemon.call('getRobot')).robot.state;
      await expect.poll(robot, { timeout: 20_000 }).toBe('awake'); // its serial port works
      const sample = (await daemon.call('listSampleApps')).find(({ name }) => name === 'dance');
      expect(sample?.url).toBe(join(elsewhere, 'resources', 'assets', 'sample-apps', 'dance'));
      const installed = await install(daemon, sample?.url ?? '', { withinMs: 30_000 });
      expect(installed).toMatchObject({ state: 'done', failure: null });
      await daemon.call('startApp', { params: { appName: 'dance' } });
    } finally {
      child.kill('SIGTERM');
      expect((await child).exitCode).toBe(0);
      for (const each of [elsewhere, dataDir]) await rm(each, { recursive: true, force: true });
    }
  });
});
