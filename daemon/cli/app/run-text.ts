import type { AppRun } from '../../contract/apps/runs.ts';
import { visibleText } from '../../shared/display-text.ts';

/**
 * How a run ended, for a person: of a crash also the place in the app's own code, the output that shows it and what to do.
 * @param options.outputShown leaves out the output, which the person has just read
 */
export function runText({ appName, message, diagnosis }: AppRun, { outputShown = false } = {}): string {
  const head = `${appName}: ${visibleText(message)}`;
  if (!diagnosis) return head;
  const { ownLine, evidence, action } = diagnosis;
  const place = ownLine
    ? [`${ownLine.file}:${ownLine.line}${ownLine.code === null ? '' : `: ${ownLine.code.trim()}`}`]
    : [];
  const details = [...place, ...(outputShown ? [] : evidence)].map((line) => `  ${visibleText(line)}`);
  return [head, ...details, visibleText(action)].join('\n');
}
