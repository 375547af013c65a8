import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { createCheckDeps } from '../../../daemon/assistant/check/check-deps.ts';
import { quickCheck } from '../../../daemon/assistant/check/check-own-app.ts';
import { systemClock } from '../../../daemon/shared/clock.ts';
import { childEnvironment } from '../../../daemon/shared/processes/child-environment.ts';
import { projectDir } from '../../../daemon/testing/daemon/test-daemon.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { systemPython } from '../../harness/python.ts';
import { alternate } from '../../harness/samples.ts';

const AIM_MS = 300;

/** The time of a check of an own app without a build: between a change of a file and the app's restart. */
export const quickCheckFigure: Figure = {
  name: 'quick-check',
  measures: 'the check without a build of the sample look_around, in this process, with its Python children',
  beside: 'a Python program that only imports ast',
  measure: async ({ quick }) => {
    const { executable } = await systemPython();
    const env = childEnvironment(process.env, '');
    await using cache = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-bench-'));
    const assetsDir = join(projectDir, 'assets');
    const folder = join(assetsDir, 'sample-apps', 'look_around');
    const { signal } = new AbortController();
    const newDeps = () =>
      createCheckDeps({
        ...{ assetsDir, cacheDir: cache.path, environment: process.env, python: null, clock: systemClock },
      });
    const known = await newDeps();
    const timed = async (work: () => Promise<unknown>) => {
      const startMs = performance.now();
      await work();
      return performance.now() - startMs;
    };
    const beside = (check: () => Promise<unknown>) =>
      alternate(
        quick ? 3 : 50,
        () => timed(check),
        () => timed(() => execa(executable, ['-c', 'import ast'], { env, extendEnv: false })),
      );
    const aim = () => ({ text: `≤ ${AIM_MS} ms`, most: AIM_MS });
    await quickCheck(folder, known, signal);
    return [
      row('quick check, Python known', 'ms', await beside(() => quickCheck(folder, known, signal)), aim),
      row(
        'quick check, Python searched',
        'ms',
        await beside(async () => quickCheck(folder, await newDeps(), signal)),
        aim,
      ),
    ];
  },
};
