import { styleText } from 'node:util';
import type { CheckFinding } from '../../contract/apps/own-apps.ts';
import { visibleText } from '../../shared/display-text.ts';

/** Findings for a terminal, in colours where it has any: `pyproject.toml:3: problem: … (no-entry-point)`. */
export function findingsText(findings: readonly CheckFinding[], stream: NodeJS.WriteStream): string {
  return findings.map((finding) => findingText(finding, stream)).join('');
}

function findingText({ id, severity, message, action, file, line, fixable }: CheckFinding, stream: NodeJS.WriteStream) {
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `;
  const word = styleText(severity === 'problem' ? 'red' : 'yellow', `${severity}:`, { stream });
  const fix = fixable ? ' --fix repairs it.' : '';
  const todo = action === null ? '' : ` ${action}`;
  const code = styleText('dim', `(${id})`, { stream });
  return `${visibleText(place)}${word} ${visibleText(`${message}${todo}`)}${fix} ${code}\n`;
}
