import { installFailure } from '../apps/install/install-failure.ts';
import { NotPublishable, PublicationUnderWay, SpaceChangedElsewhere, TokenReadOnly } from '../assistant/errors.ts';
import type { CheckFinding } from '../contract/apps/own-apps.ts';
import { JobFailed } from '../jobs/errors.ts';

/** The failure of a check that found problems. */
export function problemsFound(problems: readonly CheckFinding[]): JobFailed {
  const [first] = problems;
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new JobFailed({
    reason: 'problems-found',
    message: `The check found ${count}. ${first?.message ?? ''}`.trim(),
    action: first?.action ?? 'Correct what the check lists, then check again.',
  });
}

/**
 * Describes the failure of a publication to people, as JobFailed; other errors are returned unchanged.
 * @param dataDir the data folder
 */
export function publishFailure(error: unknown, dataDir: string): unknown {
  if (error instanceof NotPublishable) {
    const action = error.findings[0]?.action ?? 'Check the app, and correct what the check lists. Then publish again.';
    return new JobFailed({ reason: 'problems-found', message: error.message, action });
  }
  if (error instanceof SpaceChangedElsewhere) {
    const action = 'Bring them into the folder and publish again, or overwrite them.';
    return new JobFailed({ reason: 'changed-elsewhere', message: error.message, action });
  }
  if (error instanceof TokenReadOnly) {
    return new JobFailed({ reason: 'auth', message: error.message, action: 'Sign in with a token that may write.' });
  }
  if (error instanceof PublicationUnderWay) {
    return new JobFailed({ reason: 'unusable', message: error.message, action: 'Then publish again.' });
  }
  return installFailure(error, dataDir);
}
