import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { AppRun, OutputLine } from '../../contract/apps/runs.ts';
import { sourceText } from '../../contract/apps/source-text.ts';
import type {
  FindingRepair,
  InstallationCheck,
  InstallationFinding,
} from '../../contract/doctor/installation-check.ts';
import type { Job } from '../../contract/jobs.ts';

export type Facts = readonly (readonly [name: string, text: string])[];

/** Facts in two columns. */
export function factsText(facts: Facts): string {
  const width = Math.max(0, ...facts.map(([name]) => name.length));
  return linesOf(facts.map(([name, text]) => `${name.padEnd(width)}  ${text}`));
}

export type ReportedApp = Pick<InstalledApp, 'name' | 'version' | 'source'>;

export function appsText(apps: readonly ReportedApp[]): string {
  if (apps.length === 0) return 'None is installed.\n';
  return linesOf(apps.map(({ name, version, source }) => `${name} ${version}, from ${sourceText(source)}`));
}

/** @param check null: none has been made */
export function checkText(check: InstallationCheck | null): string {
  if (check === null) return 'The installation has not been checked since the daemon started.\n';
  const { checkedAt, facts, findings } = check;
  const found = findings.length === 0 ? 'No problems found.\n' : findings.map(findingText).join('');
  return `Checked at ${checkedAt}.\n\n${factsText(facts.map(({ name, text }) => [name, text]))}\n${found}`;
}

function findingText({ code, severity, what, cause, where, repair }: InstallationFinding): string {
  return indented(`${severity}: ${what}`, [
    `${code}, ${where}`,
    ...(cause === null ? [] : [`Likely cause: ${cause}`]),
    repairText(repair),
  ]);
}

function repairText(repair: FindingRepair): string {
  switch (repair.kind) {
    case 'install-again':
      return `Repair: install ${repair.appName} again from ${repair.url}`;
    case 'use-previous':
      return `Repair: return ${repair.appName} to its earlier version`;
    case 'prune-downloads':
      return 'Repair: remove the downloads that no app uses';
    case 'remove-model-file':
      return 'Repair: remove the partial download';
    case 'when-closed':
      return 'Repair: robot-daemon doctor --fix, while no daemon runs';
    case 'by-hand':
      return repair.how;
  }
}

/** @param jobs newest first */
export function jobsText(jobs: readonly Job[]): string {
  if (jobs.length === 0) return 'There was none.\n';
  return jobs.map(jobText).join('');
}

function jobText({ kind, subject, appName, state, failure, createdAt, endedAt }: Job): string {
  const name = appName === null ? '' : ` (${appName})`;
  return indented(`${createdAt} to ${endedAt ?? 'now'}: ${kind} ${subject}${name}, ${state}`, [
    ...(failure ? [`${failure.reason}: ${failure.message} ${failure.action}`, ...evidence(failure.evidence)] : []),
  ]);
}

/** @param runs newest first */
export function runsText(runs: readonly AppRun[]): string {
  if (runs.length === 0) return 'There was none.\n';
  return runs.map(runText).join('');
}

function runText({ appName, version, startedAt, endedAt, message, diagnosis, ...run }: AppRun): string {
  const { outcome, exitCode, signal } = run;
  const how = [outcome, ...(exitCode === null ? [] : [`exit code ${exitCode}`]), ...(signal === null ? [] : [signal])];
  const { cause, ownLine } = diagnosis ?? { cause: null, ownLine: null };
  return indented(`${startedAt} to ${endedAt}: ${appName} ${version}, ${how.join(', ')}`, [
    message,
    ...(diagnosis ? [`${cause}: ${diagnosis.message} ${diagnosis.action}`] : []),
    ...(ownLine ? [`at ${ownLine.file}:${ownLine.line}${ownLine.code === null ? '' : `: ${ownLine.code}`}`] : []),
    ...evidence(diagnosis?.evidence ?? []),
  ]);
}

export function outputText(lines: readonly OutputLine[]): string {
  if (lines.length === 0) return 'No line of it is kept.\n';
  return linesOf(lines.map(({ at, stream, text }) => `${at} ${stream === 'stderr' ? 'err' : 'out'} ${text}`));
}

/** @param entries null: no daemon runs whose log could be read */
export function logText(entries: readonly string[] | null): string {
  if (entries === null) return 'No daemon answers. Its log is on the standard error of the program that started it.\n';
  return entries.length === 0 ? 'It is empty.\n' : `The newest entries, times in UTC.\n\n${entries.join('')}`;
}

const evidence = (lines: readonly string[]): string[] => lines.map((line) => `| ${line}`);
const indented = (first: string, more: readonly string[]): string =>
  linesOf([first, ...more.map((line) => `    ${line}`)]);
const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
