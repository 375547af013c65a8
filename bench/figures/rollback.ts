import { monotonicMs } from '../harness/clock.ts';
import { type Figure, row } from '../harness/figure.ts';
import { openSampleInstalls } from '../harness/sample-installs.ts';
import { summary } from '../harness/samples.ts';

const MOST_MS = 100;

/** The time to roll back to the earlier version. */
export const rollback: Figure = {
  name: 'rollback',
  measures: 'from just before POST rollback to its response, which is sent once the switch is on disk',
  beside: null,
  measure: async ({ quick }) => {
    await using installs = await openSampleInstalls();
    await installs.install();
    await installs.install();
    const tookMs: number[] = [];
    for (let sample = 0; sample < (quick ? 2 : 100); sample++) {
      const requestedMs = monotonicMs();
      await installs.rollBack();
      tookMs.push(monotonicMs() - requestedMs);
    }
    return [
      row('rollback', 'ms', { ours: summary(tookMs), beside: null }, () => ({
        text: `≤ ${MOST_MS} ms`,
        most: MOST_MS,
      })),
    ];
  },
};
