import { readFile, realpath } from 'node:fs/promises';
import { parsePyproject } from '../../app-package/pyproject.ts';
import type { PublicationPreview, PublishRequest } from '../../contract/apps/own-apps.ts';
import { HubError } from '../../hub/errors.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import type { HubFile } from '../../hub/repository-files.ts';
import { notPublishable } from '../errors.ts';
import {
  ATTRIBUTES,
  attributesToPublish,
  type Change,
  changesBetween,
  isNewSpace,
  type LocalFile,
  overwritten,
} from './compare.ts';
import { type FilesToPublish, filesToPublish } from './files-to-publish.ts';
import {
  commitOf,
  type FolderGit,
  isAncestor,
  listedIn,
  openFolderGit,
  PUBLISHED_REF,
  spaceRemote,
} from './folder-git.ts';
import type { OwnPackage } from './own-package.ts';
import { spaceIdFor, spaceUrl } from './space-id.ts';
import { isNewer, isVersion, versionToPublish, withVersion } from './version.ts';

const MAX_TEXT_BYTES = 256 * 1024;

/** The Space as it is. */
interface FoundSpace {
  readonly commit: string;
  readonly private: boolean;
  readonly files: readonly HubFile[];
  /** null: it has none. */
  readonly version: string | null;
}

export interface PublicationPlan {
  readonly account: string;
  readonly id: string;
  readonly hubUrl: string;
  /** null: it does not exist yet. */
  readonly space: FoundSpace | null;
  /** The files of the Space afterwards. */
  readonly files: readonly LocalFile[];
  readonly changes: readonly Change[];
  readonly version: string;
  /** The new text of `pyproject.toml`, with the version; null: it stays. */
  readonly pyproject: string | null;
  /** The Space's files with changes of others that would be overwritten. */
  readonly overwrites: readonly string[];
  readonly omitted: readonly string[];
}

export interface PlanDeps {
  readonly hub: HubClient;
  readonly token: string;
  readonly account: string;
  readonly folder: string;
  readonly folderGit: FolderGit;
  /** The last publication from this folder, as far as the caller knows; Git knows it by itself. */
  readonly last?: { readonly id: string; readonly commit?: string | undefined } | null;
}

/** Compares the folder with its Space. Changes nothing. @throws NotPublishable, HubError */
export async function planPublication(
  app: OwnPackage,
  { version: wanted, visibility }: PublishRequest,
  deps: PlanDeps,
  signal: AbortSignal,
): Promise<PublicationPlan> {
  const { hub, account, folder, folderGit, token } = deps;
  const { git, kind } = folderGit;
  const hubUrl = await hub.address();
  const id = spaceIdFor(account, app.distribution, kind === 'own' ? await spaceRemote(git) : null, hubUrl);
  const space = await findSpace(hub, id, signal);
  if (space && visibility) requireVisibility(visibility, space, id, spaceUrl(hubUrl, id));
  const { files, omitted } = await filesToPublish(folder, await listedIn(folderGit), token, signal);
  const own = await withHubsAttributes(files, id, space, hub, signal);
  const published = space?.files ?? [];
  const changes = await changesBetween(own, published, signal);

  const version = changes.length === 0 && wanted === undefined ? app.version : newVersion(app, space, wanted);
  const pyproject = version === app.version ? null : withVersion(app.pyproject, version);
  const all = pyproject === null ? own : withText(own, pyproject);
  const differences = pyproject === null ? changes : await changesBetween(all, published, signal);
  const next = version === app.version || pyproject !== null ? version : app.version;
  const before = space ? await knownFiles(space, differences, id, deps, signal) : null;
  const overwrites =
    space && before !== 'same' && !isNewSpace(published) ? overwritten(differences, published, before) : [];
  const changed = { files: all, changes: differences, version: next, pyproject };
  return { account, id, hubUrl, space, ...changed, overwrites, omitted };
}

export function previewOf(plan: PublicationPlan): PublicationPreview {
  const { account, id, hubUrl, space, changes, version, overwrites } = plan;
  return {
    account,
    id,
    url: spaceUrl(hubUrl, id),
    exists: space !== null,
    private: space?.private ?? null,
    publishedVersion: space?.version ?? null,
    nextVersion: version,
    changes: changes.map(({ path, change, bytes }) => ({ path, change, bytes })),
    changedElsewhere: overwrites.length > 0,
  };
}

/** @returns null when there is no such Space, or the account may not see it */
export async function findSpace(hub: HubClient, id: string, signal: AbortSignal): Promise<FoundSpace | null> {
  const found = await hub.resolve(id, null, signal).catch((error: unknown) => {
    if (error instanceof HubError && error.kind === 'not-found') return null;
    throw error;
  });
  if (!found) return null;
  const repository = { type: 'space', id } as const;
  const files = await hub.files(repository, found.commit, signal);
  const hasPyproject = files.some(({ path }) => path === 'pyproject.toml');
  const text = hasPyproject
    ? await hub.readFile(repository, found.commit, 'pyproject.toml', MAX_TEXT_BYTES, signal)
    : '';
  const read = parsePyproject(text);
  return {
    commit: found.commit,
    private: found.private,
    files,
    version: 'project' in read ? (read.project.version ?? null) : null,
  };
}

/** The hub's library cannot change the visibility of a Space. @throws NotPublishable */
function requireVisibility(wanted: 'public' | 'private', space: FoundSpace, id: string, url: string): void {
  const found = space.private ? 'private' : 'public';
  if (found === wanted) return;
  throw notPublishable('other-visibility', `The Space ${id} is ${found}, and a publication keeps it so.`, {
    action: `Make it ${wanted} at ${url}/settings, then publish again.`,
  });
}

function newVersion(app: OwnPackage, space: FoundSpace | null, wanted: string | undefined): string {
  const published = space?.version ?? null;
  const refuse = (message: string, action: string) => {
    throw notPublishable('bad-version', message, { file: 'pyproject.toml', action });
  };
  if (wanted !== undefined) {
    if (!isVersion(wanted)) refuse(`"${wanted}" is not a version of a Python package.`, 'Use one such as 1.2.0.');
    if (app.isVersionDynamic) {
      refuse('Its version is dynamic: the build computes it.', 'Set the version where the build reads it.');
    }
    if (published !== null && isVersion(published) && isNewer(published, wanted)) {
      refuse(`The Space has version ${published}, which is newer than ${wanted}.`, 'Use a newer version.');
    }
  }
  if (app.isVersionDynamic) return app.version;
  return versionToPublish({ local: app.version, published, wanted: wanted ?? null });
}

/** The files with the Space's lines in `.gitattributes`, which the hub adds for large files. */
async function withHubsAttributes(
  files: FilesToPublish['files'],
  id: string,
  space: FoundSpace | null,
  hub: HubClient,
  signal: AbortSignal,
): Promise<readonly LocalFile[]> {
  const own = files.find(({ path }) => path === ATTRIBUTES);
  if (!own || own.content instanceof Uint8Array || !space?.files.some(({ path }) => path === ATTRIBUTES)) return files;
  const text = await readFile(own.content.file, 'utf8');
  const published = await hub.readFile({ type: 'space', id }, space.commit, ATTRIBUTES, MAX_TEXT_BYTES, signal);
  const merged = attributesToPublish(text, published);
  return merged === text ? files : withText(files, merged, ATTRIBUTES);
}

function withText(files: readonly LocalFile[], text: string, path = 'pyproject.toml'): LocalFile[] {
  const content = new TextEncoder().encode(text);
  return files.map((file) => (file.path === path ? { ...file, bytes: content.length, content } : file));
}

/**
 * The Space's files at the commit that was published from this folder.
 * @returns `same` if the Space's newest commit is it, or an earlier one of this folder; null: it is unknown
 */
async function knownFiles(
  { commit }: FoundSpace,
  changes: readonly Change[],
  id: string,
  { hub, folderGit: { git, kind }, last: known }: PlanDeps,
  signal: AbortSignal,
): Promise<readonly HubFile[] | 'same' | null> {
  const ofCaller = known?.id === id ? (known.commit ?? null) : null;
  if (changes.length === 0 || commit === ofCaller) return 'same';
  const isGit = kind === 'own';
  if (isGit && ((await isAncestor(git, commit, PUBLISHED_REF)) || (await isAncestor(git, commit, 'HEAD'))))
    return 'same';
  const last = (isGit ? await commitOf(git, PUBLISHED_REF) : null) ?? ofCaller;
  // Without a record there is nothing to compare with: the differences are only shown.
  if (last === null) return isGit ? null : 'same';
  return hub.files({ type: 'space', id }, last, signal).catch((error: unknown) => {
    if (error instanceof HubError && error.kind === 'not-found') return null;
    throw error;
  });
}

/** The files of a folder that a publication would send, found without the hub. @throws NotPublishable, CommandFailed */
export async function localFiles(
  folder: string,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly LocalFile[]> {
  const path = await realpath(folder);
  const listed = await listedIn(await openFolderGit(path, environment, signal));
  return (await filesToPublish(path, listed, null, signal)).files;
}
