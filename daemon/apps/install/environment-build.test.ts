/** Builds with tools that do what a test says: an environment becomes the live one, or nothing of it is left. */
import { mkdirSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppSource } from '../../contract/apps/app-source.ts';
import { JobFailed } from '../../jobs/errors.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { svgPicture } from '../../testing/apps/pictures.ts';
import { appNamed, appsIn, haveInstalled } from '../../testing/apps/some-apps.ts';
import type { InstalledApps } from '../installed/installed-apps.ts';
import { type EnvContents, pythonIn, type RunStep } from '../python/python-env.ts';
import { type BuildPlan, buildEnvironment, needsIndex, provideSdk } from './environment-build.ts';

let root: string;
let apps: InstalledApps;
const sourceDir = () => join(root, 'source');
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'environment-build-'));
  apps = await appsIn(root);
  await mkdir(join(root, 'work'), { recursive: true });
  await writeAppPackage(sourceDir(), { name: 'dance', dependencies: ['robot-sdk[audio]>=1.0'] });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const { source: _, installedAt: __, pythonVersion: ___, settingsPage: ____, ...dance } = appNamed('dance');
const lacksVariable = [
  'Traceback (most recent call last):',
  '  File "/env/dance/main.py", line 3, in <module>',
  '    key = os.environ["SPEECH_KEY"]',
  '  File "<frozen os>", line 679, in __getitem__',
  "KeyError: 'SPEECH_KEY'",
];
const source = { kind: 'sample', sample: 'dance' } as const;

interface Script {
  readonly manifest?: Partial<typeof dance>;
  readonly create?: () => void;
  /** The lines that the installer prints while it installs. */
  readonly lines?: readonly string[];
  readonly install?: () => void;
  /** The result of the import, or the error that it throws. */
  readonly imported?: { readonly problem?: string | null; readonly customAppUrl?: string | null } | Error;
  readonly checkBeforeSwitch?: () => void;
  readonly plan?: Partial<BuildPlan>;
}

/** Builds "dance" by a script. */
function build({ manifest, create, lines = [], install, imported = {}, checkBeforeSwitch, plan }: Script = {}) {
  const cancel = new AbortController();
  const seen = {
    steps: [] as string[],
    details: [] as string[],
    log: [] as string[],
    installs: [] as { contents: EnvContents; deadlineMs: number }[],
    commands: [] as (readonly string[])[],
  };
  const run: RunStep = async (file, args, more) => {
    seen.commands.push([file, ...args]);
    if (file === 'uv') for (const line of lines) more?.onLine?.(line);
    if (file === 'uv') return [];
    if (imported instanceof Error) throw imported;
    await writeFile(args.at(-1) ?? '', JSON.stringify({ problem: null, customAppUrl: null, ...imported }));
    return [];
  };
  const whole: BuildPlan = {
    manifest: { ...dance, ...manifest },
    source,
    sourceDir: sourceDir(),
    pageInSources: null,
    work: join(root, 'work'),
    whileRunning: false,
    prepared: {
      python: { executable: '/python3', version: '3.12.1' } as BuildPlan['prepared']['python'],
      sdkWheel: '/sdk.whl',
      installer: {
        kind: 'uv',
        create: async (envDir) => {
          await mkdir(envDir);
          await writeFile(join(envDir, 'pyvenv.cfg'), '');
          create?.();
        },
        install: async (_envDir, contents, runs, deadlineMs) => {
          seen.installs.push({ contents, deadlineMs });
          await runs('uv', ['pip', 'install'], { deadlineMs });
          install?.();
        },
        uninstall: async () => {},
      },
    },
    run,
    progress: {
      signal: cancel.signal,
      step: (name) => seen.steps.push(name),
      detail: (text) => seen.details.push(text),
      log: (line) => seen.log.push(line),
      transfer: () => {},
      appName: () => {},
    },
    ...plan,
  };
  const deps = {
    apps,
    installerDir: '/installer',
    dataDir: root,
    installWithinMs: 1_234,
    sdkVersion: () => '1.0.0',
    clock: { now: () => new Date('2026-02-03T04:05:06Z') },
  };
  const built = buildEnvironment(whole, deps, async () => checkBeforeSwitch?.());
  return { built, seen, cancel };
}
const environments = () => readdir(join(root, 'apps', 'dance', 'envs'));
const failure = (built: Promise<unknown>) =>
  built.then(
    () => expect.fail('it was built'),
    (error: unknown) => error,
  );

test('a build becomes the live version, with its source, its time, its Python and its README', async () => {
  const { built, seen } = build({ imported: { customAppUrl: 'http://0.0.0.0:8042/settings' } });
  await built;
  expect(apps.get('dance')).toMatchObject({
    ...dance,
    source,
    settingsPage: { port: 8042, path: '/settings' },
    installedAt: '2026-02-03T04:05:06.000Z',
    pythonVersion: '3.12.1',
  });
  expect(seen.steps).toEqual(['build', 'import', 'switch']);
  expect(seen.details).toEqual(['Installing with uv on Python 3.12.1.']);
  const envDir = apps.environmentOf('dance');
  expect(seen.commands).toEqual([
    ['uv', 'pip', 'install'],
    [
      pythonIn(envDir),
      '-I',
      join('/installer', 'import_check.py'),
      'dance.main',
      'App',
      join(root, 'work', 'import.json'),
    ],
  ]);
  expect(await readFile(join(envDir, 'app-readme.md'), 'utf8')).toContain('robot_python_app');
  expect(await environments()).toHaveLength(1);
});

test('a build keeps the icon of the package; one that is refused is in the log', async () => {
  await writeFile(join(sourceDir(), 'icon.svg'), svgPicture());
  await build().built;
  expect(apps.get('dance').icon).toMatch(/^\/api\/apps\/installed\/dance\/icon\?version=[0-9a-f]{16}$/);
  expect(await readFile(join(apps.environmentOf('dance'), 'app-icon'), 'utf8')).toBe(svgPicture());
  await writeFile(join(sourceDir(), 'icon.svg'), 'words');
  const { built, seen } = build();
  await built;
  expect(apps.get('dance').icon).toBeNull();
  expect(seen.log).toEqual(['warning: icon.svg is neither an SVG nor a PNG picture, so it is not shown.']);
});

test.each([
  ['nothing but the SDK', { dependencies: ['robot-sdk'], baseline: false }, []],
  ['no SDK by name', { dependencies: ['numpy'], baseline: false }, []],
  ['the common libraries', { dependencies: [], baseline: true }, ['baseline']],
  [
    'parts of the SDK',
    { dependencies: ['numpy', 'robot-sdk[audio,vision]'], baseline: true },
    ['baseline', 'audio', 'vision'],
  ],
])('an app that asks for %s gets the shipped SDK with these extras', async (_what, manifest, sdkExtras) => {
  const { built, seen } = build({ manifest });
  await built;
  const contents = { sourceDir: sourceDir(), sdkWheel: '/sdk.whl', sdkExtras };
  expect(seen.installs).toEqual([{ contents, deadlineMs: 1_234 }]);
});

test('whether it may switch is asked after the files were copied that the app has saved', async () => {
  const packages = (env: string) => join(env, 'lib', 'python3.12', 'site-packages');
  await haveInstalled(apps, appNamed('dance', { version: '0.9' }));
  const saved = join(packages(apps.environmentOf('dance')), 'counter.json');
  await mkdir(dirname(saved), { recursive: true });
  await writeFile(saved, '7');
  const { built, seen } = build({
    checkBeforeSwitch: () => seen.log.push('asked'),
    install: () => {
      const live = basename(apps.environmentOf('dance'));
      const added = readdirSync(join(root, 'apps', 'dance', 'envs')).find((env) => env !== live) ?? '';
      mkdirSync(packages(join(root, 'apps', 'dance', 'envs', added)), { recursive: true });
    },
  });
  await built;
  expect(seen.log).toEqual(['kept counter.json (1 B), which the app saved beside its code', 'asked']);
  expect(await readFile(join(packages(apps.environmentOf('dance')), 'counter.json'), 'utf8')).toBe('7');
});

test('the package is built with any SDK; a package that says so already is not written', async () => {
  const path = join(sourceDir(), 'pyproject.toml');
  await build({ install: () => {} }).built;
  const text = await readFile(path, 'utf8');
  expect(text).toContain('dependencies = ["robot-sdk"]');
  const before = await stat(path);
  await provideSdk(sourceDir());
  expect((await stat(path)).mtimeMs).toBe(before.mtimeMs);
});

test('the work of the installer is shown line by line', async () => {
  const lines = [
    'Resolved 3 packages in 5ms',
    '   Building dance @ file:///apps/dance',
    'Downloading numpy (16.0MiB)',
    'Collecting robot-sdk',
    'Installing collected packages: dance',
    'Downloadings',
    'warning: Building',
  ];
  const { built, seen } = build({ lines });
  await built;
  expect(seen.log).toEqual(lines);
  expect(seen.details.slice(1)).toEqual([
    'Resolved 3 packages in 5ms.',
    'Building dance.',
    'Downloading numpy (16.0MiB).',
    'Collecting robot-sdk.',
    'Installing collected packages: dance.',
  ]);
});

test.each([
  ['has a port', 'http://localhost:8042', { port: 8042, path: '/' }, []],
  [
    'has no port',
    'http://localhost',
    null,
    [
      'warning: custom_app_url is "http://localhost", which has no port. The settings page cannot be opened. Use an address like http://localhost:8042.',
    ],
  ],
  ['is none', null, null, []],
])('the address of a settings page that %s', async (_what, customAppUrl, settingsPage, log) => {
  const { built, seen } = build({ imported: { customAppUrl } });
  await built;
  expect(apps.get('dance').settingsPage).toEqual(settingsPage);
  expect(seen.log).toEqual(log);
});

test('an app that only lacks a variable at its import is installed, with the page that its sources tell', async () => {
  const imported = new CommandFailed('python', 'ended with exit code 1', 1, false, lacksVariable);
  const { built, seen } = build({ imported, plan: { pageInSources: 'http://localhost:8042' } });
  await built;
  expect(seen.log).toEqual(['warning: dance.main cannot be imported without SPEECH_KEY. Set it before the start.']);
  expect(apps.get('dance').settingsPage).toEqual({ port: 8042, path: '/' });
});

describe('a build that fails', () => {
  const stopped = new Error('stopped');
  const stop = () => {
    throw stopped;
  };
  const cases: readonly [string, Script, unknown][] = [
    ['while the environment is made', { create: stop }, stopped],
    ['while the app is installed', { install: stop }, stopped],
    ['at the import, for a reason of its own', { imported: stopped }, stopped],
    ['because the switch is no longer allowed', { checkBeforeSwitch: stop }, stopped],
    [
      'because the class is no app',
      { imported: { problem: 'App has no run' } },
      expect.objectContaining({
        failure: expect.objectContaining({ reason: 'not-an-app', message: 'App has no run.' }),
      }),
    ],
    [
      'because the module raises',
      { imported: new CommandFailed('python', 'ended', 1, false, ['ValueError: no step']) },
      expect.objectContaining({
        failure: expect.objectContaining({
          reason: 'import-error',
          message: 'The app cannot be imported: ValueError: no step.',
        }),
      }),
    ],
    [
      'because the import takes too long, whatever it printed',
      { imported: new CommandFailed('python', 'timed out', null, true, lacksVariable) },
      expect.objectContaining({ failure: expect.objectContaining({ reason: 'timeout' }) }),
    ],
  ];

  test.each(cases)('%s leaves nothing of a first install', async (_what, script, reason) => {
    expect(await failure(build(script).built)).toEqual(reason);
    expect(apps.list()).toEqual([]);
    expect(await readdir(join(root, 'apps'))).toEqual([]);
  });

  test.each(cases)('%s leaves the live version as it was', async (_what, script, reason) => {
    await haveInstalled(apps, appNamed('dance', { version: '0.9' }));
    const before = [apps.get('dance'), apps.environmentOf('dance'), await environments()];
    expect(await failure(build(script).built)).toEqual(reason);
    expect([apps.get('dance'), apps.environmentOf('dance'), await environments()]).toEqual(before);
  });

  test('by a cancel, of which no command knew, does not switch', async () => {
    const { built, cancel, seen } = build({ install: () => cancel.abort(stopped) });
    expect(await failure(built)).toBe(stopped);
    expect(seen.steps).toEqual(['build', 'import']);
    expect(await readdir(join(root, 'apps'))).toEqual([]);
  });

  test('a class that is refused is a failure for people', async () => {
    expect(await failure(build({ imported: { problem: 'x' } }).built)).toBeInstanceOf(JobFailed);
  });
});

test.each([
  [false, 2],
  [true, 3],
])('where the app may run meanwhile (%s), its environment stays: %i are there', async (whileRunning, count) => {
  for (const version of ['0.8', '0.9']) await haveInstalled(apps, appNamed('dance', { version }));
  await build({ plan: { whileRunning } }).built;
  expect(await environments()).toHaveLength(count);
});

test('only a sample that requires the SDK alone needs nothing from the package index', () => {
  const bare = { dependencies: ['robot-sdk>=1'], baseline: false };
  const needs = (of: AppSource, manifest: Partial<typeof bare> = {}) => needsIndex(of, { ...bare, ...manifest });
  expect({
    sample: needs(source),
    withBaseline: needs(source, { baseline: true }),
    withExtra: needs(source, { dependencies: ['robot-sdk[audio]'] }),
    withAnother: needs(source, { dependencies: ['robot-sdk', 'fastapi'] }),
    // Its build may need more than the SDK.
    folder: needs({ kind: 'folder', path: '/apps/dance' }),
  }).toEqual({ sample: false, withBaseline: true, withExtra: true, withAnother: true, folder: true });
});
