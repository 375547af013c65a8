import type { AppRun, OutputLine } from '../../contract/apps/runs.ts';
import { type CrashFacts, diagnoseCrash } from '../crash/crash-diagnosis.ts';
import type { AppExit } from './process/app-process.ts';

export interface RunFacts
  extends Pick<
    CrashFacts,
    'appPackage' | 'sdkVersion' | 'isOwn' | 'robotLost' | 'missingPart' | 'variablesSet' | 'endpoints' | 'unserved'
  > {
  readonly exit: AppExit;
  readonly stopAsked: boolean;
  /** Whether a forced stop was requested. */
  readonly forced: boolean;
  readonly lastedMs: number;
  readonly saidHello: boolean;
  /** The last lines of its output, oldest first. */
  readonly lines: readonly Pick<OutputLine, 'stream' | 'text'>[];
}

/** A run without output that ends sooner than this did nothing. */
const IMMEDIATE_END_MS = 3_000;

/** The outcome of a run and a sentence about it. After a stop was requested, no exit status counts as a crash. */
export function describeRun(facts: RunFacts): Pick<AppRun, 'outcome' | 'message' | 'diagnosis'> {
  const { exit } = facts;
  const { outcome, message, diagnosis = null } = endOf(facts);
  if (exit.leftovers === 0) return { outcome, message, diagnosis };
  const [processes, were] = exit.leftovers === 1 ? ['A process', 'was'] : [`${exit.leftovers} processes`, 'were'];
  return { outcome, message: `${message} ${processes} that it left running ${were} stopped.`, diagnosis };
}

function endOf(facts: RunFacts): Pick<AppRun, 'outcome' | 'message'> & Partial<Pick<AppRun, 'diagnosis'>> {
  const { exit, stopAsked, forced, lastedMs, saidHello, lines } = facts;
  if (exit.killed) {
    return {
      outcome: 'killed',
      message: forced ? 'It was force-stopped.' : 'It did not stop in time and was force-stopped.',
    };
  }
  if (stopAsked) return { outcome: 'stopped', message: 'Stopped.' };
  if (exit.code === 0) {
    const didSomething = saidHello || lines.length > 0 || lastedMs > IMMEDIATE_END_MS;
    return {
      outcome: 'finished',
      message: didSomething
        ? 'It finished.'
        : 'It ended at once without doing anything. Its main module may lack the __main__ block.',
    };
  }
  const diagnosis = diagnoseCrash({
    ...facts,
    exitCode: exit.code,
    signal: exit.signal,
    isOutOfMemory: exit.isOutOfMemory,
  });
  const how = exit.signal ?? `exit code ${exit.code}`;
  const isNamed = diagnosis.message.includes(how);
  return {
    outcome: 'crashed',
    message: isNamed ? diagnosis.message : `${diagnosis.message} It ended with ${how}.`,
    diagnosis,
  };
}
