import type { AppRun } from '../contract/apps.ts';
import type { AppExit } from './app-process.ts';

export interface RunFacts {
  readonly exit: AppExit;
  readonly stopAsked: boolean;
  /** Whether somebody wanted it to end at once. */
  readonly forced: boolean;
  readonly lastedMs: number;
  readonly saidHello: boolean;
  readonly wroteNothing: boolean;
  /** The last lines of its standard error, oldest first. */
  readonly lastErrors: readonly string[];
}

/** A run that is over sooner than this has not really begun. */
const AT_ONCE_MS = 3_000;

/** What a run's end was, in a word and in a sentence. After a stop was asked for, no exit status is a crash. */
export function describeRun(facts: RunFacts): Pick<AppRun, 'outcome' | 'message'> {
  const { exit, stopAsked } = facts;
  const leftovers =
    exit.leftovers === 0
      ? ''
      : ` ${exit.leftovers === 1 ? 'A process' : `${exit.leftovers} processes`} it had left behind ${exit.leftovers === 1 ? 'was' : 'were'} ended.`;
  if (exit.killed) {
    const why = facts.forced ? 'It was ended by force.' : 'It did not stop when asked, so it was killed.';
    return { outcome: 'killed', message: `${why}${leftovers}` };
  }
  if (stopAsked) return { outcome: 'stopped', message: `Stopped.${leftovers}` };
  if (exit.code === 0) {
    return facts.saidHello || !facts.wroteNothing || facts.lastedMs > AT_ONCE_MS
      ? { outcome: 'finished', message: `It finished.${leftovers}` }
      : {
          outcome: 'finished',
          message: `It ended at once without doing anything. Its main module may lack the __main__ block.${leftovers}`,
        };
  }
  const how = exit.signal ? `signal ${exit.signal}` : `exit code ${exit.code}`;
  const cause = facts.lastErrors.findLast((line) => /^\S/.test(line) && line.trim() !== '');
  return {
    outcome: 'crashed',
    message: `It crashed (${how})${cause ? `: ${cause.replace(/\.$/, '')}` : ''}.${leftovers}`,
  };
}
