import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { byteText } from '../contract/common/byte-text.ts';
import type { ProblemReport, ReportPart } from '../contract/doctor/problem-report.ts';
import { reportFile } from '../contract/doctor/report-file.ts';
import { installationCheckOf } from '../doctor/page-findings.ts';
import { privateMask } from '../doctor/problem-report/private-text.ts';
import { problemReport } from '../doctor/problem-report/problem-report.ts';
import { machineFacts, privateFacts, storedContents } from '../doctor/problem-report/report-sources.ts';
import { systemNow } from '../shared/clock.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { listText } from '../shared/list-text.ts';
import { diagnose } from './doctor.ts';
import { projectVersion } from './project.ts';
import { BadArguments } from './shared/errors.ts';
import { followJob } from './shared/follow-job.ts';
import { holderOf } from './shared/holder.ts';
import { withToken } from './shared/on-daemon.ts';
import { print, printJson } from './shared/print.ts';
import { ProgressLine } from './shared/progress-line.ts';

export interface ReportOptions {
  readonly withOutput?: boolean;
  /** The ids of parts. */
  readonly without?: readonly string[];
  readonly json?: boolean;
}

type ReportDeps = Pick<Parameters<typeof diagnose>[0], 'paths' | 'projectDir' | 'examine'>;

class FileExists extends DomainError {
  constructor(path: string) {
    super(`${path} exists already. Name another file.`);
  }
}

/** For the answer of a daemon on a busy machine, before the report is made without it. */
const ANSWER_MS = 5_000;

/** `robot-daemon report` */
export async function report(deps: ReportDeps, file: string | undefined, options: ReportOptions): Promise<void> {
  const { paths } = deps;
  const holder = await holderOf(paths, ANSWER_MS);
  const made = await (holder?.daemon ? ofDaemon(paths, holder.daemon.url, options) : withoutDaemon(deps));
  if (options.json) return printJson(made);
  const chosen = chosenParts(made, options);
  const { name, text } = reportFile(made, new Set(chosen.map(({ id }) => id)));
  const path = resolve(file ?? name);
  await writeFile(path, text, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new FileExists(path) : error;
  });
  print(`Saved in ${path}. It is sent nowhere: look through it before you pass it on.\n${partsText(made, chosen)}`);
}

/** Has the running daemon check its installation, and make the report. */
function ofDaemon(paths: DataPaths, url: string, options: ReportOptions): Promise<ProblemReport> {
  return withToken(paths, url, 'report', async (context) => {
    const { client } = context;
    await followJob(context, options, () => client.call('checkInstallation'));
    return client.call('getProblemReport');
  });
}

/** Makes the report here, of what a daemon has left on the disk. */
async function withoutDaemon(deps: ReportDeps): Promise<ProblemReport> {
  const { paths, projectDir } = deps;
  using progress = new ProgressLine();
  progress.showText('Checking the installation…');
  const version = await projectVersion(projectDir);
  const diagnosis = await diagnose(deps);
  const now = systemNow();
  const contents = {
    ...{ version, createdAt: now, check: installationCheckOf(diagnosis, now), log: null },
    system: [
      ...machineFacts(version),
      ['daemon', diagnosis.daemon === null ? 'not running' : 'does not answer'] as const,
    ],
    ...(await storedContents(paths)),
  };
  return problemReport(contents, privateMask(await privateFacts(paths)));
}

/** @throws BadArguments for a part that the report does not have */
function chosenParts({ parts }: ProblemReport, { withOutput = false, without = [] }: ReportOptions): ReportPart[] {
  const ids = parts.map(({ id }) => id);
  const unknown = without.find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new BadArguments(`There is no part "${unknown}". The parts: ${listText(ids)}.`);
  return parts.filter(({ id, isIncluded }) => (isIncluded || withOutput) && !without.includes(id));
}

/** A line for each part: whether it is in the file, and how large it is. */
function partsText({ parts }: ProblemReport, chosen: readonly ReportPart[]): string {
  const width = Math.max(...parts.map(({ id }) => id.length));
  return parts
    .map((part) => {
      const state = chosen.includes(part) ? byteText(Buffer.byteLength(part.text)) : 'left out';
      return `  ${part.id.padEnd(width)}  ${state.padEnd(8)}  ${part.title}\n`;
    })
    .join('');
}
