import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicationPreview, PublishedSpace, PublishRequest } from '../../contract/apps/own-apps.ts';
import { unexpectedAnswer } from '../../hub/errors.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { AuthorFiles } from '../check/author-files.ts';
import type { WorkProgress } from '../check/check-deps.ts';
import { notPublishable, SpaceChangedElsewhere, TokenReadOnly } from '../errors.ts';
import { AuthorRepository, type ConnectedRepository } from './author-repository.ts';
import { ATTRIBUTES, changesBetween } from './compare.ts';
import { commitOf, isAncestor, openFolderGit, PUBLISHED_REF } from './folder-git.ts';
import { answers, fetchMain, type Git, lastWords, lineOf } from './git-command.ts';
import { type AppChecks, readOwnPackage, readyApp } from './own-package.ts';
import { findSpace, type PlanDeps, planPublication, previewOf } from './plan-publication.ts';
import { spaceUrl } from './space-id.ts';
import { upload } from './upload.ts';

export interface PublishDeps extends AppChecks, Pick<PlanDeps, 'hub' | 'token' | 'last'> {
  /** The variables of child processes. */
  readonly environment: () => Record<string, string>;
}

export interface Publication extends PublishedSpace {
  /** The caller keeps it for the next publication. */
  readonly commit: string;
  /** Whether the Git remote `space` of the folder leads to it. */
  readonly hasRemote: boolean;
}

export const publishSteps = [
  { name: 'check', title: 'Check the app' },
  { name: 'compare', title: 'Compare with the hub' },
  { name: 'space', title: 'Prepare the Space' },
  { name: 'upload', title: 'Upload the files' },
  { name: 'verify', title: 'Find it on the hub' },
] as const;

/**
 * Previews what a publication would change. Changes nothing.
 * @param deps.onReadOnlyToken called with the account whose token may only read, in place of the refusal
 * @throws NotPublishable, TokenReadOnly, HubError, or the reason of the signal
 */
export async function previewPublication(
  folder: string,
  choices: PublishRequest,
  deps: PublishDeps & { readonly onReadOnlyToken?: (account: string) => void },
  signal: AbortSignal,
): Promise<PublicationPreview> {
  const path = await realpath(folder);
  const account = await writingAccount(deps, signal, deps.onReadOnlyToken);
  const folderGit = await openFolderGit(path, deps.environment(), signal);
  const app = await readOwnPackage(path);
  const plan = planPublication(app, choices, { ...deps, account, folder: path, folderGit }, signal);
  return previewOf(await plan.catch(gitFailed));
}

/**
 * Publishes an app as a Space, or updates it. Can be repeated after any failure: what is done is not done again.
 * @throws NotPublishable, SpaceChangedElsewhere, TokenReadOnly, PublicationUnderWay, HubError, or the reason of the signal
 */
export async function publishApp(
  folder: string,
  choices: PublishRequest,
  deps: PublishDeps,
  { signal, step, detail, log }: WorkProgress,
): Promise<Publication> {
  const { hub } = deps;
  const path = await realpath(folder);
  step('check');
  const account = await writingAccount(deps, signal);
  await new AuthorFiles(path).removeDraft('pyproject.toml');
  const app = await readyApp(path, deps, signal, log);

  step('compare');
  await using repository = await AuthorRepository.open({ folder: path, environment: deps.environment(), signal, log });
  const plannedFor = { ...deps, account, folder: path, folderGit: repository.found };
  const planning = planPublication(app, choices, plannedFor, signal);
  const plan = await planning.catch(gitFailed);
  for (const line of plan.omitted) log(line);
  if (plan.overwrites.length > 0 && !choices.overwrite) throw new SpaceChangedElsewhere(plan.id);

  step('space');
  const { id, hubUrl } = plan;
  const isPrivate = choices.visibility !== 'public';
  if (!plan.space) {
    detail(`${id}, ${isPrivate ? 'private' : 'public'}`);
    await hub.createSpace(id, { private: isPrivate, signal });
  }
  const byGit = await repository.connect({ id, account, token: deps.token, hubUrl, url: spaceUrl(hubUrl, id) });

  step('upload');
  if (plan.pyproject !== null) {
    log(`The version in pyproject.toml becomes ${plan.version}.`);
    await replaceVersion(path, plan.pyproject);
  } else if (app.isVersionDynamic) log('The version is dynamic: it stays as the build computes it.');
  const space = plan.space ?? (await existing(hub, id, signal));
  const changes = plan.space ? plan.changes : await changesBetween(plan.files, space.files, signal);
  detail(changes.length === 1 ? '1 file' : `${changes.length} files`);
  const uploaded =
    changes.length === 0
      ? { commit: space.commit, local: null }
      : await upload({ ...plan, changes }, space.commit, { hub, byGit, signal, log });
  if (byGit) {
    const isHere = uploaded.commit === uploaded.local;
    const wasSentWhole = changes.length > 0 && !isHere;
    const hasLargeFiles = wasSentWhole || space.files.some(({ sha256 }) => sha256 !== null);
    await notePublication(byGit, uploaded.commit, { isHere, hasLargeFiles, log });
    if (plan.pyproject !== null && (await commitOf(byGit.git, 'HEAD')) !== uploaded.commit) {
      log('The new version in pyproject.toml is not committed on your branch.');
    }
  }

  step('verify');
  const { commit, private: isStillPrivate, updatedAt } = await hub.resolve(id, null, signal);
  if (commit !== uploaded.commit) log('The Space has a newer commit already, which was made elsewhere.');
  if (updatedAt === null) throw unexpectedAnswer();
  return {
    id,
    url: spaceUrl(hubUrl, id),
    private: isStillPrivate,
    version: plan.version,
    publishedAt: updatedAt,
    commit: uploaded.commit,
    hasRemote: byGit?.hasRemote ?? false,
  };
}

/** @throws NotPublishable for a command of git that failed, else the error itself */
function gitFailed(error: unknown): never {
  if (!(error instanceof CommandFailed)) throw error;
  throw notPublishable('git-failed', `Git cannot read the folder: ${lastWords(error)}`, {
    action: 'Repair its repository; "git status" shows the problem.',
  });
}

/** @throws TokenReadOnly, HubError */
async function writingAccount(
  { hub, token }: PublishDeps,
  signal: AbortSignal,
  onReadOnly: (account: string) => void = (account) => {
    throw new TokenReadOnly(account);
  },
): Promise<string> {
  const { name, isReadOnly } = await hub.whoAmI(token, signal);
  if (isReadOnly) onReadOnly(name);
  return name;
}

async function replaceVersion(folder: string, text: string): Promise<void> {
  const isReplaced = await new AuthorFiles(folder).edit('pyproject.toml', () => text).catch(() => false);
  if (isReplaced) return;
  throw notPublishable('unwritable', 'Its version cannot be raised: the file cannot be written.', {
    file: 'pyproject.toml',
    action: 'Give your user the right to write in the folder, or raise the version yourself.',
  });
}

async function existing(hub: HubClient, id: string, signal: AbortSignal) {
  const space = await findSpace(hub, id, signal);
  if (!space) throw unexpectedAnswer();
  return space;
}

/**
 * Notes the published commit in the author's repository, and lets the branch follow where that loses nothing.
 * @param how.isHere whether the repository has the commit already
 * @param how.hasLargeFiles whether the commit has pointers in place of large files
 */
async function notePublication(
  { folder, git, tracking, address }: ConnectedRepository,
  commit: string,
  how: { readonly isHere: boolean; readonly hasLargeFiles: boolean; readonly log: (line: string) => void },
): Promise<void> {
  try {
    if (!how.isHere) await fetchMain(git, address, tracking);
    await git(['update-ref', tracking, commit]);
    await git(['update-ref', PUBLISHED_REF, commit]);
    // Pointers would make the author's own files look changed.
    if (!how.hasLargeFiles) await followPublication(folder, git, commit);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    how.log(`The files are published. Git could not note it: ${lastWords(error)}`);
  }
}

/** Git's name for the tree without files. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * Moves the author's branch to a published commit, if that loses nothing: the branch has no commit yet or only earlier
 * ones of the Space, and nothing else is staged. The files stay as they are; the hub's own one is added.
 */
async function followPublication(folder: string, git: Git, commit: string): Promise<void> {
  const branch = await currentBranch(git);
  if (branch === null) return;
  const head = await commitOf(git, 'HEAD');
  if (head !== commit) {
    if (head !== null && !(await isAncestor(git, head, commit))) return;
    if (!(await isStaged(git, commit))) {
      if (!(await isStaged(git, head ?? EMPTY_TREE))) return;
      // Before the branch: an interruption between the two leaves everything staged, and the next call goes on.
      await git(['read-tree', commit]);
    }
    await git(['update-ref', branch, commit, head ?? '']);
  }
  await addHubsFile(folder, git);
}

/** Writes the file that the hub has made, which would look as if the author had removed it. */
async function addHubsFile(folder: string, git: Git): Promise<void> {
  const isThere = await lstat(join(folder, ATTRIBUTES)).catch(() => null);
  if (isThere || (await git(['ls-files', '--', ATTRIBUTES])).length === 0) return;
  await git(['checkout-index', '--quiet', '--', ATTRIBUTES]);
}

/** Whether the index has the files of a commit, no more and no less. */
const isStaged = (git: Git, tree: string) => answers(git, ['diff-index', '--cached', '--quiet', tree, '--']);

/** The reference of the branch; null: the author has checked out a commit. */
const currentBranch = (git: Git): Promise<string | null> =>
  lineOf(git, ['symbolic-ref', '--quiet', 'HEAD'], /^refs\/heads\//);
