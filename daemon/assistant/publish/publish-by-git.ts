import { displayText } from '../../shared/display-text.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import type { ConnectedRepository } from './git/author-repository.ts';
import { commitChanges } from './git/commit-changes.ts';
import { PUBLISHED_REF } from './git/folder-git.ts';
import { fetchMain, pushMain } from './git/hub-git.ts';
import type { PublicationPlan } from './plan-publication.ts';

/** The hub takes larger files by its own way only. */
const MAX_PUSHED_BYTES = 10 * 1024 ** 2;

/** Whether a push can have the changes. */
export const isPushable = ({ changes }: PublicationPlan) =>
  changes.every(({ local, bytes }) => !local || bytes <= MAX_PUSHED_BYTES);

/**
 * Makes a commit on top of the Space's newest one, and pushes it.
 * @returns the commit, and why it may not have been pushed; null: it was
 */
export async function pushChanges(
  { changes, version }: PublicationPlan,
  parent: string,
  { git, scratch, address, tracking }: ConnectedRepository,
): Promise<{ readonly commit: string | null; readonly failure: string | null }> {
  let commit: string | null = null;
  try {
    await fetchMain(git, address, tracking);
    const { hostname } = new URL(address.hubUrl);
    const author = { name: address.account, email: `${address.account}@users.noreply.${hostname}` };
    commit = await commitChanges(git, { parent, changes, title: commitTitle(version), author, scratch });
    // Before the push: an interruption after it must not make the commit a stranger's.
    await git(['update-ref', PUBLISHED_REF, commit]);
    await pushMain(git, address, commit);
    return { commit, failure: null };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { commit, failure: reasonOf(error) };
  }
}

export const commitTitle = (version: string) => `Publish ${version}`;

/** The hub's words, or git's last ones. */
function reasonOf({ lines, message }: CommandFailed): string {
  const ofHub = lines.filter((line) => /^remote:\s+\S/.test(line)).map((line) => line.replace(/^remote:\s*/, ''));
  const ofGit = lines.filter((line) => /^(?:fatal|error): /.test(line) || /^!/.test(line));
  return displayText((ofHub.length > 0 ? ofHub : ofGit).join(' ') || message, 300);
}
