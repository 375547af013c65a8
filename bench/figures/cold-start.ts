import { monotonicMs } from '../harness/clock.ts';
import { type Figure, row } from '../harness/figure.ts';
import { bareExpress, daemonProgram, type HttpProgram, startAndWait, temporaryDataDir } from '../harness/programs.ts';
import { alternate } from '../harness/samples.ts';

const TIMES_BARE = 1.8;

/** The time until the daemon answers, with warm compile caches and a used data folder. */
export const coldStart: Figure = {
  name: 'cold-start',
  measures: 'from the spawn of the daemon to its first response at /api/daemon/status, requested every 2 ms',
  beside: 'a bare Express server of one page, also with a compile cache, spawned and requested in the same way',
  measure: async ({ quick }) => {
    await using dataDir = await temporaryDataDir();
    const [daemon, bare] = [await daemonProgram(dataDir.path), await bareExpress()];
    const taken = await alternate(
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
  await using _child = await startAndWait(program);
  return monotonicMs() - startMs;
}
