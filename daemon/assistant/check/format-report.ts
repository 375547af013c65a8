import { pathToFileURL } from 'node:url';
import { type RuleId, rules } from '../../app-package/rules.ts';
import type { CheckFinding, CheckReport } from '../../contract/apps/own-apps.ts';
import { visibleText } from '../../shared/display-text.ts';

type ReportFormat = 'text' | 'json' | 'sarif';

/**
 * Writes a report for people, for programs, or for tools that read SARIF 2.1.0.
 * @param folder the checked folder, an absolute path
 * @returns lines that end in a line feed
 */
export function formatReport(report: CheckReport, folder: string, format: ReportFormat): string {
  switch (format) {
    case 'text':
      return textReport(report, folder);
    case 'json':
      return `${JSON.stringify({ folder, ...report }, null, 2)}\n`;
    case 'sarif':
      return `${JSON.stringify(sarifReport(report, folder), null, 2)}\n`;
  }
}

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

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const ROOT = 'APP';

/** The report as a log of SARIF 2.1.0, which editors and code hosts read. */
function sarifReport({ findings, checkedAt }: CheckReport, folder: string) {
  const ids = [...new Set(findings.map(({ id }) => id))].sort();
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'robot-app-assistant', rules: ids.map(sarifRule) } },
        originalUriBaseIds: { [ROOT]: { uri: pathToFileURL(`${folder}/`).href } },
        invocations: [{ executionSuccessful: true, endTimeUtc: checkedAt }],
        columnKind: 'unicodeCodePoints',
        results: findings.map((finding) => sarifResult(finding, ids)),
      },
    ],
  };
}

function sarifRule(id: string) {
  const { title, help, severity } = rules[id as RuleId];
  return {
    id,
    shortDescription: { text: `${title}.` },
    help: { text: help },
    defaultConfiguration: { level: severity === 'warning' ? 'warning' : 'error' },
  };
}

function sarifResult({ id, severity, message, action, file, line }: CheckFinding, ids: readonly string[]) {
  // A result about the folder as a whole points to the file that makes it a package.
  const uri = (file ?? 'pyproject.toml').split('/').map(encodeURIComponent).join('/');
  return {
    ruleId: id,
    ruleIndex: ids.indexOf(id),
    level: severity === 'problem' ? 'error' : 'warning',
    message: { text: action === null ? message : `${message} ${action}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri, uriBaseId: ROOT },
          ...(line !== null && { region: { startLine: line } }),
        },
      },
    ],
  };
}
