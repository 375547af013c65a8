import type { JobFailure } from '../../contract/jobs.ts';
import { HubError } from '../../hub/errors.ts';
import { JobFailed, storageFailed } from '../../jobs/errors.ts';
import { storageErrorIn, storageSigns } from '../../shared/files/storage-errors.ts';
import { AddressRefused } from '../../shared/net/safe-fetch.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { diagnoseCrash } from '../crash/crash-diagnosis.ts';
import type { MissingPart } from '../crash/missing-part.ts';
import { PythonMissing } from '../python/python-finder.ts';
import { GitMissing } from '../sources/git.ts';
import { type FailureRule, ruleFor } from '../sources/git-failure.ts';

const hubReasons: Readonly<Record<HubError['kind'], JobFailure['reason']>> = {
  unreachable: 'network',
  stalled: 'network',
  'refused-address': 'network',
  auth: 'auth',
  'not-found': 'not-found',
  'rate-limited': 'hub',
  broken: 'hub',
  conflict: 'hub',
  refused: 'hub',
};

/** The order matters: an unreachable index also looks like a missing version. `{package}` is a group of the sign. */
const rules: readonly [...FailureRule[], FailureRule] = [
  {
    reason: 'network',
    sign: /name resolution|Name or service not known|getaddrinfo|Failed to establish a new connection|Network is unreachable|Connection refused|Connection reset|ConnectTimeout|ReadTimeout|timed out|error sending request|dns error|Could not connect|CERTIFICATE_VERIFY_FAILED/i,
    message: 'The package index cannot be reached, and the app needs packages from it.',
    action: 'Check the connection to the internet, then install again.',
  },
  {
    reason: 'python-missing',
    sign: /module 'pkgutil' has no attribute 'ImpImporter'/,
    message: "The installer's pip is too old for the app's version of Python.",
    action: 'Install uv, or connect to the internet so that pip can be renewed. Then install the app again.',
  },
  {
    reason: 'dependency-conflict',
    sign: /requires a different Python|Requires-Python|requires-python|does not satisfy Python/i,
    message: 'The app or one of its packages does not work with this version of Python.',
    action: 'Ask the author which versions of Python the app works with, and to say so in "requires-python".',
  },
  {
    reason: 'dependency-conflict',
    sign: /Because .*(?:not found|no versions?|depends? on|requires)|ResolutionImpossible|conflicting dependencies|No solution found|No matching distribution|Could not find a version|unsatisfiable/i,
    message: 'The packages that the app requires do not exist or conflict with each other.',
    action: 'Ask the author to fix its dependencies.',
  },
  {
    reason: 'dependency-conflict',
    sign: /`(?<package>[\w.-]{1,100})` references a workspace in `tool\.uv\.sources`/,
    message: 'The app requires {package} as a part of its own workspace, which is not installed with it.',
    action: 'Ask the author to publish {package} as a package, or to put it into the folder of the app.',
  },
  {
    reason: 'dependency-conflict',
    sign: /Distribution not found at: \S*?(?<package>[\w.-]{1,100})\/?$/,
    message: 'The app requires a package in the folder {package} beside its own, which is not installed with it.',
    action: 'Ask the author to publish it as a package, or to put it into the folder of the app.',
  },
  {
    reason: 'build',
    sign: /./,
    message: 'The package could not be built.',
    action: 'Check the log: its last lines say why the build failed.',
  },
];

/**
 * Describes the failure of an install step to people, as JobFailed; other errors are returned unchanged.
 * @param dataDir the data folder
 */
export function installFailure(error: unknown, dataDir: string): unknown {
  if (error instanceof PythonMissing) {
    return new JobFailed({ reason: 'python-missing', message: error.message, action: error.action });
  }
  if (error instanceof GitMissing) {
    return new JobFailed({
      reason: 'not-found',
      message: error.message,
      action: 'Install git from your system or git-scm.com, then install again.',
    });
  }
  if (error instanceof AddressRefused) {
    return new JobFailed({
      reason: 'network',
      message: `The address leads to a forbidden place: ${error.message}`,
      action: 'Do not install from there, or ask the operator of that server.',
    });
  }
  if (error instanceof HubError) {
    return new JobFailed({ reason: hubReasons[error.kind], message: error.message, action: error.action });
  }
  if (!(error instanceof CommandFailed)) return error;
  const storage = storageErrorIn(error.lines, dataDir);
  if (storage) return storageFailed(storage, storageSigns(error.lines, dataDir));
  if (error.timedOut) {
    return new JobFailed({
      reason: 'timeout',
      message: `${error.message}, so it was stopped.`,
      action: 'Try again; if it happens again, ask the author.',
      evidence: error.lines,
    });
  }
  const { sign, reason, message, action } = ruleFor(rules, error.lines);
  const shown = error.lines.filter((line) => sign.test(line) && line.trim() !== '');
  const named = sign.exec(shown[0] ?? '')?.groups?.['package'] ?? '';
  const filled = (text: string) => text.replace('{package}', named);
  return new JobFailed({
    reason,
    message: filled(message),
    action: filled(action),
    evidence: (reason === 'build' ? error.lines : shown).slice(-12),
  });
}

/**
 * Describes a failed download of Python, as JobFailed; other errors are returned unchanged.
 * @param version `3.12`
 */
export function pythonDownloadFailure(error: unknown, version: string, dataDir: string): unknown {
  if (!(error instanceof CommandFailed) || storageErrorIn(error.lines, dataDir)) return error;
  const reason = error.timedOut ? 'timeout' : ruleFor(rules, error.lines).reason;
  return new JobFailed({
    reason: reason === 'network' || reason === 'timeout' ? reason : 'python-missing',
    message: `Python ${version} could not be downloaded.`,
    action: `Check the connection to the internet, or install Python ${version} from your system or python.org. Then install the app again.`,
    evidence: error.lines,
  });
}

/**
 * Describes the failed import of the app's main module, as JobFailed; other errors are returned unchanged.
 * @param sdkVersion the version of the SDK that the app gets
 * @param part the module that is missing in something that is installed with it; default: none
 */
export function importFailure(
  error: unknown,
  module: string,
  dataDir: string,
  sdkVersion: string,
  part: MissingPart | null = null,
): unknown {
  if (!(error instanceof CommandFailed) || storageErrorIn(error.lines, dataDir)) return error;
  if (error.timedOut) {
    return new JobFailed({
      reason: 'timeout',
      message: `Importing ${module} took longer than two minutes. The app may do its work at import instead of in run().`,
      action: 'Ask the author to move the work into run().',
      evidence: error.lines,
    });
  }
  const cause = error.lines.findLast((line) => /^\S+(Error|Exception|Exit|Interrupt)\b/.test(line));
  // As of a run that crashes in the same way.
  const { action, ownLine } = diagnoseCrash({
    ...{ exitCode: 1, signal: null, sdkVersion, robotLost: false, missingPart: part },
    lines: error.lines.map((text) => ({ stream: 'stderr', text })),
    appPackage: module.split('.')[0] ?? module,
  });
  const place = ownLine ? ` (${ownLine.file}:${ownLine.line})` : '';
  return new JobFailed({
    reason: 'import-error',
    message: `The app cannot be imported${cause ? `: ${cause}` : ''}${place}.`,
    action: action.replace(/\b(?:the|its) output\b/, 'the log').replace('start it again', 'install it again'),
    evidence: error.lines,
  });
}

/** @param problem why a class is no app, a sentence without its full stop */
export function classRefused(problem: string): JobFailed {
  return new JobFailed({
    reason: 'not-an-app',
    message: `${problem}.`,
    action: 'Correct the entry point or the class.',
  });
}
