import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../harness/clock.ts';
import { type Figure, row } from '../harness/figure.ts';
import { openProbeApp, type ProbeApp } from '../harness/probe-app.ts';
import { inTurns, summary } from '../harness/samples.ts';

const AIM_MS = 150;
/** Until what was just started has begun to wait. */
const CALM_MS = 50;

/**
 * How soon a polite app is gone. The app does not move the robot, but the return to the default position may take its
 * time even from there; the event stream tells when that motion begins and ends, and what lies between is left out.
 */
export const stop: Figure = {
  name: 'stop',
  measures: 'from just before POST stop-current-app to the slot being free, as the event stream tells it',
  beside: 'the same Python in a loop without the SDK, from SIGINT sent by hand to its exit',
  measure: async ({ quick }) => {
    await using probe = await openProbeApp();
    const returnMs: number[] = [];
    const taken = await inTurns(
      quick ? 2 : 30,
      async () => {
        const stopped = await stopMs(probe);
        returnMs.push(stopped.returnMs);
        return stopped.tookMs - stopped.returnMs;
      },
      () => bareStopMs(probe),
    );
    return [
      row('stop, the return left out', 'ms', taken, () => ({ text: `≤ ${AIM_MS} ms`, most: AIM_MS })),
      row('the return that was left out', 'ms', { ours: summary(returnMs.slice(1)), beside: null }),
    ];
  },
};

async function stopMs(probe: ProbeApp): Promise<{ tookMs: number; returnMs: number }> {
  await probe.start();
  await sleep(CALM_MS);
  const motion = { startMs: 0, endMs: 0 };
  const end = probe.events.listen(({ event, atMs }) => {
    if (event.type !== 'robot.changed') return;
    if (event.robot.motion !== null) motion.startMs = atMs;
    else motion.endMs = atMs;
  });
  const free = probe.events.next(
    (event) => event.type === 'app-slot.changed' && event.slot.state === 'free',
    'a free slot',
  );
  const askedMs = monotonicMs();
  await probe.stop();
  const freeMs = (await free).atMs;
  end();
  if (motion.endMs < motion.startMs) throw new Error('The slot was freed before the robot was back.');
  return { tookMs: freeMs - askedMs, returnMs: motion.endMs - motion.startMs };
}

async function bareStopMs(probe: ProbeApp): Promise<number> {
  await using child = probe.bare('bare_loop');
  await child.line();
  await sleep(CALM_MS);
  const askedMs = monotonicMs();
  child.process.kill('SIGINT');
  await child.exited;
  return monotonicMs() - askedMs;
}
