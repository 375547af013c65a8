import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { childEnvironment } from '../../../daemon/shared/processes/child-environment.ts';
import { projectDir } from '../../../daemon/testing/daemon/test-daemon.ts';
import { pythonOf } from '../../../daemon/testing/python/python-environment.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { systemPython } from '../../harness/python.ts';
import { alternate } from '../../harness/samples.ts';

const AIM_MS = 21;

/** The time that the SDK adds to the start of an app. */
export const sdkImport: Figure = {
  name: 'sdk-import',
  measures: 'a Python program that only imports the SDK, in an environment of its own, from its start to its end',
  beside: 'the same program without the import',
  measure: async ({ quick }) => {
    const { executable } = await systemPython();
    await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-bench-'));
    const env = {
      ...childEnvironment(process.env, ''),
      PYTHONPATH: join(projectDir, 'assets', 'python-sdk'),
      PYTHONPYCACHEPREFIX: join(folder.path, 'compiled'),
    };
    // Like an app's environment: packages of the system may take long at the start of each program.
    const environment = join(folder.path, 'environment');
    await execa(executable, ['-m', 'venv', '--without-pip', environment], { env, extendEnv: false });
    const python = pythonOf(environment);
    const timed = async (program: string) => {
      const startMs = performance.now();
      await execa(python, ['-c', program], { env, extendEnv: false });
      return performance.now() - startMs;
    };
    const beside = (program: string) =>
      alternate(
        quick ? 3 : 100,
        () => timed(program),
        () => timed('pass'),
      );
    return [
      row('import robot, with the interpreter', 'ms', await beside('import robot'), () => ({
        text: `≤ ${AIM_MS} ms`,
        most: AIM_MS,
      })),
      row('the classes of an app, with the interpreter', 'ms', await beside('from robot import Robot, RobotApp')),
    ];
  },
};
