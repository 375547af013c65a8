import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { AppName } from '../contract/apps/app-source.ts';
import { Timestamp } from '../contract/common/common.ts';
import type { DaemonStatus } from '../contract/daemon.ts';
import { readPastRecords } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';

/**
 * How a rescue found and left the robot. `simulated`: it was none of hardware. `limp`: no motor held, so that there was
 * nothing to fold.
 */
export const RescuedRobot = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['folded', 'limp', 'simulated']) }),
  z.object({ state: z.literal('not-folded'), reason: z.string(), action: z.string().nullable() }),
]);
export type RescuedRobot = z.infer<typeof RescuedRobot>;

/** The record of a guardian whose daemon had ended without folding the robot. */
export const UnexpectedEnd = z.object({
  at: Timestamp,
  /** The app that was running; null: none. */
  appName: AppName.nullable(),
  /** Whether all processes and containers that the daemon had started are gone. */
  processesGone: z.boolean(),
  robot: RescuedRobot,
});
export type UnexpectedEnd = z.infer<typeof UnexpectedEnd>;

/** Texts for people: what happened, what was done about it, and what to do. */
export function describeEnd(end: UnexpectedEnd): NonNullable<DaemonStatus['unexpectedEnd']> {
  return {
    at: end.at,
    what: 'Robot Desktop ended unexpectedly: it crashed, or it was ended by force, for example when you logged out.',
    done: doneText(end),
    action: actionText(end),
  };
}

function doneText({ appName, processesGone, robot }: UnexpectedEnd): string {
  const processes = processesGone ? '' : 'Some processes or containers that it had started could not be ended.';
  return [appName === null ? '' : `The app ${appName} was ended.`, processes, robotText(robot)]
    .filter(Boolean)
    .join(' ');
}

function robotText(robot: RescuedRobot): string {
  switch (robot.state) {
    case 'folded':
      return 'The robot was folded.';
    case 'limp':
      return 'The motors of the robot were off already.';
    case 'simulated':
      return 'The robot was a simulated one.';
    case 'not-folded':
      return `The robot could not be folded: ${robot.reason}`;
  }
}

/** One thing, the most important one. */
function actionText({ appName, robot }: UnexpectedEnd): string {
  if (robot.state === 'not-folded') return robot.action ?? 'Unplug the robot, and plug it in again.';
  if (appName !== null) return `Start ${appName} again if you need it.`;
  return 'If this happens again, start it in a terminal: its last lines name the cause.';
}

/** Reports once that the last daemon ended without folding the robot, and what its guardian did. */
export class LastEnd {
  readonly #file: string;
  readonly #log: Logger;
  #end: DaemonStatus['unexpectedEnd'];

  /** @param file the record of the guardian */
  constructor(file: string, log: Logger) {
    this.#file = file;
    this.#log = log;
  }

  /** For the status; undefined: the last daemon ended in order. */
  get unexpected(): DaemonStatus['unexpectedEnd'] {
    return this.#end;
  }

  async load(): Promise<void> {
    const end = await readPastRecords(this.#file, UnexpectedEnd, this.#log);
    this.#end = end ? describeEnd(end) : undefined;
  }

  /** Logs it, and removes the record: the pages of this daemon, which listens now, show it. */
  async report(): Promise<void> {
    if (!this.#end) return;
    const { what, done, action } = this.#end;
    this.#log.warn(`${what} ${done} ${action}`);
    await rm(this.#file, { force: true });
  }
}
