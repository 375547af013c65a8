import type { JobFailure } from '../../contract/jobs.ts';
import { JobFailed, storageFailed } from '../../jobs/errors.ts';
import { storageErrorIn, storageSigns } from '../../shared/files/storage-errors.ts';
import type { ExceededLimit } from '../../shared/processes/run-command.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { isProgress } from './git-repository.ts';

/** Recognizes one reason why a program failed. */
export interface FailureRule {
  readonly reason: JobFailure['reason'];
  /** Matches a line of the program's output. */
  readonly sign: RegExp;
  readonly message: string;
  readonly action: string;
}

/** The first rule whose sign matches one of the lines, else the last rule. */
export function ruleFor(rules: readonly [...FailureRule[], FailureRule], lines: readonly string[]): FailureRule {
  const [last] = rules.slice(-1) as [FailureRule];
  return rules.find(({ sign }) => lines.some((line) => sign.test(line))) ?? last;
}

/** The order matters: git ends every failure with "fatal". It runs with LC_ALL=C, so its output is English. */
const rules: readonly [...FailureRule[], FailureRule] = [
  {
    reason: 'auth',
    sign: /Authentication failed|could not read (?:Username|Password)|returned error: 40[13]/i,
    message: 'The repository requires a log-in.',
    action: 'Clone it yourself, then install from that folder.',
  },
  {
    reason: 'not-found',
    sign: /couldn't find remote ref|unknown revision|bad revision|Needed a single revision|did not match any|not our ref|ambiguous argument/i,
    message: 'The repository has no such branch, tag or commit.',
    action: 'Check what follows the # in the address.',
  },
  {
    reason: 'not-found',
    sign: /repository .* not found|returned error: 404|does not appear to be a git repository/i,
    message: 'There is no repository at this address.',
    action: 'Check the address: use the one for git clone.',
  },
  {
    reason: 'not-an-app',
    sign: /fsck error|hasDotdot|hasDotgit|invalid path|badTree/i,
    message: 'Git refuses the content of the repository: paths that lead out of its folder, or damaged objects.',
    action: 'Do not install from there.',
  },
  {
    reason: 'not-an-app',
    sign: /out of memory|(?:malloc|calloc|realloc|mmap) failed/i,
    message: 'Git had too little memory for this repository.',
    action: 'Close other programs, then install again.',
  },
  {
    reason: 'network',
    sign: /Operation too slow|timed out/i,
    message: 'Nothing came from the server for 30 s, so the download was stopped.',
    action: 'Check the connection to the internet, then install again.',
  },
  {
    reason: 'network',
    sign: /./,
    message: 'The download of the repository failed.',
    action: 'Check the connection to the internet, then install again.',
  },
];

const TRUSTED = 'If you trust the repository, clone it yourself, then install from that folder.';

/** The failures of commands that were ended because they exceeded a limit. */
const exceeded: { readonly [Limit in ExceededLimit]: Omit<FailureRule, 'sign'> } = {
  silence: {
    reason: 'network',
    message: 'Git reported no progress for 60 s and was stopped: the server does not answer, or sends without an end.',
    action: 'Check the address and the connection to the internet, then install again.',
  },
  memory: {
    reason: 'not-an-app',
    message:
      'Git needed more than 512 MB of memory for this repository and was stopped: its server sends an endless list of branches, or its content is made to need memory.',
    action: `Check the address. ${TRUSTED}`,
  },
  amount: {
    reason: 'not-an-app',
    message: 'The repository holds more than 4 GB or 500,000 files, more than one with apps may have.',
    action: `Check the address. ${TRUSTED}`,
  },
};

/**
 * Describes the failure of a git command to people, as JobFailed; other errors are returned unchanged.
 * @param dataDir the data folder, if the command writes into it
 */
export function gitFailure(error: unknown, revision: string | null, dataDir?: string): unknown {
  if (!(error instanceof CommandFailed) || error.timedOut) return error;
  const storage = dataDir === undefined ? null : storageErrorIn(error.lines, dataDir);
  if (storage && dataDir !== undefined) return storageFailed(storage, storageSigns(error.lines, dataDir));
  if (error.exceeded) return new JobFailed({ ...exceeded[error.exceeded], evidence: [] });
  const rule = ruleFor(rules, error.lines);
  const named = rule.reason === 'not-found' && revision !== null ? ` (${revision})` : '';
  return new JobFailed({
    ...rule,
    message: rule.message.replace(/\.$/, `${named}.`),
    evidence: error.lines.filter((line) => /^(?:fatal|error|remote):/i.test(line) && !isProgress(line)),
  });
}
