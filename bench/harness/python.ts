import { join } from 'node:path';
import { findPython, type Python, PythonMissing } from '../../daemon/apps/python/python-finder.ts';
import { childEnvironment } from '../../daemon/shared/processes/child-environment.ts';
import { projectDir } from '../../daemon/testing/daemon/test-daemon.ts';
import { NotMeasurable } from './figure.ts';

/** The Python that the daemon would use. @throws NotMeasurable */
export async function systemPython(): Promise<Python> {
  try {
    return await findPython({
      wanted: null,
      installed: { find: async () => [] },
      env: childEnvironment(process.env, ''),
      installerDir: join(projectDir, 'assets', 'installer'),
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    if (error instanceof PythonMissing) throw new NotMeasurable(`${error.message} ${error.action}`);
    throw error;
  }
}
