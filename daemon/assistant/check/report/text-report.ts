import type { CheckFinding, CheckReport } from '../../../contract/apps/own-apps.ts';
import { visibleText } from '../../../shared/display-text.ts';

/** The findings for a terminal, grouped by file: `main.py:12`, what is wrong, and the one thing to do. */
export function textReport({ findings, built }: CheckReport, folder: string): string {
  const groups = Map.groupBy(findings, ({ file }) => file ?? '');
  const blocks = [...groups].map(([file, all]) => `${heading(file)}\n${all.map(findingLines).join('')}`);
  return `${[...blocks, summary(findings, built, folder)].join('\n')}\n`;
}

const heading = (file: string) => (file === '' ? 'The folder' : visibleText(file));

function findingLines({ id, severity, message, action, file, line, fixable }: CheckFinding): string {
  const place = file === null ? '' : `${visibleText(file)}${line === null ? '' : `:${line}`}  `;
  const todo = [...(action === null ? [] : [visibleText(action)]), ...(fixable ? ['(--fix does it)'] : [])].join(' ');
  return `  ${place}${severity}  ${id}\n    ${visibleText(message)}\n${todo === '' ? '' : `    → ${todo}\n`}`;
}

function summary(findings: readonly CheckFinding[], built: boolean, folder: string): string {
  const problems = findings.filter(({ severity }) => severity === 'problem').length;
  const warnings = findings.length - problems;
  const how = built ? 'built, installed and loaded' : 'its files checked';
  const what = [counted(problems, 'problem'), counted(warnings, 'warning')].filter((each) => each !== null);
  const found = what.length === 0 ? 'nothing found' : what.join(', ');
  return `${visibleText(folder)}: ${found} (${how}).`;
}

const counted = (count: number, noun: string) => (count === 0 ? null : `${count} ${noun}${count === 1 ? '' : 's'}`);
