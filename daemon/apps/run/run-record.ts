import type { CrashDiagnosis } from '../../contract/apps/diagnosis.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import { RobotUnavailable } from '../../robot/errors.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';
import { type CrashFacts, diagnoseCrash } from '../crash/crash-diagnosis.ts';
import { EndpointNotReady } from '../needs/errors.ts';
import type { AppExit } from './process/app-process.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** The record of a run that has ended. */
export function recordOf(
  run: RunUnderWay,
  end: Omit<RunFacts, 'stopAsked' | 'forced' | 'lastedMs' | 'saidHello' | 'appPackage' | 'isOwn'>,
  endedAt: Date,
): AppRun {
  const { begun, app, stopAsked, forced, saidHello } = run;
  const { exit } = end;
  return {
    ...begun,
    endedAt: endedAt.toISOString(),
    exitCode: exit.code,
    signal: exit.signal,
    killed: [...exit.killedProcesses],
    ...describeRun({
      ...end,
      ...{ stopAsked, forced, saidHello },
      lastedMs: endedAt.getTime() - Date.parse(begun.startedAt),
      appPackage: app.module.split('.')[0] ?? app.module,
      isOwn: app.source.kind === 'folder',
    }),
  };
}

export interface RunFacts extends Omit<CrashFacts, 'exitCode' | 'signal' | 'isOutOfMemory'> {
  readonly exit: AppExit;
  readonly stopAsked: boolean;
  /** Whether a forced stop was requested. */
  readonly forced: boolean;
  readonly lastedMs: number;
  readonly saidHello: boolean;
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
  const { code: exitCode, signal, isOutOfMemory } = exit;
  const diagnosis = diagnoseCrash({ ...facts, exitCode, signal, isOutOfMemory });
  const how = exit.signal ?? `exit code ${exit.code}`;
  const isNamed = diagnosis.message.includes(how);
  return {
    outcome: 'crashed',
    message: isNamed ? diagnosis.message : `${diagnosis.message} It ended with ${how}.`,
    diagnosis,
  };
}

/** The record of a run whose start was accepted and then failed, or was stopped, before it had a process. */
export function recordOfFailedStart(run: RunUnderWay, error: Error, endedAt: Date): AppRun {
  return {
    ...run.begun,
    endedAt: endedAt.toISOString(),
    exitCode: null,
    signal: null,
    killed: [],
    ...(run.stopAsked
      ? { outcome: 'stopped', message: 'Stopped before it had started.', diagnosis: null }
      : { outcome: 'crashed', message: messageOf(error), diagnosis: diagnosisOf(error) }),
  };
}

function diagnosisOf(error: Error): CrashDiagnosis {
  const unseen = { message: messageOf(error), ownLine: null, evidence: [] };
  if (error instanceof EndpointNotReady) {
    return { ...unseen, cause: 'endpoint-failed', action: error.action, endpoint: error.endpoint };
  }
  if (error instanceof StorageError) return { ...unseen, cause: 'disk-full', action: error.action };
  const cause = error instanceof RobotUnavailable ? 'robot-lost' : 'unknown';
  return { ...unseen, cause, action: 'Start it again.' };
}

const messageOf = (error: Error): string =>
  error instanceof DomainError ? error.message : 'It could not be started. See the log of the daemon.';
