/**
 * `unassigned`: it has not been told what to guard. `guarding`: it waits. `alerted`: it was asked to end, as at the end of
 * a session, and the daemon may still be ending in order. `rescuing`: it does what the daemon could not.
 */
export type GuardianState = 'unassigned' | 'guarding' | 'alerted' | 'rescuing' | 'ended';

/** `pipe-broke`: the process of the daemon has closed its end. `waited`: the time for an end in order is over. */
export type GuardianEvent = 'assigned' | 'ended-in-order' | 'pipe-broke' | 'terminated' | 'waited' | 'rescued';

export type GuardianAction = 'wait' | 'rescue' | 'exit';

export interface Decision {
  readonly state: GuardianState;
  readonly action?: GuardianAction;
}

const exit: Decision = { state: 'ended', action: 'exit' };
const rescue: Decision = { state: 'rescuing', action: 'rescue' };

/** Events that a state does not list change nothing: a rescue is neither begun twice nor broken off. */
const decisions: Readonly<Record<GuardianState, Partial<Record<GuardianEvent, Decision>>>> = {
  unassigned: { assigned: { state: 'guarding' }, 'ended-in-order': exit, 'pipe-broke': exit, terminated: exit },
  guarding: {
    'ended-in-order': exit,
    'pipe-broke': rescue,
    terminated: { state: 'alerted', action: 'wait' },
  },
  alerted: { 'ended-in-order': exit, 'pipe-broke': rescue, waited: rescue },
  rescuing: { rescued: exit },
  ended: {},
};

/** Decides what a guardian does next. */
export function decide(state: GuardianState, event: GuardianEvent): Decision {
  return decisions[state][event] ?? { state };
}
