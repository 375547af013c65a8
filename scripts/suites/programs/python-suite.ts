import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { createPythonEnvironment, pythonOf } from '../../../daemon/testing/python/python-environment.ts';
import { installOnBuildMachine } from '../../environment/debian-packages.ts';
import { projectDir } from '../../environment/project.ts';
import { failedTest } from '../failed-test.ts';
import type { SuiteResult } from '../suite-result.ts';
import type { RunProgram, Suite } from '../suites.ts';
import { checkTypesBesidePackages } from './python-types.ts';
import { reportFolder } from './report-folder.ts';

/** Packages of the SDK's tests, which need only pytest; mypy checks the SDK's types beside them. The tests wait more than they compute, so several run at once. */
const packages = [
  'pip', // a test installs a sample with it
  'pytest',
  'pytest-xdist',
  'mypy',
  'numpy',
  'fastapi',
  'uvicorn',
  'opencv-python', // in place of a camera it reads a video file
  'pillow',
  "miniaudio; platform_machine in 'x86_64 AMD64 arm64'", // other machines need a compiler for it
];
/** A sound server that needs no sound card, for tests of real playback. */
const SOUND_SERVER = '/usr/bin/pulseaudio';
/** A system library that OpenCV needs; without it, the tests of the real camera are skipped. */
const OPENCV_LIBRARY = '/usr/lib/*/libGL.so.1';
const sdkDir = 'assets/python-sdk';
const sdk = `${sdkDir}/tests`;
/** With the folder of the plugin `nothing_left`. */
const pythonPath = [sdkDir, sdk].map((folder) => join(projectDir, folder)).join(delimiter);
const installer = 'assets/installer/tests';
/** The templates of apps, each with its tests. */
const templates = globSync('assets/app-templates/*/pyproject.toml', { cwd: projectDir }).map(dirname);
/** The files that take longest first, so that no worker begins one of them last. */
const sdkTests = [`${sdk}/test_sound_card.py`, `${sdk}/test_samples.py`, sdk];
/** The tests of a file share a sound server. */
const byFile = ['--dist', 'loadfile', '--no-loadscope-reorder'];
const environment = join(projectDir, 'node_modules', '.cache', 'pytest');
const ownPython = pythonOf(environment);

/**
 * Python tests, in an environment with pytest that is created once. They are run by program: those of the SDK and its samples
 * with the types beside their packages, those of the installer's scripts, and those of each template of an app.
 * @param files of which programs the tests are run
 */
export function pythonSuite(files: readonly string[]): Suite {
  const has = (folder: string) => files.some((file) => file.startsWith(`${folder}/`));
  return {
    name: 'Python',
    run: (run) =>
      withPytest(async (python, distributed) => {
        if (has(sdk)) await installLibraries();
        // Before the tests, since those of sound run in real time.
        const types = has(sdk) && distributed ? [await checkTypesBesidePackages(run, python)] : [];
        const tests = await Promise.all([
          ...(has(sdk) ? [runPytest(run, python, sdkTests, distributed ? ['-n', '4', ...byFile] : [])] : []),
          ...(has(installer) ? [runPytest(run, python, [installer], distributed ? ['-n', '2'] : [])] : []),
          ...templates.filter(has).map((folder) => runPytest(run, python, [folder], [], folder)),
        ]);
        return [...types, ...tests];
      }),
  };
}

/** All of them but those with the marker `torture`: no sound, no camera, no wait of seconds, and the types as pyright sees them. */
export const quickPython: Suite = {
  name: 'Python, quick',
  run: (run) =>
    withPytest((python, distributed) => {
      const quick = ['-m', 'not torture'];
      return Promise.all([
        runPytest(run, python, [sdk], distributed ? [...quick, '-n', '2', ...byFile] : quick),
        runPytest(run, python, [installer], quick),
        ...templates.map((folder) => runPytest(run, python, [folder], quick, folder)),
      ]);
    }),
};

/** @param tests whether they can be distributed over processes depends on the environment */
async function withPytest(
  tests: (python: string, distributed: boolean) => Promise<SuiteResult[]>,
): Promise<SuiteResult> {
  const python = await preparePytest();
  if (!python) {
    console.warn(
      'SKIPPED: the Python tests, because pytest is not installed and cannot be installed from the package index.',
    );
    return { passed: 0, failed: 0, skipped: 1 };
  }
  return (await tests(python, python === ownPython)).reduce((sum, each) => ({
    passed: sum.passed + each.passed,
    failed: sum.failed + each.failed,
    skipped: sum.skipped + each.skipped,
    failures: [...(sum.failures ?? []), ...(each.failures ?? [])],
  }));
}

async function installLibraries(): Promise<void> {
  if (process.platform !== 'linux') return;
  if (!existsSync(SOUND_SERVER)) await installOnBuildMachine('pulseaudio');
  if (globSync(OPENCV_LIBRARY).length === 0) await installOnBuildMachine('libgl1', 'libglib2.0-0');
}

async function runPytest(
  runProgram: RunProgram,
  python: string,
  tests: readonly string[],
  distribution: readonly string[],
  project = sdkDir,
): Promise<SuiteResult> {
  using folder = reportFolder();
  const report = join(folder.path, 'report.xml');
  const config = [
    '-p',
    'nothing_left',
    '-p',
    'no:cacheprovider',
    '-c',
    `${project}/pyproject.toml`,
    `--junitxml=${report}`,
  ];
  const args = ['-B', '-m', 'pytest', '-q', '-rs', ...config, ...distribution, ...tests];
  const code = await runProgram(python, args, { PYTHONPATH: pythonPath });
  const xml = await readFile(report, 'utf8').catch(() => '');
  const counts = /<testsuite\b[^>]*>/.exec(xml)?.[0] ?? '';
  const count = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(counts)?.[1] ?? 0);
  const bad = count('failures') + count('errors');
  const skipped = count('skipped');
  const passed = count('tests') - bad - skipped;
  return { passed, failed: bad === 0 && code !== 0 ? 1 : bad, skipped, failures: failuresIn(xml) };
}

/** The failed tests of a report in the format of JUnit. */
function failuresIn(xml: string): string[] {
  const failed = xml.matchAll(
    /<testcase classname="([^"]*)" name="([^"]*)"[^>]*>\s*<(?:failure|error) message="([^"]*)"/g,
  );
  return [...failed].map(([, file, name, message]) =>
    failedTest(`${file} › ${name}`, message?.replaceAll('&#10;', '\n')),
  );
}

/** @returns an interpreter that has pytest, or null */
async function preparePytest(): Promise<string | null> {
  const ready = join(environment, 'ready'); // holds the names of the packages
  const contents = packages.join('\n');
  if (existsSync(ready) && readFileSync(ready, 'utf8') === contents) return ownPython;
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]));
  try {
    await createPythonEnvironment(environment, packages, env);
    writeFileSync(ready, contents);
    return ownPython;
  } catch {
    const system = process.platform === 'win32' ? 'python' : 'python3';
    const { failed } = await execa(system, ['-m', 'pytest', '--version'], { reject: false, timeout: 60_000 });
    return failed ? null : system;
  }
}
