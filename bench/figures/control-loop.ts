import { setTimeout as sleep } from 'node:timers/promises';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { startChild } from '../harness/child.ts';
import { EventReader } from '../harness/event-reader.ts';
import { type Figure, row } from '../harness/figure.ts';
import { benchProgram } from '../harness/programs.ts';
import { connectRobotProgram } from '../harness/robot-program.ts';
import { type Summary, summary } from '../harness/samples.ts';

const PERIOD_MS = 20;
const STREAM_MS = 10;
/** The first turns are the compiler's. */
const WARM_UP_MS = 2_000;
const AIM_P99_MS = 2;
const aim = () => ({ text: `p99 ≤ ${AIM_P99_MS} ms`, mostAtP99: AIM_P99_MS });

/** How evenly the loop turns that leads the joints. */
export const controlLoop: Figure = {
  name: 'control-loop',
  measures:
    'how far the time between two turns is from 20 ms, by the clock that each turn reads when it begins, as the states tell that one program hears; loaded: it streams targets 100 times a second, and a dashboard watches',
  beside: 'a process that does nothing but turn',
  measure: async ({ quick }) => {
    const forMs = quick ? 1_000 : 20_000;
    const bare = await bareJitter(forMs);
    const rows = [];
    for (const robot of ['simulation', 'emulator'] as const) {
      const { alone, loaded } = await jitterOn(robot, forMs);
      rows.push(row(`loop jitter, ${robot}`, 'ms', { ours: alone, beside: bare }, aim));
      rows.push(row(`loop jitter, ${robot}, loaded`, 'ms', { ours: loaded, beside: bare }, aim));
    }
    return rows;
  },
};

async function jitterOn(robot: 'simulation' | 'emulator', forMs: number): Promise<{ alone: Summary; loaded: Summary }> {
  await using daemon = await startBenchDaemon(robot === 'emulator' ? ['--emulator'] : []);
  await using program = await connectRobotProgram(daemon.url, 'bench');
  let turnsS: number[] = [];
  program.onReply((reply) => {
    if (reply.type === 'state') turnsS.push(reply.timeS);
  });
  const record = async () => {
    await sleep(WARM_UP_MS);
    turnsS = [];
    await sleep(forMs);
    return jitter(turnsS);
  };
  const alone = await record();
  await using _dashboard = await EventReader.open(daemon.url);
  let step = 0;
  const stream = setInterval(() => {
    const sway = Math.sin((step++ * STREAM_MS * 2 * Math.PI) / 2_000);
    program.send({ type: 'set_target', antennas: [sway / 2, -sway / 2], bodyYaw: sway / 3 });
  }, STREAM_MS);
  try {
    return { alone, loaded: await record() };
  } finally {
    clearInterval(stream);
  }
}

async function bareJitter(forMs: number): Promise<Summary> {
  await using loop = startChild(process.execPath, [benchProgram('bare-loop.ts')]);
  await loop.line();
  await sleep(WARM_UP_MS + forMs);
  loop.process.kill('SIGTERM');
  const turnsS = JSON.parse(await loop.line()) as number[];
  return jitter(turnsS.slice(WARM_UP_MS / PERIOD_MS));
}

function jitter(turnsS: readonly number[]): Summary {
  const betweenMs = turnsS.slice(1).map((turnS, index) => (turnS - (turnsS[index] ?? 0)) * 1000);
  return summary(betweenMs.map((ms) => Math.abs(ms - PERIOD_MS)));
}
