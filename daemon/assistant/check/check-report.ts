import type { PackageFinding } from '../../app-package/package-finding.ts';
import { isFixable, type RuleId, rules } from '../../app-package/rules.ts';
import type { CheckFinding, CheckReport } from '../../contract/apps/own-apps.ts';

/** Findings of a build that say nothing about the app: the check could not be done. */
const UNDONE: ReadonlySet<string> = new Set(['not-built'] satisfies RuleId[]);
/** Problems of what is published that do not keep the app from running. */
const RUNS_WITH: ReadonlySet<string> = new Set(['secret'] satisfies RuleId[]);

/** Rules whose action at an install is for a user, who cannot change the app. */
const FOR_USERS: ReadonlySet<RuleId> = new Set<RuleId>(['in-subdirectory', 'python-version', 'sdk-mismatch']);

/** The report of a check: problems first, then by file and line, each finding once. */
export function checkReport(
  findings: readonly PackageFinding[],
  { checkedAt, built }: Pick<CheckReport, 'checkedAt' | 'built'>,
): CheckReport {
  const unique = new Map(findings.map((finding) => [JSON.stringify(finding), checkFinding(finding)]));
  return { checkedAt, built, findings: [...unique.values()].sort(inOrder) };
}

function checkFinding({ code, severity, message, action, file, line }: PackageFinding): CheckFinding {
  return {
    ...{ id: code, severity, message },
    action: FOR_USERS.has(code) ? rules[code].help : (action ?? rules[code].help),
    file: file ?? null,
    line: line ?? null,
    fixable: isFixable(code),
  };
}

function inOrder(a: CheckFinding, b: CheckFinding): number {
  if (a.severity !== b.severity) return a.severity === 'problem' ? -1 : 1;
  const [one, other] = [a.file ?? '', b.file ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0);
}

/** Whether an app with this finding can be neither started nor installed. */
export function preventsRun({ severity, id }: Pick<CheckFinding, 'severity' | 'id'>): boolean {
  return severity === 'problem' && !RUNS_WITH.has(id);
}

/**
 * The exit code of a check: 0 without a problem, 1 with one, 3 when the package could not be built here. A program also
 * has 2 for bad arguments or a folder that is not there, and 130 when it is interrupted.
 * @param options.strict whether warnings count as problems
 */
export function exitCodeOf({ findings }: CheckReport, { strict = false } = {}): 0 | 1 | 3 {
  if (findings.some(({ severity, id }) => severity === 'problem' || (strict && !UNDONE.has(id)))) return 1;
  return findings.some(({ id }) => UNDONE.has(id)) ? 3 : 0;
}
