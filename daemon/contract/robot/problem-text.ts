import type { RobotState } from './robot.ts';

/** Why a robot cannot be used, or did not wake up, and what to do, in sentences; null: neither is so. */
export function problemText({ reason, action }: Pick<RobotState, 'reason' | 'action'>): string | null {
  return reason === null || action === null ? reason : `${reason} ${action}`;
}
