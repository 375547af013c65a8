import { monotonicMs } from '../harness/clock.ts';
import { type Figure, row } from '../harness/figure.ts';
import { bareExpress, daemonProgram, type HttpProgram, startAnswering, temporaryDataDir } from '../harness/programs.ts';
import { inTurns } from '../harness/samples.ts';

const TIMES_BARE = 1.8;

/** The time until the daemon answers, with warm compile caches and a used data folder. */
export const coldStart: Figure = {
  name: 'cold-start',
  measures: 'from the spawn of the daemon to its first answer at /api/daemon/status, asked for every 2 ms',
  beside: 'a bare Express server of one page, with a compile cache too, spawned and asked in the same way',
  measure: async ({ quick }) => {
    await using dataDir = await temporaryDataDir();
    const [daemon, bare] = [await daemonProgram(dataDir.path), await bareExpress()];
    const taken = await inTurns(
      quick ? 2 : 25,
      () => firstAnswerMs(daemon),
      () => firstAnswerMs(bare),
    );
    const aim = { text: `≤ ${TIMES_BARE} × bare`, most: TIMES_BARE * taken.beside.median };
    return [row('cold-start', 'ms', taken, () => aim)];
  },
};

async function firstAnswerMs(program: HttpProgram): Promise<number> {
  const startMs = monotonicMs();
  await using _child = await startAnswering(program);
  return monotonicMs() - startMs;
}
