import { openAsBlob } from 'node:fs';
import { Commit } from '../contract/apps/app-source.ts';
import { HubError, toHubError } from './errors.ts';
import type { HubLibrary } from './hub-library.ts';

/** A file of a new commit: its content, the path of a local file with it, or null to remove it. */
interface FileChange {
  /** From the top of the repository, with slashes. */
  readonly path: string;
  readonly content: Uint8Array<ArrayBuffer> | { readonly file: string } | null;
}

export interface NewCommit {
  /** The newest commit of the branch `main`; once there is a newer one, the hub refuses. */
  readonly parent: string;
  readonly title: string;
  readonly changes: readonly FileChange[];
  readonly signal: AbortSignal;
}

/** Each large file takes two requests, each hundred files take one. */
const MAX_REQUESTS = 20_000;

/** Creates a static Space; none if it exists already. @throws HubError */
export async function createSpace(
  hub: HubLibrary,
  id: string,
  { private: isPrivate, signal }: { readonly private: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { library, access } = await hub.prepare({ type: 'space', id }, signal);
  const { accessToken } = access;
  if (accessToken === undefined) throw notSignedIn();
  try {
    const visibility = isPrivate ? 'private' : 'public';
    await library.createRepo({ ...access, accessToken, repo: { type: 'space', name: id }, sdk: 'static', visibility });
  } catch (error) {
    if (error instanceof HubError && error.kind === 'conflict') return;
    throw toHubError(error, signal);
  }
}

/**
 * Adds a commit to a Space.
 * @returns its id
 * @throws HubError, of kind `conflict` once the parent is no longer the newest commit
 */
export async function commitToSpace(
  hub: HubLibrary,
  id: string,
  { parent, title, changes, signal }: NewCommit,
): Promise<string> {
  const operations = await Promise.all(changes.map(operationFor));
  const { library, access } = await hub.prepare({ type: 'space', id }, signal, { maxRequests: MAX_REQUESTS });
  try {
    const output = await library.commit({
      ...access,
      repo: { type: 'space', name: id },
      title,
      operations,
      parentCommit: parent,
      abortSignal: signal,
      useXet: false,
    });
    return Commit.parse(output?.commit.oid);
  } catch (error) {
    throw isOfFile(error) ? changedFile('A file', error) : toHubError(error, signal);
  }
}

/** Whether a file could not be read, since it has changed or is gone. */
const isOfFile = (error: unknown) => error instanceof DOMException && error.name === 'NotReadableError';

const changedFile = (what: string, cause: unknown) =>
  new HubError('refused', `${what} was changed or removed while it was sent.`, 'Try again.', cause);

async function operationFor({ path, content }: FileChange) {
  if (content === null) return { operation: 'delete', path } as const;
  const blob = content instanceof Uint8Array ? new Blob([content]) : await blobOf(path, content.file);
  return { operation: 'addOrUpdate', path, content: blob } as const;
}

async function blobOf(path: string, file: string): Promise<Blob> {
  try {
    return await openAsBlob(file);
  } catch (error) {
    throw changedFile(path, error);
  }
}

const notSignedIn = () => new HubError('auth', 'There is no token of the hub.', 'Sign in to the hub first.');
