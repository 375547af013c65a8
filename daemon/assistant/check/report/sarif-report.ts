import { pathToFileURL } from 'node:url';
import { type RuleId, rules } from '../../../app-package/rules.ts';
import type { CheckFinding, CheckReport } from '../../../contract/apps/own-apps.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const ROOT = 'APP';

/** The report as a log of SARIF 2.1.0, which editors and code hosts read. */
export function sarifReport({ findings, checkedAt }: CheckReport, folder: string) {
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
