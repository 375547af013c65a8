import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { installOnBuildMachine } from '../environment/debian-packages.ts';
import { projectDir } from '../environment/project.ts';
import type { Suite } from './suites.ts';

/** What the SDK's tests use; all but pytest is optional for them. They wait more than they compute: several run at once. */
const packages = [
  'pytest',
  'pytest-xdist',
  'numpy',
  'fastapi',
  'uvicorn',
  "miniaudio; platform_machine in 'x86_64 AMD64 arm64'", // elsewhere it would need a compiler
];
/** A sound server that needs no sound card: the real way of sound is tried on it. */
const SOUND_SERVER = '/usr/bin/pulseaudio';
const environment = join(projectDir, 'node_modules', '.cache', 'pytest');
const ownPython = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');

/** The tests of what is in Python: the SDK, the samples, the installer's scripts; in an environment with pytest that is made once. */
export const pythonSuite: Suite = {
  name: 'Python',
  run: async (runProgram) => {
    const python = preparePytest();
    if (!python) {
      console.warn(
        'SKIPPED: the tests in Python, because pytest is not here and cannot be had from the package index.',
      );
      return { passed: 0, failed: 0, skipped: 1 };
    }
    if (process.platform === 'linux' && !existsSync(SOUND_SERVER)) installOnBuildMachine('pulseaudio');
    const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-report-'));
    const report = join(folder, 'report.xml');
    try {
      const tests = ['assets/python-sdk/tests', 'assets/installer/tests'];
      const args = [
        '-B',
        '-m',
        'pytest',
        '-q',
        '-rs',
        '-p',
        'no:cacheprovider',
        '-c',
        'assets/python-sdk/pyproject.toml',
        `--junitxml=${report}`,
        ...(python === ownPython ? ['-n', '3', '--dist', 'loadfile'] : []),
        ...tests,
      ];
      const code = await runProgram(python, args);
      const counts = /<testsuite\b[^>]*>/.exec(await readFile(report, 'utf8').catch(() => ''))?.[0] ?? '';
      const count = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(counts)?.[1] ?? 0);
      const bad = count('failures') + count('errors');
      const skipped = count('skipped');
      return { passed: count('tests') - bad - skipped, failed: bad === 0 && code !== 0 ? 1 : bad, skipped };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** @returns an interpreter that has pytest, or null */
function preparePytest(): string | null {
  const ready = join(environment, 'ready'); // says what is in it
  const contents = packages.join('\n');
  if (existsSync(ready) && readFileSync(ready, 'utf8') === contents) return ownPython;
  const system = process.platform === 'win32' ? 'python' : 'python3';
  const run = (program: string, ...args: string[]) =>
    execaSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 300_000 });
  try {
    mkdirSync(environment, { recursive: true });
    run(system, '-m', 'venv', '--clear', environment);
    run(ownPython, '-m', 'pip', 'install', '--quiet', '--retries', '1', '--timeout', '15', ...packages);
    writeFileSync(ready, contents);
    return ownPython;
  } catch {
    try {
      run(system, '-m', 'pytest', '--version');
      return system;
    } catch {
      return null;
    }
  }
}
