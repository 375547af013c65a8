import { atKey, inFile, type KeyedFinding, problem, warning } from '../../../app-package/package-finding.ts';
import { parseRequirement } from '../../../app-package/requirement.ts';
import { installFailure } from '../../../apps/install/install-failure.ts';
import { JobFailed } from '../../../jobs/errors.ts';
import { closestName } from '../../../shared/closest-name.ts';
import { displayText } from '../../../shared/display-text.ts';
import { StorageError } from '../../../shared/files/storage-errors.ts';

/** How uv and pip name a package that does not exist. */
const MISSING =
  /Because (?:there (?:is|are) no versions? of )?([\w.-]+)\S* (?:was|were) not found|no versions? of ([\w.-]+)|distribution found for ([\w.-]+)/i;

/**
 * The failure of a build as a finding: about the app, or about this machine, which then could not check it.
 * @param dependencies those of the app
 * @throws other errors, as they are
 */
export function buildFailure(error: unknown, work: string, dependencies: readonly string[]): KeyedFinding {
  if (error instanceof StorageError) return warning('not-built', error.message, error.action);
  const failed = installFailure(error, work);
  if (!(failed instanceof JobFailed)) throw failed;
  const { reason, message, action, evidence } = failed.failure;
  switch (reason) {
    case 'dependency-conflict':
      return conflict(message, evidence, dependencies);
    case 'build':
      return inFile(problem('build-failed', `${message} ${lastWords(evidence)}`.trim()), 'pyproject.toml');
    case 'not-an-app':
      return problem('build-failed', message, action);
    default:
      return warning('not-built', message, action.replace(/install (?:the app |it )?again/i, 'check again'));
  }
}

/** At the requirement that cannot be met, if the installer names it. */
function conflict(message: string, evidence: readonly string[], dependencies: readonly string[]): KeyedFinding {
  const said = (evidence.find((line) => /because|not found|no matching/i.test(line)) ?? evidence[0] ?? '')
    .replace(/^(?:[^A-Za-z]|cause:|error:)*/i, '')
    .trim();
  const missing = MISSING.exec(said)?.slice(1).find(Boolean);
  const named = missing === undefined ? undefined : parseRequirement(missing)?.name;
  const index = dependencies.findIndex((each) => parseRequirement(each)?.name === named);
  const text = `${message}${said && ` ${displayText(said, 300)}`}`;
  if (named === undefined || index < 0) {
    return atKey(problem('dependency-conflict', text), 'project', 'dependencies');
  }
  const meant = closestName(named, ['robot-sdk']);
  const action = meant === null ? `Correct ${named}, or remove it.` : `Did you mean ${meant}?`;
  return atKey(problem('dependency-conflict', text, action), 'project', 'dependencies', index);
}

/** The line that most likely says why. */
function lastWords(lines: readonly string[]): string {
  const said = lines.findLast((line) => /error|refused|invalid|not found|failed/i.test(line)) ?? lines.at(-1) ?? '';
  return displayText(said, 300);
}
