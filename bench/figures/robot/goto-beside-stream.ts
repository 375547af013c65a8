import type { MotorName } from '../../../daemon/contract/robot/robot.ts';
import { poseFrom, rollPitchYawOf } from '../../../daemon/robot/kinematics/pose.ts';
import { forwardKinematics } from '../../../daemon/robot/kinematics/stewart.ts';
import { startBenchDaemon } from '../../harness/bench-daemon.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { connectRobotProgram, type RobotProgram } from '../../harness/robot-program.ts';
import { summary } from '../../harness/samples.ts';
import { type Goals, startWireServos, type WireServos } from './wire-servos.ts';

const STREAM_MS = 10;
const GOTO_S = 2;
const PITCH_RAD = 0.25;
const AIM_P99_DEG = 0.2;
const legNames: readonly MotorName[] = ['stewart_1', 'stewart_2', 'stewart_3', 'stewart_4', 'stewart_5', 'stewart_6'];
const level = poseFrom({ rollRad: 0, pitchRad: 0, yawRad: 0 });
const pitched = (pitchRad: number) => poseFrom({ rollRad: 0, pitchRad, yawRad: 0 });

/** The accuracy of a goto of the head while the antennas are streamed. */
export const gotoBesideStream: Figure = {
  name: 'goto-beside-stream',
  measures: `the deviation of the head's commanded pitch from its straight way in time, at the servos, during linear gotos of the head over ${Math.round((2 * PITCH_RAD * 180) / Math.PI)}° in ${GOTO_S} s, while the same program streams targets for the antennas 100 times a second`,
  beside: 'the same gotos without the stream',
  measure: async ({ quick }) => {
    await using servos = await startWireServos();
    await using daemon = await startBenchDaemon(['--serial-port', servos.path]);
    await using program = await connectRobotProgram(daemon.url, 'bench');
    const ours: number[] = [];
    const beside: number[] = [];
    for (let turn = 0; turn <= (quick ? 1 : 8); turn++) {
      const [streamed, alone] = [
        await deviationsDeg(program, servos, true),
        await deviationsDeg(program, servos, false),
      ];
      if (turn === 0) continue; // the first warms up
      ours.push(...streamed);
      beside.push(...alone);
    }
    return [
      row('goto of the head beside a stream', '°', { ours: summary(ours), beside: summary(beside) }, () => ({
        text: `p99 ≤ ${AIM_P99_DEG}°`,
        mostAtP99: AIM_P99_DEG,
      })),
    ];
  },
};

/** Moves the head down and up again. @returns the deviations of each command of the second motion, degrees */
async function deviationsDeg(program: RobotProgram, servos: WireServos, streaming: boolean): Promise<number[]> {
  await goto(program, -PITCH_RAD);
  let step = 0;
  const stream = setInterval(() => {
    const sway = Math.sin((step++ * STREAM_MS * 2 * Math.PI) / 1_000);
    if (streaming) program.send({ type: 'set_target', antennas: [sway, -sway] });
  }, STREAM_MS);
  const commands: { pitchRad: number; atS: number }[] = [];
  const forget = servos.onGoals((goals, atMs) => {
    const pitchRad = pitchOf(goals);
    // Not the ends, where the head stands still.
    if (Math.abs(pitchRad) < PITCH_RAD * 0.95) commands.push({ pitchRad, atS: atMs / 1000 });
  });
  await goto(program, PITCH_RAD);
  forget();
  clearInterval(stream);
  const radS = (2 * PITCH_RAD) / GOTO_S;
  const starts = commands.map(({ pitchRad, atS }) => atS - (pitchRad + PITCH_RAD) / radS).toSorted((a, b) => a - b);
  const startS = starts[Math.floor(starts.length / 2)] ?? 0;
  return commands.map(
    ({ pitchRad, atS }) => (Math.abs(pitchRad - ((atS - startS) * radS - PITCH_RAD)) * 180) / Math.PI,
  );
}

function pitchOf(goals: Goals): number {
  const legs = legNames.map((name) => goals.get(name) ?? 0);
  return rollPitchYawOf(forwardKinematics(legs, goals.get('body_rotation') ?? 0, level)).pitchRad;
}

/** @throws Error when the goto is not done in full */
async function goto(program: RobotProgram, pitchRad: number): Promise<void> {
  const id = String(performance.now());
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const forget = program.onReply((reply) => {
    if (!('id' in reply) || reply.id !== id) return;
    if (reply.type === 'done' && reply.outcome === 'done' && !reply.lost) resolve();
    else reject(new Error(`The goto was not done: ${JSON.stringify(reply)}`));
  });
  const head = pitched(pitchRad);
  program.send({ type: 'goto_target', id, head, durationS: GOTO_S, method: 'linear', ifBusy: 'replace' });
  await promise.finally(forget);
}
