import type { AppRun, OutputLine } from '../../../contract/apps/runs.ts';
import { visibleText } from '../../../shared/display-text.ts';

/**
 * The output of a run as a text file, which a terminal or an editor can show: characters that steer it are escapes.
 * @param run null while it runs
 */
export function outputFile(
  { runId, appName }: Pick<AppRun, 'runId' | 'appName'>,
  run: AppRun | null,
  output: readonly OutputLine[],
): { name: string; text: string } {
  const last = output.at(-1)?.number ?? 0;
  const head = [
    `# ${appName}${run ? ` ${run.version}` : ''}, run ${runId}`,
    ...(run ? [`# ${run.startedAt} to ${run.endedAt}: ${run.message}`] : []),
    ...(last > output.length ? [`# ${last - output.length} of ${last} lines were not kept.`] : []),
  ];
  const start = run?.startedAt ?? output[0]?.at ?? '';
  return {
    name: [appName, ...start.slice(0, 19).split(/[^0-9T]/)].filter(Boolean).join('-').concat('.txt'),
    text: [...head.map(visibleText), ...output.map(lineText), ''].join('\n'),
  };
}

function lineText({ stream, text, truncated, at }: OutputLine): string {
  const visible = text.split('\t').map(visibleText).join('\t');
  return `${at} ${stream === 'stderr' ? 'err' : 'out'} ${visible}${truncated ? ' … cut here' : ''}`;
}
