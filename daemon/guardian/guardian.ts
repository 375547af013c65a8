import type { Readable } from 'node:stream';
import { settlesWithin } from '../shared/async/settles-within.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import { LineSplitter } from '../shared/processes/line-splitter.ts';
import type { Assignment } from './assignment.ts';

/** A message to a guardian, one line of JSON on its standard input. `ended-in-order`: the app is stopped, the robot folded. */
type GuardianMessage =
  | { readonly type: 'guard'; readonly assignment: Assignment }
  | { readonly type: 'ended-in-order' };

/** The same as it was received: the rescue checks the assignment, so that the guardian keeps no schema in memory. */
type Received = { readonly type: 'guard'; readonly assignment: unknown } | { readonly type: 'ended-in-order' };

export const messageLine = (message: GuardianMessage): string => `${JSON.stringify(message)}\n`;

/** @returns null for a line that is no message */
function messageIn(line: string): Received | null {
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

/**
 * `unassigned`: it has no assignment yet. `guarding`: it waits. `alerted`: it was asked to end, as at the end of
 * a session, and the daemon may still be ending in order. `rescuing`: it does what the daemon could not.
 */
export type GuardianState = 'unassigned' | 'guarding' | 'alerted' | 'rescuing' | 'ended';

/** `pipe-broke`: the process of the daemon has closed its end. `waited`: the time for an end in order is over. */
export type GuardianEvent = 'assigned' | 'ended-in-order' | 'pipe-broke' | 'terminated' | 'waited' | 'rescued';

type GuardianAction = 'wait' | 'rescue' | 'exit';

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

export function decide(state: GuardianState, event: GuardianEvent): Decision {
  return decisions[state][event] ?? { state };
}

/** How long a daemon may take to end in order after a signal to all: longer than its own limit of 8 s. */
export const ENDS_IN_ORDER_WITHIN_MS = 10_000;
/** Everything that a rescue waits for has a shorter limit; this one holds if one of them does not. */
export const RESCUE_CAP_MS = 45_000;

interface GuardianDeps {
  /** The pipe from the daemon's process. */
  readonly input: Readable;
  readonly process: Pick<NodeJS.EventEmitter, 'on'>;
  /** Does what the daemon could not. It reads no file of the program. */
  readonly rescue: (assignment: unknown) => Promise<void>;
  readonly exit: (code: number) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Watches over a daemon from a process of its own. If it does not end in order, ends what it had started and folds its
 * robot. Until then it only waits for its pipe: no timer, no polling.
 */
export class Guardian {
  readonly #deps: GuardianDeps;
  #state: GuardianState = 'unassigned';
  #assignment: unknown;
  #exitCode = 0;

  constructor(deps: GuardianDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { input, process } = this.#deps;
    // A closed terminal and Ctrl-C are the daemon's business.
    for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
    process.on('SIGTERM', () => this.#handle('terminated'));
    const lines = new LineSplitter((line) => this.#receive(line));
    input.on('data', (chunk: Buffer) => lines.write(chunk));
    input.on('error', () => {}); // `close` follows
    input.once('close', () => this.#handle('pipe-broke'));
  }

  #receive(line: string): void {
    const message = messageIn(line);
    if (message?.type === 'guard') this.#assignment = message.assignment;
    if (message) this.#handle(message.type === 'guard' ? 'assigned' : 'ended-in-order');
    else this.#deps.log.warn('guardian: it was sent a line that is no message');
  }

  #handle(event: GuardianEvent): void {
    const { clock, exit, log } = this.#deps;
    const { state, action } = decide(this.#state, event);
    this.#state = state;
    if (event === 'assigned') log.info('guardian: ready');
    if (action === 'wait') clock.after(ENDS_IN_ORDER_WITHIN_MS, () => this.#handle('waited'));
    if (action === 'rescue') {
      log.warn('guardian: the daemon did not end in order');
      void this.#rescue().then(() => this.#handle('rescued'));
    }
    if (action === 'exit') exit(this.#exitCode);
  }

  /** Never rejects. */
  async #rescue(): Promise<void> {
    const { rescue, clock, log } = this.#deps;
    try {
      if (await settlesWithin(clock, RESCUE_CAP_MS, rescue(this.#assignment))) return;
      log.error(`guardian: it gives up after ${RESCUE_CAP_MS / 1000} s`);
    } catch (error) {
      log.error('guardian: the rescue failed', error);
    }
    this.#exitCode = 1;
  }
}
