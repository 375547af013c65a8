import { setTimeout as sleep } from 'node:timers/promises';
import { daemonAt } from '../../../daemon/client/node/daemon-at.ts';
import { robotAwake, startBenchDaemon } from '../../harness/bench-daemon.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { temporaryDataDir } from '../../harness/programs.ts';
import { connectRobotProgram } from '../../harness/robot-program.ts';
import { type Summary, summary } from '../../harness/samples.ts';
import { openScreen, shownBy, startDashboardWindow, type WindowProgram } from './program.ts';

const BLOCK_MS = 1_000;
/** Before and after each block, so that the pause is seen whole. */
const AROUND_MS = 500;

/**
 * The control loop while the main process is blocked. The daemon runs in that process, so the loop stalls with it: the
 * servos hold the last position, and the loop goes on from there.
 */
export const blockedMain: Figure = {
  name: 'blocked-main',
  measures: `on ${shownBy}: the longest pause between two cycles of the 50 Hz loop, by the start times that one program receives, while the main process, which the daemon is in, is blocked for ${BLOCK_MS / 1000} s`,
  beside: 'the same block of a window that shows a daemon of another process',
  measure: async ({ quick }) => {
    const blocks = quick ? 1 : 10;
    await using screen = await openScreen();
    await using dataDir = await temporaryDataDir();
    await using program = await startDashboardWindow(dataDir.path, screen.env);
    const ours = await longestPauses(program, program.url, blocks);
    await using daemon = await startBenchDaemon();
    await using window = await startDashboardWindow(daemon.dataDir, screen.env);
    const beside = await longestPauses(window, daemon.url, blocks);
    return [row(`longest pause of the loop, main blocked for ${BLOCK_MS / 1000} s`, 'ms', { ours, beside })];
  },
};

async function longestPauses({ app }: WindowProgram, url: string, blocks: number): Promise<Summary> {
  await robotAwake(daemonAt(url));
  await using robot = await connectRobotProgram(url, 'bench');
  const pausesMs: number[] = [];
  for (let block = 0; block < blocks; block++) {
    const turnsS: number[] = [];
    const stop = robot.onReply((reply) => {
      if (reply.type === 'state') turnsS.push(reply.timeS);
    });
    await sleep(AROUND_MS);
    await app.evaluate((_electron, forMs) => {
      const end = Date.now() + forMs;
      while (Date.now() < end);
    }, BLOCK_MS);
    await sleep(AROUND_MS);
    stop();
    pausesMs.push(Math.max(...turnsS.slice(1).map((turnS, index) => (turnS - (turnsS[index] ?? 0)) * 1_000)));
  }
  return summary(pausesMs);
}
