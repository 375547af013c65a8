import type { Clock } from '../../shared/clock.ts';
import { type BoundNeed, type RunNeeds, WAKE_MS } from '../needs/run-needs.ts';
import { READY_MS, type RunRobot, robotReady } from './robot-for-runs.ts';
import type { RunUnderWay } from './run-under-way.ts';

/**
 * Waits until the robot is awake, and shows it in the slot, which counts from then on: the process starts.
 * @throws RobotUnavailable, StartCancelled
 */
export async function waitForRobot(
  run: RunUnderWay,
  { robot, clock }: { robot: RunRobot; clock: Clock },
): Promise<void> {
  const onWait = showWait(run, READY_MS, clock);
  await robotReady(clock, robot, { signal: run.startCancelled, onWait });
  run.lease.update({ detail: null, until: null, since: clock.now().toISOString() });
}

/** Waits until the endpoints of a run can be used, and shows it in the slot. @throws EndpointNotReady, StartCancelled */
export async function waitForEndpoints(
  run: RunUnderWay,
  bound: readonly BoundNeed[],
  { needs, clock }: { needs: Pick<RunNeeds, 'untilReady'>; clock: Clock },
): Promise<void> {
  await needs.untilReady(run.app, bound, { signal: run.startCancelled, onWait: showWait(run, WAKE_MS, clock) });
}

function showWait(run: RunUnderWay, limitMs: number, clock: Clock): (detail: string) => void {
  const until = new Date(clock.now().getTime() + limitMs).toISOString();
  return (detail) => run.lease.update({ detail, until });
}
