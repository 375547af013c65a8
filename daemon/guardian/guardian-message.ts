import type { Assignment } from './assignment.ts';

/** A message to a guardian, one line of JSON on its standard input. `ended-in-order`: the app is stopped, the robot folded. */
export type GuardianMessage =
  | { readonly type: 'guard'; readonly assignment: Assignment }
  | { readonly type: 'ended-in-order' };

/** The same as it was received: the rescue checks the assignment, so that the guardian keeps no schema in memory. */
type Received = { readonly type: 'guard'; readonly assignment: unknown } | { readonly type: 'ended-in-order' };

export const messageLine = (message: GuardianMessage): string => `${JSON.stringify(message)}\n`;

/** @returns null for a line that is no message */
export function messageIn(line: string): Received | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return null;
  if (value.type === 'ended-in-order') return { type: 'ended-in-order' };
  return value.type === 'guard' && 'assignment' in value ? { type: 'guard', assignment: value.assignment } : null;
}
