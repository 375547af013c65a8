import type { AppRun, OutputLine } from '../../contract/apps/runs.ts';
import type { MissingPart } from '../crash/missing-part.ts';
import type { UnservedNeed, UsedEndpoint } from '../needs/run-needs.ts';
import type { AppExit } from './process/app-process.ts';
import { describeRun } from './run-outcome.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** The record of a run that has ended. @param end.lines the last lines of its output */
export function recordOf(
  run: RunUnderWay,
  end: {
    exit: AppExit;
    endedAt: Date;
    lines: readonly OutputLine[];
    sdkVersion: string;
    robotLost: boolean;
    missingPart: MissingPart | null;
    variablesSet: readonly string[];
    endpoints: readonly UsedEndpoint[];
    unserved: readonly UnservedNeed[];
  },
): AppRun {
  const { id, app, startedAt } = run;
  const { exit, endedAt, lines, sdkVersion, robotLost, missingPart, variablesSet, endpoints, unserved } = end;
  return {
    runId: id,
    appName: app.name,
    version: app.version,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    exitCode: exit.code,
    signal: exit.signal,
    killed: [...exit.killedProcesses],
    ...describeRun({
      exit,
      stopAsked: run.stopAsked,
      forced: run.forced,
      lastedMs: endedAt.getTime() - startedAt.getTime(),
      saidHello: run.saidHello,
      lines,
      appPackage: app.module.split('.')[0] ?? app.module,
      sdkVersion,
      isOwn: app.source.kind === 'folder',
      robotLost,
      missingPart,
      variablesSet,
      endpoints,
      unserved,
    }),
  };
}
