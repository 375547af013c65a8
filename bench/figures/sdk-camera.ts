import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { childEnvironment } from '../../daemon/shared/processes/child-environment.ts';
import { projectDir } from '../../daemon/testing/daemon/test-daemon.ts';
import { pythonFromIndex } from '../../daemon/testing/python/python-from-index.ts';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { startChild } from '../harness/child.ts';
import { type Figure, NotMeasurable, row } from '../harness/figure.ts';
import { benchProgram } from '../harness/programs.ts';
import { summary } from '../harness/samples.ts';

/** The output of camera_frames.py. */
interface CameraFrames {
  readonly percent: readonly number[];
  readonly framesPerSecond: readonly number[];
  readonly percentWithout: readonly number[];
}

const AIM_PERCENT = 20;

/** The processor time that the simulated camera takes in an app. */
export const sdkCamera: Figure = {
  name: 'sdk-camera',
  measures:
    "CPU time of an app's process that reads each frame of the simulated camera, 640x480, 30 a second, while the head turns",
  beside: 'the same process in windows between, in which it reads no frames',
  measure: async ({ quick }) => {
    const env = childEnvironment(process.env, randomUUID());
    const numpy = await pythonFromIndex('numpy', env);
    if ('missing' in numpy) throw new NotMeasurable(`The simulated camera needs numpy. ${numpy.missing}`);
    await using daemon = await startBenchDaemon();
    const args = [benchProgram('camera_frames.py'), daemon.url, ...(quick ? ['2', '1'] : ['6', '5'])];
    await using program = startChild(numpy.python, ['-B', '-u', ...args], {
      ...env,
      PYTHONPATH: join(projectDir, 'assets', 'python-sdk'),
    });
    const taken = JSON.parse(await program.line()) as CameraFrames;
    const cpu = { ours: summary(taken.percent), beside: summary(taken.percentWithout) };
    return [
      row('sdk-camera, CPU of one core', '%', cpu, () => ({ text: `≤ ${AIM_PERCENT} %`, most: AIM_PERCENT })),
      row('sdk-camera, frames a second of 30', '/s', { ours: summary(taken.framesPerSecond), beside: null }),
    ];
  },
};
