import { fromPythonNs, monotonicMs, requireSharedClock } from '../harness/clock.ts';
import { type Figure, row } from '../harness/figure.ts';
import { openProbeApp, type ProbeApp } from '../harness/probe-app.ts';
import { alternate } from '../harness/samples.ts';

const OVER_BARE_MS = 100;

/** The time that the daemon and the SDK add to the start of a Python program. The app reports when its `run()` begins. */
export const start: Figure = {
  name: 'start',
  measures: "from just before POST start-app to the entry of the app's run(), robot awake",
  beside: "the same environment's `python -u -m <empty module>`, from its spawn to its body",
  measure: async ({ quick }) => {
    requireSharedClock();
    await using probe = await openProbeApp();
    const taken = await alternate(
      quick ? 2 : 30,
      async () => {
        const tookMs = await probe.start();
        await probe.stop();
        return tookMs;
      },
      () => bareStartMs(probe),
    );
    const aim = { text: `≤ bare + ${OVER_BARE_MS} ms`, most: taken.beside.median + OVER_BARE_MS };
    return [row('start', 'ms', taken, () => aim)];
  },
};

async function bareStartMs(probe: ProbeApp): Promise<number> {
  const spawnedMs = monotonicMs();
  await using child = probe.bare('bare_start');
  const enteredMs = fromPythonNs(await child.line());
  await child.exited;
  return enteredMs - spawnedMs;
}
