import { HubError } from '../../hub/errors.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import { displayText } from '../../shared/display-text.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { notPublishable, SpaceChangedElsewhere } from '../errors.ts';
import type { ConnectedRepository } from './author-repository.ts';
import { commitChanges } from './commit-changes.ts';
import { changesBetween } from './compare.ts';
import { PUBLISHED_REF } from './folder-git.ts';
import { fetchMain, pushMain } from './git-command.ts';
import { findSpace, type PublicationPlan } from './plan-publication.ts';

/** A commit by the hub's interface is sent in one piece, kept in memory. */
const MAX_BYTES_AT_ONCE = 100 * 1024 ** 2;
/** The hub takes larger files by a way of their own, neither in the commit itself nor by a push. */
const LARGE_BYTES = 10 * 1024 ** 2;

interface UploadOptions {
  readonly hub: HubClient;
  /** null: without git. */
  readonly byGit: ConnectedRepository | null;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** The Space's commit with the changes, and the commit that was made in the author's repository, if one was. */
interface Uploaded {
  readonly commit: string;
  readonly local: string | null;
}

/**
 * Brings the changes of a plan to its Space, as one commit on top of its newest.
 * @param parent the Space's newest commit
 * @throws SpaceChangedElsewhere, HubError
 */
export async function upload(plan: PublicationPlan, parent: string, options: UploadOptions): Promise<Uploaded> {
  const { hub, byGit, signal, log } = options;
  let local: string | null = null;
  if (byGit && isPushable(plan)) {
    const { commit, failure } = await pushChanges(plan, parent, byGit);
    local = commit;
    if (commit !== null && failure === null) return { commit, local };
    const newest = await commitWithFiles(plan, parent, hub, signal);
    if (newest !== null) return { commit: newest, local };
    log(`Git could not push: ${failure}`);
    log('The files are sent to the hub without Git.');
  }
  requireSendable(plan);
  try {
    const changes = plan.changes.map(({ path, local }) => ({ path, content: local ? local.content : null }));
    return { commit: await hub.commit(plan.id, { title: commitTitle(plan.version), changes, parent, signal }), local };
  } catch (error) {
    signal.throwIfAborted();
    // The hub may have made the commit although its answer was lost.
    const newest = await commitWithFiles(plan, parent, hub, signal).catch((failure: unknown) => {
      throw isConflict(error) ? failure : error;
    });
    if (newest !== null) return { commit: newest, local };
    throw error;
  }
}

/**
 * The Space's newest commit if it has the files of the plan.
 * @returns null when it is still the parent
 * @throws SpaceChangedElsewhere when it is another one
 */
async function commitWithFiles(
  { id, files }: PublicationPlan,
  parent: string,
  hub: HubClient,
  signal: AbortSignal,
): Promise<string | null> {
  const space = await findSpace(hub, id, signal);
  if (space?.commit === parent) return null;
  if (space && (await changesBetween(files, space.files, signal)).length === 0) return space.commit;
  throw new SpaceChangedElsewhere(id);
}

const isConflict = (error: unknown) => error instanceof HubError && error.kind === 'conflict';

function requireSendable({ changes }: PublicationPlan): void {
  const small = changes.filter(({ local, bytes }) => local && bytes <= LARGE_BYTES);
  if (small.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_BYTES_AT_ONCE) return;
  throw notPublishable(
    'too-large',
    'Its changed files are more than 100 MB, more than the hub takes at once without Git.',
    { action: 'Install Git, or name what does not belong to the app in .gitignore.' },
  );
}

/** Whether a push can have the changes. */
const isPushable = ({ changes }: PublicationPlan) =>
  changes.every(({ local, bytes }) => !local || bytes <= LARGE_BYTES);

/**
 * Makes a commit on top of the Space's newest one, and pushes it.
 * @returns the commit, and why it may not have been pushed; null: it was
 */
async function pushChanges(
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

const commitTitle = (version: string) => `Publish ${version}`;

/** The hub's words, or git's last ones. */
function reasonOf({ lines, message }: CommandFailed): string {
  const ofHub = lines.filter((line) => /^remote:\s+\S/.test(line)).map((line) => line.replace(/^remote:\s*/, ''));
  const ofGit = lines.filter((line) => /^(?:fatal|error): /.test(line) || /^!/.test(line));
  return displayText((ofHub.length > 0 ? ofHub : ofGit).join(' ') || message, 300);
}
