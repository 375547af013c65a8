import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../harness/clock.ts';
import { type Figure, row } from '../harness/figure.ts';
import { openProbeApp, type ProbeApp } from '../harness/probe-app.ts';
import { alternate, summary } from '../harness/samples.ts';

const AIM_MS = 150;
/** Lets a program that has just started begin to wait. */
const SETTLE_MS = 50;

/**
 * The time to stop a well-behaved app. The app does not move the robot, but the return to the default position may still
 * take time: the event stream reports its begin and end, and the time between is subtracted.
 */
export const stop: Figure = {
  name: 'stop',
  measures: 'from just before POST stop-current-app to the slot being free, as the event stream reports it',
  beside: 'the same Python in a loop without the SDK, from SIGINT to its exit',
  measure: async ({ quick }) => {
    await using probe = await openProbeApp();
    const returnMs: number[] = [];
    const taken = await alternate(
      quick ? 2 : 30,
      async () => {
        const stopped = await stopMs(probe);
        returnMs.push(stopped.returnMs);
        return stopped.tookMs - stopped.returnMs;
      },
      () => bareStopMs(probe),
    );
    return [
      row('stop, without the return', 'ms', taken, () => ({ text: `≤ ${AIM_MS} ms`, most: AIM_MS })),
      row('stop, the return', 'ms', { ours: summary(returnMs.slice(1)), beside: null }),
    ];
  },
};

async function stopMs(probe: ProbeApp): Promise<{ tookMs: number; returnMs: number }> {
  await probe.start();
  await sleep(SETTLE_MS);
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
  const requestedMs = monotonicMs();
  await probe.stop();
  const freeMs = (await free).atMs;
  end();
  if (motion.endMs < motion.startMs) throw new Error('The slot was freed before the robot was back.');
  return { tookMs: freeMs - requestedMs, returnMs: motion.endMs - motion.startMs };
}

async function bareStopMs(probe: ProbeApp): Promise<number> {
  await using child = probe.bare('bare_loop');
  await child.line();
  await sleep(SETTLE_MS);
  const requestedMs = monotonicMs();
  child.process.kill('SIGINT');
  await child.exited;
  return monotonicMs() - requestedMs;
}
