import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type AppPackage, writeAppPackage } from '../testing/apps/app-packages.ts';
import { hostWith } from '../testing/apps/host-pythons.ts';
import { survey } from '../testing/apps/survey-apps.ts';
import { type AppCheck, checkApp } from './check-app.ts';
import { readPackageFiles } from './package-files.ts';

/** The findings of a package on disk. `from` is a folder of it. */
async function check(app: AppPackage, from?: string): Promise<AppCheck> {
  const repository = await mkdtemp(join(tmpdir(), 'survey-'));
  onTestFinished(() => rm(repository, { recursive: true, force: true }));
  const folder = await writeAppPackage(repository, app);
  const files = await readPackageFiles(from === undefined ? folder : join(repository, from));
  return checkApp(files, hostWith(['3.11.7'], { standardModules: ['json', 'test'] }));
}

async function lines(app: AppPackage, from?: string): Promise<string[]> {
  const { manifest, findings } = await check(app, from);
  expect(manifest === null).toBe(findings.some(({ severity }) => severity === 'problem'));
  return findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
}

describe('packages whose defects only an install can find pass the check', () => {
  test.each<[string, AppPackage]>([
    ['dependencies that are not declared', survey.undeclaredDependency],
    ['dependencies that nothing brings', survey.undeclaredWithoutBaseline],
    ['a class that is not there', survey.classMissing],
    ['an app that starts in its own way', survey.bypassesWrappedRun],
    ['a settings page from a constant', survey.pageConstant],
    ['a settings page from another module', survey.pageImported],
    ['a settings page put together', survey.pageFormatted],
    ['a settings page assigned twice', survey.pageReassigned],
    ['no settings page', survey.pageNone],
    ['a port that another app has too', survey.portOne],
    ['a distribution that another app has too', survey.twinDistribution],
    ['static files that are declared and not there', survey.staticMissing],
    ['static files that are there', survey.staticShipped],
    ['versions that do not exist', survey.impossiblePin],
    ['threads at import', survey.threadAtImport],
    ['a deaf ear for SIGINT', survey.blocksForGood],
  ])('%s', async (_name, app) => expect(await lines(app)).toEqual([]));
});

describe('names', () => {
  test('of app, distribution, package and repository may all differ', async () => {
    const { manifest, findings } = await check({ ...survey.allNamesDiffer, subdirectory: 'repository' });
    expect(findings).toEqual([]);
    expect(manifest).toMatchObject({
      name: 'wave-bot',
      distribution: 'Wave.Robot_App',
      module: 'wavy.main',
      className: 'App',
    });
  });

  test('have dashes, begin with test, or are ordinary words', async () => {
    for (const app of [survey.dashed, survey.srcLayout, survey.echo, survey.testHelloWorld]) {
      expect(await lines(app)).toEqual([]);
    }
  });
});

describe('modules', () => {
  test('other than .main are unusual', async () => {
    expect(await lines(survey.moduleApp)).toEqual([
      'warning unusual-module: The entry point names app_module.app:App; <package>.main:<ClassName> is usual.',
    ]);
    expect(await lines(survey.moduleIsPackage)).toEqual([
      'warning unusual-module: The entry point names whole_package:App; <package>.main:<ClassName> is usual.',
    ]);
  });

  test('that would do nothing when started are refused', async () => {
    expect(await lines(survey.packageWithoutMain)).toEqual([
      'problem no-module: The entry point names the package no_main_file, which has no __main__.py, so it cannot be started.',
    ]);
    expect(await lines(survey.withoutMainBlock)).toEqual([
      'problem no-main-block: never_starts/main.py has no `if __name__ == "__main__":` block, so starting it would do nothing.',
    ]);
  });

  test.each<[string, string]>([
    ['pkg.main:App [extra, other]', 'installs'],
    ['pkg.main : App', 'installs'],
    ['pkg.main', 'refused'],
    ['pkg.main:App; rm -rf x', 'refused'],
    ['pkg.main:$(reboot)', 'refused'],
    ['pkg.main:App --help', 'refused'],
    ['-m pkg.main:App', 'refused'],
    ['../pkg.main:App', 'refused'],
    ['pkg..main:App', 'refused'],
    ['pkg.main:App.inner', 'refused'],
    ['', 'refused'],
  ])('an entry point "%s": %s', async (value, end) => {
    const app = { name: 'pkg', pyproject: (text: string) => text.replace('pkg.main:App', value) };
    expect(await lines(app)).toEqual(
      end === 'installs'
        ? []
        : [`problem bad-entry-point: The entry point "pkg" is "${value}", not "<package>.main:<ClassName>".`],
    );
  });

  test('none or two in the group are refused', async () => {
    expect(await lines({ name: 'none', pyproject: (text) => text.replace(/^"none" = .*\n/m, '') })).toEqual([
      'problem no-entry-point: pyproject.toml declares no entry point in the group robot_apps, so it does not say which class is the app.',
    ]);
    const two = (text: string) => text.replace('"two" =', 'other = "two.main:Other"\n"two" =');
    expect(await lines({ name: 'two', pyproject: two })).toEqual([
      'problem two-entry-points: pyproject.toml declares several apps (other, two); a package holds one.',
    ]);
  });
});

describe('files that are not installed, or installed by mistake', () => {
  test('folders beside the package become packages', async () => {
    expect(await lines(survey.strayPackages)).toEqual([]);
    expect(await lines(survey.strayWithSetuptools)).toEqual([
      'warning stray-packages: It also installs config, tests, tools as packages: "find" in [tool.setuptools.packages] has no "include".',
    ]);
    const kept = (more: string) => ({
      ...survey.strayWithSetuptools,
      pyproject: (text: string) => `${text}\n[tool.setuptools.packages.find]\n${more}\n`,
    });
    expect(await lines(kept('include = ["strays*"]'))).toEqual([]);
    expect(await lines(kept('where = ["src"]'))).toEqual([]);
    expect(await lines(kept('exclude = ["tests*", "tools", "config"]'))).toEqual([]);
  });

  test('static files that no package data lists are not installed', async () => {
    expect(await lines(survey.staticNotPackaged)).toEqual([
      'warning static-not-packaged: static_lost/static/index.html is not installed with it: "package-data" in [tool.setuptools] does not list it.',
    ]);
    const listed = (pattern: string) => ({
      ...survey.staticNotPackaged,
      pyproject: (text: string) => `${text}\n[tool.setuptools.package-data]\n${pattern}\n`,
    });
    expect(await lines(listed('static_lost = ["static/*"]'))).toEqual([]);
    expect(await lines(listed('"*" = ["**/*.html"]'))).toEqual([]);
    expect(await lines(listed('static_lost = ["templates/*", "static/*.js"]'))).toHaveLength(1);
    expect(await lines(listed('"static_lost.static" = ["*.html"]'))).toEqual([]);
    expect(await lines({ ...survey.staticNotPackaged, files: { 'MANIFEST.in': 'graft static_lost\n' } })).toEqual([]);
    expect(await lines({ ...survey.staticNotPackaged, buildSystem: 'hatchling' })).toEqual([]);
  });

  test('files that were not fetched are warnings; among the sources they are problems', async () => {
    expect(await lines(survey.largeFilePointer)).toEqual([
      'problem large-file-pointer: pointer_source/voice.wav only points to a large file: its content was not downloaded.',
    ]);
    expect(await lines(survey.pointerBeside)).toEqual([
      'warning large-file-pointer: pictures/demo.gif only points to a large file: its content was not downloaded.',
    ]);
    expect(await lines(survey.submodules)).toEqual([
      'warning submodules: It has git submodules, whose content is not installed.',
    ]);
  });

  test('byte order marks change nothing', async () => {
    expect(await lines(survey.byteOrderMarks)).toEqual([]);
  });
});

describe('where the package is', () => {
  test('below the top of its repository', async () => {
    expect(await lines(survey.inSubdirectory)).toEqual([]);
    const { manifest, findings } = await check(survey.inSubdirectory, '');
    expect(manifest).toBeNull();
    expect(findings).toEqual([
      {
        severity: 'problem',
        code: 'in-subdirectory',
        message: 'The app deep is in a folder below: apps/deep.',
        action: 'Add #subdirectory=apps/deep to the address.',
        apps: [{ name: 'deep', folder: 'apps/deep' }],
      },
    ]);
  });

  test('below a package that is not an app; apps of tests do not count', async () => {
    const app = '[project.entry-points.robot_apps]';
    const workspace = (files: Record<string, string>): AppPackage => ({
      name: 'all',
      pyproject: () => '[tool.uv.workspace]\nmembers = ["apps/*"]\n',
      files,
    });
    expect(
      await lines(workspace({ 'apps/b/pyproject.toml': app, 'apps/a/pyproject.toml': app, 'lib/pyproject.toml': '' })),
    ).toEqual(['problem several-apps: The apps are in folders below: a, b.']);
    expect(await lines(workspace({ 'tests/ok/pyproject.toml': app, '.cache/x/pyproject.toml': app }))).toEqual([
      'problem no-project: pyproject.toml has no [project] table, so this is not a Python package.',
    ]);
  });

  test('not in a web Space', async () => {
    expect(await lines(survey.besideWebSpace)).toEqual([]);
    const files = { 'space/app.py': 'import gradio', 'space/requirements.txt': 'gradio' };
    expect(await lines({ name: 'x', files }, 'space')).toEqual([
      'problem no-pyproject: There is no pyproject.toml, only app.py and requirements.txt: this is a web Space, not an app for the robot.',
    ]);
  });
});

describe('requirements', () => {
  test('of Python', async () => {
    expect(await lines(survey.oldPythonOnly)).toEqual([
      'problem python-version: old_python_only needs Python 3.8 or newer and older than 3.9; this machine has 3.11.',
    ]);
    expect(await lines(survey.newPythonOnly)).toEqual([
      'problem python-version: new_python_only needs Python 3.99 or newer; this machine has 3.11.',
    ]);
  });

  test('of the SDK, under all its names', async () => {
    for (const app of [survey.sdkUnderscore, survey.sdkRobot, survey.sdkPreRelease, survey.withoutSdk]) {
      expect(await lines(app)).toEqual([]);
    }
    expect(await lines(survey.sdkNewerMinor)).toEqual([
      'warning sdk-version: It asks for robot-sdk >=1.9,<2; version 1.0.0 is used.',
    ]);
    expect(await lines(survey.sdkPinned)).toEqual([
      'warning sdk-version: It asks for robot-sdk == 1.7.3; version 1.0.0 is used.',
    ]);
    expect(await lines(survey.sdkFromGit)).toEqual([
      'warning sdk-version: It takes robot-sdk from git+https://example.org/sdk.git@main; version 1.0.0 is used.',
    ]);
    expect(await lines(survey.sdkNextMajor)).toEqual([
      'problem sdk-mismatch: It needs robot-sdk >=2; this Robot Desktop has 1.0.0.',
    ]);
    expect(await lines(survey.sdkBeforeFirst)).toEqual([
      'problem sdk-mismatch: It needs robot-sdk <1; this Robot Desktop has 1.0.0.',
    ]);
  });

  test('that only uv reads', async () => {
    expect(await lines(survey.uvSettings)).toEqual([
      'warning uv-settings: It sets "override-dependencies", "constraint-dependencies" in [tool.uv], which applies only in its own workspace.',
    ]);
    expect(await lines(survey.uvWorkspaceSource)).toEqual([
      'warning uv-settings: Its source of robot-sdk in [tool.uv] will not be found outside its workspace.',
    ]);
  });
});

describe('README.md', () => {
  test('does not decide whether an app installs', async () => {
    expect(await lines(survey.withoutReadme)).toEqual([
      'warning no-readme: There is no README.md. The app works, but the app store will not find it.',
    ]);
    expect(await lines(survey.withoutFrontMatter)).toEqual([
      'warning no-front-matter: README.md has no front matter. The app works, but the app store will not find it.',
    ]);
  });

  test('of 50 MB is read at its beginning only', async () => {
    const front = '---\ntitle: Large\ntags: [robot_python_app]\n---\n';
    expect(await lines({ name: 'large', readme: front + 'x'.repeat(50_000_000) })).toEqual([]);
    expect(await lines({ name: 'large', readme: `---\ntitle: ${'x'.repeat(50_000_000)}\n---\n` })).toEqual([
      'warning no-front-matter: README.md has no front matter. The app works, but the app store will not find it.',
    ]);
  });

  test('and pyproject.toml show no invisible characters', async () => {
    const { manifest } = await check({
      name: 'spoof',
      readme: '---\ntitle: "Da\\u200Bnce\\u202E gpj\\u2066\\u0007"\nemoji: 👩‍🚀\ntags: [robot_python_app]\n---\n',
      pyproject: (text) => text.replace("A test's app.", 'Moves \\u202Ebackwards\\u202C.'),
    });
    expect(manifest).toMatchObject({ title: 'Dance gpj', emoji: '👩‍🚀', description: 'Moves backwards.' });
  });
});
