import type { AppRun, OutputLine } from '../../contract/apps/runs.ts';
import { type CrashFacts, diagnoseCrash } from '../crash/crash-diagnosis.ts';
import type { AppExit } from './app-process.ts';

export interface RunFacts extends Pick<CrashFacts, 'appPackage' | 'sdkVersion' | 'robotLost'> {
  readonly exit: AppExit;
  readonly stopAsked: boolean;
  /** Whether somebody wanted it to end at once. */
  readonly forced: boolean;
  readonly lastedMs: number;
  readonly saidHello: boolean;
  /** The last lines that it wrote, oldest first. */
  readonly lines: readonly Pick<OutputLine, 'stream' | 'text'>[];
}

/** A run that is over sooner than this has not really begun. */
const AT_ONCE_MS = 3_000;

/** What a run's end was, in a word and in a sentence. After a stop was asked for, no exit status is a crash. */
export function describeRun(facts: RunFacts): Pick<AppRun, 'outcome' | 'message' | 'diagnosis'> {
  const { exit } = facts;
  const { outcome, message, diagnosis = null } = endOf(facts);
  if (exit.leftovers === 0) return { outcome, message, diagnosis };
  const [who, were] = exit.leftovers === 1 ? ['A process', 'was'] : [`${exit.leftovers} processes`, 'were'];
  return { outcome, message: `${message} ${who} it had left behind ${were} ended.`, diagnosis };
}

function endOf(facts: RunFacts): Pick<AppRun, 'outcome' | 'message'> & Partial<Pick<AppRun, 'diagnosis'>> {
  const { exit, stopAsked, forced, lastedMs, saidHello, lines } = facts;
  if (exit.killed) {
    return {
      outcome: 'killed',
      message: forced ? 'It was force-stopped.' : 'It did not stop when asked, so it was killed.',
    };
  }
  if (stopAsked) return { outcome: 'stopped', message: 'Stopped.' };
  if (exit.code === 0) {
    const hasBegun = saidHello || lines.length > 0 || lastedMs > AT_ONCE_MS;
    return {
      outcome: 'finished',
      message: hasBegun
        ? 'It finished.'
        : 'It ended at once without doing anything. Its main module may lack the __main__ block.',
    };
  }
  const diagnosis = diagnoseCrash({ ...facts, exitCode: exit.code, signal: exit.signal });
  const how = exit.signal ?? `exit code ${exit.code}`;
  const isTold = diagnosis.message.includes(how);
  return {
    outcome: 'crashed',
    message: isTold ? diagnosis.message : `${diagnosis.message} It ended with ${how}.`,
    diagnosis,
  };
}
