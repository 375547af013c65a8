import type { AppRun, OutputLine } from '../../../contract/apps/runs.ts';
import type { LineFilter } from '../../../shared/line-selection.ts';
import { linesFile } from '../../../shared/lines-file.ts';

/** The lines of a run for a file. */
export interface OutputForFile {
  /** How many lines are kept, and the number of the newest; 0: none. */
  readonly kept: number;
  readonly last: number;
  readonly filter: LineFilter;
  /** The kept lines that match the filter. */
  readonly lines: readonly OutputLine[];
  /** The time of the oldest kept line, ISO; empty: none. */
  readonly since: string;
}

/**
 * The output of a run as a text file.
 * @param run null while it runs
 */
export function outputFile(
  { runId, appName }: Pick<AppRun, 'runId' | 'appName'>,
  run: AppRun | null,
  { kept, last, filter, lines, since }: OutputForFile,
): { name: string; text: string } {
  return linesFile({
    program: appName,
    at: run?.startedAt ?? since,
    head: [
      `${appName}${run ? ` ${run.version}` : ''}, run ${runId}`,
      ...(run ? [`${run.startedAt} to ${run.endedAt}: ${run.message}`] : []),
      ...(last > kept ? [`${last - kept} of ${last} lines were not kept.`] : []),
    ],
    ...{ filter, kept, lines },
    mark: ({ stream }) => (stream === 'stderr' ? 'err' : 'out'),
  });
}
