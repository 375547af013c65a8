import { setTimeout as sleep } from 'node:timers/promises';
import { startBenchDaemon } from '../../harness/bench-daemon.ts';
import { EventReader } from '../../harness/event-reader.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { connectRobotProgram, type RobotProgram } from '../../harness/robot-program.ts';
import { type Summary, summary } from '../../harness/samples.ts';
import { bareJitter } from './loop-jitter.ts';
import { busDelaysMs, simulatedDelaysMs } from './move-in-process.ts';
import { swingMove, swingTimeS } from './swing-move.ts';
import { startWireServos, type WireServos } from './wire-servos.ts';

const STREAM_MS = 10;
/** Until the move has begun, and the code is compiled. */
const WARM_UP_MS = 3_000;
const AIM_P99_MS = 2;

/** The jitter of a recorded move. */
export const recordedMove: Figure = {
  name: 'recorded-move',
  measures:
    "the deviation of a recorded move: the time of each command less the move's own time of the goals that it carries, and less the median of that; simulated: when a simulated robot in the bench's process gets the command; bus: when the sync write is sent to emulated servos in that process; serial port: when the daemon's sync write is read at the other end of the port; loaded: the same program streams targets for the head 100 times a second, sends another move of 60,000 samples, and a dashboard is connected",
  beside: 'the deviation from 20 ms between two cycles of a process that runs the control loop without work',
  measure: async ({ quick }) => {
    const durationS = quick ? 4 : 30;
    const simulated = deviations(await simulatedDelaysMs(durationS));
    const bus = deviations(await busDelaysMs(durationS));
    const { alone, loaded } = await overSerialPort(durationS);
    const beside = await bareJitter(durationS * 1000);
    const rowOf = (label: string, ours: Summary) =>
      row(`recorded move, ${label}`, 'ms', { ours, beside }, () => ({
        text: `p99 ≤ ${AIM_P99_MS} ms`,
        mostAtP99: AIM_P99_MS,
      }));
    return [
      rowOf('simulated', simulated),
      rowOf('bus', bus),
      rowOf('serial port', alone),
      rowOf('serial port, loaded', loaded),
    ];
  },
};

async function overSerialPort(durationS: number): Promise<{ alone: Summary; loaded: Summary }> {
  await using servos = await startWireServos();
  await using daemon = await startBenchDaemon(['--serial-port', servos.path]);
  await using program = await connectRobotProgram(daemon.url, 'bench');
  const alone = await played({ program, servos, durationS });
  await using _dashboard = await EventReader.open(daemon.url);
  const stream = streamTargets(program);
  try {
    return { alone, loaded: await played({ program, servos, durationS }) };
  } finally {
    clearInterval(stream);
  }
}

interface Played {
  readonly program: RobotProgram;
  readonly servos: WireServos;
  readonly durationS: number;
}

async function played({ program, servos, durationS }: Played): Promise<Summary> {
  const delaysMs: number[] = [];
  for (const message of swingMove('swing', durationS)) program.send(message);
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const forgetEnd = program.onReply((reply) => {
    if (reply.type === 'done' && reply.id === 'swing') resolve();
    if (reply.type === 'error') reject(new Error(reply.message));
  });
  program.send({ type: 'play_move', id: 'swing', move: 'swing', initialGotoS: 1, ifBusy: 'replace' });
  await sleep(WARM_UP_MS);
  const forgetGoals = servos.onGoals((goals, atMs) => {
    const timeS = swingTimeS(goals.get('right_antenna') ?? 0, goals.get('left_antenna') ?? 0, durationS);
    if (timeS !== null) delaysMs.push(atMs - timeS * 1000);
  });
  await ended;
  forgetGoals();
  forgetEnd();
  return deviations(delaysMs);
}

function deviations(delaysMs: readonly number[]): Summary {
  const middle = delaysMs.toSorted((a, b) => a - b)[Math.floor(delaysMs.length / 2)] ?? 0;
  return summary(delaysMs.map((ms) => Math.abs(ms - middle)));
}

/** Streams targets, and sends another move a message at a time, again and again, which is not played. */
function streamTargets(program: RobotProgram): NodeJS.Timeout {
  let step = 0;
  let samples = swingMove('another', 600);
  return setInterval(() => {
    step += 1;
    const sway = 0.01 * Math.sin((step * STREAM_MS * 2 * Math.PI) / 2_000);
    program.send({ type: 'set_target', head: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, sway, 0, 0, 0, 1] });
    if (step * STREAM_MS < WARM_UP_MS) return; // before that, it would discard the move to play
    const { value } = samples.next();
    if (value) program.send(value);
    else samples = swingMove(`another ${step}`, 600);
  }, STREAM_MS);
}
