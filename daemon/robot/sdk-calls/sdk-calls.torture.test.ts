/** Every call of apps for such robots, as they write it, on the real daemon: see calls.py. */
import { randomUUID } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test, vi } from 'vitest';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { NO_HUB, projectDir, startTestDaemon } from '../../testing/daemon/test-daemon.ts';
import { installedPythons } from '../../testing/python/installed-pythons.ts';
import { type PythonFromIndex, pythonFromIndex } from '../../testing/python/python-from-index.ts';

interface Report {
  readonly made: number;
  readonly leftOut: readonly string[];
  readonly faults: readonly string[];
}

const OLDEST = '3.10.';
const pythons = await installedPythons();
const oldest = pythons.find(({ version }) => version.startsWith(OLDEST));
const newest = pythons[0];
if (!oldest) console.warn('SKIPPED: the calls of apps on Python 3.10, because it is not installed');
const chosen = [...new Set([oldest, newest])].filter((python) => python !== undefined);
if (chosen.length === 0) console.warn('SKIPPED: the calls of apps, because no Python is installed');

/** The environments with numpy; created one after the other, because a failed index is slow to fail. */
const withNumpy = new Map<string, PythonFromIndex>();
for (const python of chosen) {
  const name = Number(python.version.split('.')[1]) < 14 ? 'numpy' : 'newer-numpy';
  withNumpy.set(python.executable, await pythonFromIndex(name, childEnvironment(process.env, ''), python));
}

describe.concurrent.for(chosen)('Python $version', (python) => {
  test.concurrent.for(['simulation', 'emulator'] as const)(
    'every call of the survey comes back as apps expect, with the backend %s',
    async (backend, { expect: expectHere }) => {
      await using daemon = await startTestDaemon({ robot: backend, wakeUpOnStart: true });
      await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-calls-'));
      await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('awake'), {
        timeout: 15_000,
        interval: 50,
      });
      const environment = withNumpy.get(python.executable);
      const numpy = environment && 'python' in environment ? environment.python : null;
      const { stdout, stderr } = await execa(
        numpy ?? python.executable,
        ['-B', join(import.meta.dirname, 'run_calls.py'), folder.path],
        {
          env: {
            ...childEnvironment(process.env, randomUUID()),
            PYTHONPATH: join(projectDir, 'assets', 'python-sdk'),
            ROBOT_DAEMON_URL: daemon.url,
            ROBOT_HUB_URL: NO_HUB,
            ROBOT_CACHE_DIR: join(folder.path, 'cache'),
          },
          timeout: 110_000,
        },
      );
      const report = JSON.parse(stdout) as Report;
      if (report.leftOut.length > 0)
        console.warn(
          `SKIPPED: ${report.leftOut.length} calls with numpy on Python ${python.version}, which cannot be had`,
        );
      expectHere({ stderr, faults: report.faults }).toEqual({ stderr: '', faults: [] });
      expectHere(report.made).toBeGreaterThan(60);
    },
  );
});
