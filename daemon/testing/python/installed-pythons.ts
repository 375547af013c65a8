import { join } from 'node:path';
import { InstalledPythons } from '../../apps/python/installed-pythons.ts';
import type { ProbeOptions, PythonProbe } from '../../apps/python/probe-python.ts';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { projectDir } from '../daemon/test-daemon.ts';

/** The Pythons of this machine that can run apps, the newest first. */
export function installedPythons(): Promise<PythonProbe[]> {
  const { env } = probing();
  const installed = new InstalledPythons(() => env, '/nowhere');
  return installed.find(probing());
}

/** How tests ask an interpreter for its facts. */
export function probing(): ProbeOptions {
  return {
    env: childEnvironment(process.env, ''),
    installerDir: join(projectDir, 'assets', 'installer'),
    signal: AbortSignal.timeout(60_000),
  };
}
