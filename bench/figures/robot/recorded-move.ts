import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_MESSAGE_SAMPLES, type SdkMoveSamples } from '../../../daemon/contract/robot/sdk.ts';
import { startBenchDaemon } from '../../harness/bench-daemon.ts';
import { EventReader } from '../../harness/event-reader.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { connectRobotProgram, type RobotProgram } from '../../harness/robot-program.ts';
import { type Summary, summary } from '../../harness/samples.ts';
import { bareJitter } from './loop-jitter.ts';
import { simulatedDelaysMs } from './simulated-move.ts';
import { type Goals, startWireServos, type WireServos } from './wire-servos.ts';

const SAMPLE_S = 0.01;
const STREAM_MS = 10;
/** Until the code is compiled, and the motion to the first sample is over. */
const WARM_UP_S = 2;
const AIM_P99_MS = 2;
/** The right antenna swings between ± this angle: an encoder's step takes 0.5 ms, and the speed limit is far. */
const SWING_RAD = 2.5;
const SWING_RAD_S = 3;
const HALF_S = (2 * SWING_RAD) / SWING_RAD_S;
/** Samples near a turn of the swing would not tell the time. */
const NEAR_TURN_S = 0.06;
/** The left antenna goes from one end to the other once, and tells which swing it is. */
const END_RAD = 3;

const rightAt = (timeS: number) => {
  const phase = (timeS / HALF_S) % 2;
  return SWING_RAD * (phase < 1 ? 2 * phase - 1 : 3 - 2 * phase);
};

/** The jitter of a recorded move. */
export const recordedMove: Figure = {
  name: 'recorded-move',
  measures:
    "the deviation of a recorded move: the time of each command less the move's own time of the goals that it carries, and less the median of that; simulated: when a simulated robot, in the bench's process, gets the command; servos: when the sync write is read at the other end of the serial port; loaded: the same program streams targets for the head 100 times a second, sends another move of 60,000 samples, and a dashboard is connected",
  beside: 'the deviation from 20 ms between two cycles of a process that runs the control loop without work',
  measure: async ({ quick }) => {
    const durationS = quick ? 4 : 30;
    await using servos = await startWireServos();
    await using daemon = await startBenchDaemon(['--serial-port', servos.path]);
    await using program = await connectRobotProgram(daemon.url, 'bench');
    const alone = await jitterOf({ program, servos, durationS, whilePlaying: async () => {} });
    await using _dashboard = await EventReader.open(daemon.url);
    const loaded = await jitterOf({ program, servos, durationS, whilePlaying: () => load(program, durationS) });
    const aim = () => ({ text: `p99 ≤ ${AIM_P99_MS} ms`, mostAtP99: AIM_P99_MS });
    const simulated = deviations(await simulatedDelaysMs(durationS));
    const beside = await bareJitter(durationS * 1000);
    return [
      row('recorded move, simulated', 'ms', { ours: simulated, beside }, aim),
      row('recorded move, servos', 'ms', { ours: alone, beside }, aim),
      row('recorded move, servos, loaded', 'ms', { ours: loaded, beside }, aim),
    ];
  },
};

interface Played {
  readonly program: RobotProgram;
  readonly servos: WireServos;
  readonly durationS: number;
  readonly whilePlaying: () => Promise<void>;
}

async function jitterOf({ program, servos, durationS, whilePlaying }: Played): Promise<Summary> {
  const delaysMs: number[] = [];
  send(program, 'swing', durationS);
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const forgetEnd = program.onReply((reply) => {
    if (reply.type === 'done' && reply.id === 'swing') resolve();
    if (reply.type === 'error') reject(new Error(reply.message));
  });
  program.send({ type: 'play_move', id: 'swing', move: 'swing', initialGotoS: 1, ifBusy: 'replace' });
  await sleep(1_500);
  const forget = servos.onGoals((goals, atMs) => {
    const timeS = timeOf(goals, durationS);
    if (timeS !== null && timeS > WARM_UP_S) delaysMs.push(atMs - timeS * 1000);
  });
  await Promise.all([ended, whilePlaying()]);
  forget();
  forgetEnd();
  return deviations(delaysMs);
}

function deviations(delaysMs: readonly number[]): Summary {
  const middle = delaysMs.toSorted((a, b) => a - b)[Math.floor(delaysMs.length / 2)] ?? 0;
  return summary(delaysMs.map((ms) => Math.abs(ms - middle)));
}

/** The time of the move for goals, seconds; null: too near to a turn of the swing, or after the move. */
function timeOf(goals: Goals, durationS: number): number | null {
  const [right, left] = [goals.get('right_antenna'), goals.get('left_antenna')];
  if (right === undefined || left === undefined || left > END_RAD - 0.01) return null;
  const roughS = ((left + END_RAD) / (2 * END_RAD)) * durationS;
  const half = Math.floor(roughS / HALF_S);
  const intoS = roughS - half * HALF_S;
  if (intoS < NEAR_TURN_S || intoS > HALF_S - NEAR_TURN_S) return null;
  const upwards = half % 2 === 0;
  return half * HALF_S + (upwards ? right + SWING_RAD : SWING_RAD - right) / SWING_RAD_S;
}

/** Sends a move of the antennas with 100 samples a second. */
function send(program: RobotProgram, move: string, durationS: number): void {
  for (const message of messagesOf(move, durationS)) program.send(message);
}

function* messagesOf(move: string, durationS: number): Generator<SdkMoveSamples> {
  const count = Math.round(durationS / SAMPLE_S);
  for (let start = 0; start < count; start += MAX_MESSAGE_SAMPLES) {
    const length = Math.min(MAX_MESSAGE_SAMPLES, count - start);
    const timesS = Array.from({ length }, (_, index) => (start + index) * SAMPLE_S);
    const antennas = timesS.map((timeS) => [rightAt(timeS), END_RAD * ((2 * timeS) / durationS - 1)]);
    yield { type: 'move_samples', move, timesS, heads: null, antennas, bodyYaws: null };
  }
}

/** Streams targets, and meanwhile sends another move, which is not played. */
async function load(program: RobotProgram, durationS: number): Promise<void> {
  let step = 0;
  const samples = messagesOf('another', 599);
  const stream = setInterval(() => {
    const sway = 0.01 * Math.sin((step++ * STREAM_MS * 2 * Math.PI) / 2_000);
    program.send({ type: 'set_target', head: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, sway, 0, 0, 0, 1] });
    const { value } = step * STREAM_MS > WARM_UP_S * 1000 ? samples.next() : { value: undefined };
    if (value) program.send(value);
  }, STREAM_MS);
  await sleep(durationS * 1000);
  clearInterval(stream);
}
