import { defaultPosture } from '../../../daemon/robot/kinematics/geometry.ts';
import { MAX_RELATIVE_YAW_RAD } from '../../../daemon/robot/kinematics/limits.ts';
import { poseFrom } from '../../../daemon/robot/kinematics/pose.ts';
import { forwardKinematics, inverseKinematics } from '../../../daemon/robot/kinematics/stewart.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { type Summary, summary } from '../../harness/samples.ts';

const AIM_INVERSE_US = 3;
const AIM_FORWARD_US = 30;
/** A call is too short to time: each sample is the mean of this many. */
const CALLS_A_SAMPLE = 1_000;

/** The kinematics of one control cycle: forward and inverse, between the head's pose and the six motors. */
export const kinematics: Figure = {
  name: 'kinematics',
  measures: `one call, as the mean of ${CALLS_A_SAMPLE}, over poses within 30° and 10 mm of neutral, the body turned; forward starts from neutral, further from the solution than in the control loop`,
  beside: null,
  measure: async ({ quick }) => {
    const samples = quick ? 5 : 200;
    const poses = Array.from({ length: CALLS_A_SAMPLE }, (_, index) => poseFrom(angles(index), offset(index)));
    const yawRad = MAX_RELATIVE_YAW_RAD / 8;
    const reached = poses.flatMap((pose) => {
      const inverse = inverseKinematics(pose, yawRad);
      return inverse.reachable ? [{ pose, stewartRad: inverse.stewartRad }] : [];
    });
    const inverse = microseconds(samples, reached, ({ pose }) => inverseKinematics(pose, yawRad));
    const forward = microseconds(samples, reached, ({ stewartRad }) =>
      forwardKinematics(stewartRad, yawRad, defaultPosture.head),
    );
    const most = (limit: number) => () => ({ text: `≤ ${limit} µs`, most: limit });
    return [
      row('kinematics, inverse', 'µs', { ours: inverse, beside: null }, most(AIM_INVERSE_US)),
      row('kinematics, forward', 'µs', { ours: forward, beside: null }, most(AIM_FORWARD_US)),
    ];
  },
};

function microseconds<T>(samples: number, over: readonly T[], call: (one: T) => unknown): Summary {
  const taken: number[] = [];
  // The first tenth warms up the compiler.
  for (let sample = -samples / 10; sample < samples; sample++) {
    const startMs = performance.now();
    for (const one of over) call(one);
    if (sample >= 0) taken.push(((performance.now() - startMs) * 1000) / over.length);
  }
  return summary(taken);
}

/** A deterministic spread over [-size, size]: multiples of the golden ratio never repeat. */
const spread = (index: number, dimension: number, size: number) =>
  (((index * 0.618034 * (dimension + 1)) % 1) * 2 - 1) * size;
const angles = (index: number) => ({
  rollRad: spread(index, 0, Math.PI / 6),
  pitchRad: spread(index, 1, Math.PI / 6),
  yawRad: spread(index, 2, Math.PI / 6),
});
const offset = (index: number): [number, number, number] => [
  spread(index, 3, 0.01),
  spread(index, 4, 0.01),
  spread(index, 5, 0.01),
];
