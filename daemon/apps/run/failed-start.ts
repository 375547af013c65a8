import type { CrashDiagnosis } from '../../contract/apps/diagnosis.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import { RobotUnavailable } from '../../robot/errors.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';
import { EndpointNotReady } from '../needs/errors.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** The record of a run whose start was accepted and then failed, or was stopped, before it had a process. */
export function recordOfFailedStart(run: RunUnderWay, error: Error, endedAt: Date): AppRun {
  const { id, app, startedAt } = run;
  return {
    runId: id,
    appName: app.name,
    version: app.version,
    startedAt: startedAt.toISOString(),
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
