import type { Now } from '../../shared/clock.ts';
import { type BoundNeed, type RunNeeds, WAKE_MS } from '../needs/run-needs.ts';
import { READY_MS, type RunRobot, robotReady } from './robot-for-runs.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** Waits until the robot is awake, and shows it in the slot. @throws RobotUnavailable, StartCancelled */
export async function waitForRobot(run: RunUnderWay, { robot, now }: { robot: RunRobot; now: Now }): Promise<void> {
  const onWait = showWait(run, READY_MS, now);
  await robotReady(robot, { signal: run.startCancelled, onWait });
  run.lease.update({ detail: null, until: null });
}

/** Waits until the endpoints of a run can be used, and shows it in the slot. @throws EndpointNotReady, StartCancelled */
export async function waitForEndpoints(
  run: RunUnderWay,
  bound: readonly BoundNeed[],
  { needs, now }: { needs: Pick<RunNeeds, 'untilReady'>; now: Now },
): Promise<void> {
  await needs.untilReady(run.app, bound, { signal: run.startCancelled, onWait: showWait(run, WAKE_MS, now) });
}

function showWait(run: RunUnderWay, limitMs: number, now: Now): (detail: string) => void {
  const until = new Date(now().getTime() + limitMs).toISOString();
  return (detail) => run.lease.update({ detail, until });
}
