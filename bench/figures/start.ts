import { fromPythonNs, monotonicMs, requireSharedClock } from '../harness/clock.ts';
import { type Figure, row } from '../harness/figure.ts';
import { openProbeApp, type ProbeApp } from '../harness/probe-app.ts';
import { alternate } from '../harness/samples.ts';

const OVER_BARE_MS = 100;
const TIMES_IMPORT = 1.6;

/** The time that the daemon and the SDK add to the start of a Python program. The app reports when its `run()` begins. */
export const start: Figure = {
  name: 'start',
  measures: "from just before POST start-app to the entry of the app's run(), robot awake",
  beside:
    "the same environment's `python -u -m <empty module>`, from its spawn to its body; then one that only imports the SDK, to its end",
  measure: async ({ quick }) => {
    requireSharedClock();
    await using probe = await openProbeApp();
    const times = quick ? 2 : 30;
    const started = async () => {
      const tookMs = await probe.start();
      await probe.stop();
      return tookMs;
    };
    const overBare = await alternate(times, started, () => bareStartMs(probe));
    const overImport = await alternate(times, started, () => importMs(probe));
    return [
      row('start', 'ms', overBare, ({ median }) => ({
        text: `≤ bare + ${OVER_BARE_MS} ms`,
        most: median + OVER_BARE_MS,
      })),
      row('start, beside the import of the SDK alone', 'ms', overImport, ({ median }) => ({
        text: `≤ import × ${TIMES_IMPORT}`,
        most: median * TIMES_IMPORT,
      })),
    ];
  },
};

async function bareStartMs(probe: ProbeApp): Promise<number> {
  const spawnedMs = monotonicMs();
  await using child = probe.bare('bare_start');
  const enteredMs = fromPythonNs(await child.line());
  await child.exited;
  return enteredMs - spawnedMs;
}

async function importMs(probe: ProbeApp): Promise<number> {
  const spawnedMs = monotonicMs();
  await using child = probe.bare('bare_import');
  await child.exited;
  return monotonicMs() - spawnedMs;
}
