import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppRun, OutputLine } from '../../contract/apps/runs.ts';
import type { InstallationCheck } from '../../contract/doctor/installation-check.ts';
import type { ProblemReport, ReportPart } from '../../contract/doctor/problem-report.ts';
import type { Job } from '../../contract/jobs.ts';
import { visibleLines } from '../../shared/display-text.ts';
import {
  appsText,
  checkText,
  type Facts,
  factsText,
  jobsText,
  logText,
  outputText,
  type ReportedApp,
  runsText,
} from './report-texts.ts';

/** The last lines of a run that crashed. */
export interface CrashOutput {
  readonly run: AppRun;
  readonly lines: readonly OutputLine[];
}

export interface ReportContents {
  readonly version: string;
  readonly createdAt: Date;
  readonly system: Facts;
  readonly apps: readonly ReportedApp[];
  /** null: none has been made. */
  readonly check: InstallationCheck | null;
  /** Newest first. */
  readonly jobs: readonly Job[];
  /** Newest first. */
  readonly runs: readonly AppRun[];
  readonly crashes: readonly CrashOutput[];
  /** Oldest first; null: no daemon runs whose log could be read. */
  readonly log: readonly string[] | null;
}

const MOST_JOBS = 20;
/** The most runs of apps that a report lists. */
export const MOST_RUNS = 20;
/** Of each part, in characters. */
const MOST_TEXT = 256 * 1024;
/** The characters that are masked without a break: a few milliseconds. */
const MASKED_AT_ONCE = 16 * 1024;

/** Makes a report of a problem, in parts. @param mask removes what must not be shown to others, line by line */
export async function problemReport(contents: ReportContents, mask: (text: string) => string): Promise<ProblemReport> {
  const { version, createdAt } = contents;
  const parts: ReportPart[] = [];
  for (const { title, text, ...part } of partsOf(contents)) {
    parts.push({ ...part, title: mask(title), text: await masked(newest(text), mask) });
  }
  return { createdAt: createdAt.toISOString(), version, parts };
}

function partsOf({ system, apps, check, jobs, runs, crashes, log }: ReportContents): ReportPart[] {
  const included = (id: string, title: string, text: string): ReportPart => ({ id, title, text, isIncluded: true });
  return [
    included('system', 'Versions and system', factsText(system)),
    included('apps', 'Installed apps', appsText(apps)),
    included('check', 'Check of the installation', checkText(check)),
    included('jobs', 'Last jobs', jobsText(jobs.slice(0, MOST_JOBS))),
    included('runs', 'Last runs of apps', runsText(runs.slice(0, MOST_RUNS))),
    included('log', 'Log of the daemon', logText(log)),
    // An app may print what its user said or wrote.
    ...crashes.map(({ run, lines }) => ({
      id: `output-${run.appName}`,
      title: `Last lines of ${run.appName}, which crashed`,
      text: outputText(lines),
      isIncluded: false,
    })),
  ];
}

/** The end of a text that is too long, from the beginning of a line on. */
function newest(text: string): string {
  if (text.length <= MOST_TEXT) return text;
  const from = text.indexOf('\n', text.length - MOST_TEXT) + 1;
  return `(The beginning is left out.)\n${text.slice(from)}`;
}

/** Masks a text in pieces of whole lines; the robot is driven in between. */
async function masked(text: string, mask: (text: string) => string): Promise<string> {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from + MASKED_AT_ONCE) + 1 || text.length;
    pieces.push(visibleLines(mask(text.slice(from, end))));
    from = end;
    await nextTurn();
  }
  return pieces.join('');
}
