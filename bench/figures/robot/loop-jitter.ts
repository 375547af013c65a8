import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../../harness/child.ts';
import { benchProgram } from '../../harness/programs.ts';
import type { RobotProgram } from '../../harness/robot-program.ts';
import { type Summary, summary } from '../../harness/samples.ts';

const PERIOD_MS = 20;
/** Until the code is compiled. */
const WARM_UP_MS = 2_000;

/** The deviation of the daemon's control loop from its period, by the states that a program receives. */
export async function recordJitter(program: RobotProgram, forMs: number): Promise<Summary> {
  const turnsS: number[] = [];
  let isRecording = false;
  program.onReply((reply) => {
    if (isRecording && reply.type === 'state') turnsS.push(reply.timeS);
  });
  await sleep(WARM_UP_MS);
  isRecording = true;
  await sleep(forMs);
  isRecording = false;
  return jitter(turnsS);
}

/** The same deviation of a process that runs the loop without work. */
export async function bareJitter(forMs: number): Promise<Summary> {
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
