import * as z from 'zod';
import { Commit, SpaceId } from '../contract/apps/app-source.ts';
import type { Logger } from '../shared/logger.ts';
import { HubError, toHubError, unexpectedAnswer } from './errors.ts';
import { type HubRepository, repositoryAddress, repositoryText } from './hub-address.ts';
import { type HubApp, readHubApp } from './hub-app.ts';
import { HubLibrary, type HubLibraryDeps } from './hub-library.ts';
import { checkPaths, type HubFile, readFileEntry, streamFrom } from './repository-files.ts';
import { type SaveOptions, saveFiles } from './save-files.ts';
import { commitToSpace, createSpace, type NewCommit } from './space-writing.ts';

const MAX_APPS = 20_000;
const MAX_FILES = 20_000;
/** Fields to request of each Space, besides the name. */
const FIELDS = ['author', 'cardData', 'tags', 'sha', 'createdAt'] as const;
/** Names of branches, tags and commits that need no escaping in an address. */
const REVISION = /^(?!.*\.\.)[\w][\w./+@-]{0,199}$/;

/**
 * The daemon's requests to the hub. Every method throws HubError, or the reason of its signal.
 */
export class HubClient {
  readonly #hub: HubLibrary;
  readonly #log: Logger;

  constructor(deps: HubLibraryDeps & { readonly log: Logger }) {
    this.#hub = new HubLibrary(deps);
    this.#log = deps.log;
  }

  /** The hub's address, without a slash at its end. Sends no request. */
  address(): Promise<string> {
    return this.#hub.address();
  }

  /** The Spaces that have a tag, also private ones that the token may see. At most 20,000. */
  async *listApps(tag: string, signal: AbortSignal): AsyncGenerator<HubApp> {
    const { access, library } = await this.#hub.prepare({ type: 'space', what: 'list of apps' }, signal);
    let [apps, skipped] = [0, 0];
    try {
      for await (const entry of library.listSpaces({
        ...access,
        search: { tags: [tag] },
        additionalFields: [...FIELDS],
      })) {
        const app = readHubApp(entry);
        if (app?.tags === null || app?.tags.includes(tag)) yield app;
        else skipped += 1;
        apps += 1;
        if (apps >= MAX_APPS) break;
      }
    } catch (error) {
      throw toHubError(error, signal);
    }
    if (skipped > 0) this.#log.warn(`hub: ${skipped} of ${apps} entries of the list of apps are ignored`);
  }

  /** A Space at a revision; null: the head of its main branch. */
  async resolve(id: string, revision: string | null, signal: AbortSignal): Promise<HubApp & { commit: string }> {
    const space: HubRepository = { type: 'space', id };
    checkNames(space, revision);
    const { access, library } = await this.#hub.prepare(space, signal);
    const query = { ...access, name: id, additionalFields: [...FIELDS], ...(revision !== null && { revision }) };
    const app = readHubApp(await library.spaceInfo(query).catch((error) => Promise.reject(toHubError(error, signal))));
    if (!app || app.commit === null) throw unexpectedAnswer();
    return { ...app, commit: app.commit };
  }

  /** The commit of a model at a revision; null: the head of its main branch. */
  async resolveModel(id: string, revision: string | null, signal: AbortSignal): Promise<string> {
    const model: HubRepository = { type: 'model', id };
    checkNames(model, revision);
    const { access, library } = await this.#hub.prepare(model, signal);
    try {
      const query = { ...access, name: id, ...(revision !== null && { revision }) };
      return Commit.parse((await library.modelInfo({ ...query, additionalFields: ['sha'] })).sha);
    } catch (error) {
      throw toHubError(error, signal);
    }
  }

  /** Every file of a repository at a commit, at most 20,000. The names of a Space's files are checked. */
  async files(repository: HubRepository, commit: string, signal: AbortSignal): Promise<HubFile[]> {
    const { access, library } = await this.#hub.prepare(repository, signal);
    const files: HubFile[] = [];
    try {
      const repo = { type: repository.type, name: repository.id };
      for await (const entry of library.listFiles({ ...access, repo, revision: commit, recursive: true })) {
        const file = readFileEntry(entry);
        if (file) files.push(file);
        if (files.length > MAX_FILES) throw tooManyFiles(repository);
      }
    } catch (error) {
      throw toHubError(error, signal);
    }
    if (repository.type === 'space') checkPaths(files);
    return files;
  }

  /**
   * Writes files of a repository to a new folder, each checked by its size, large ones by their content.
   * @throws also errors of the file system
   */
  async download(
    repository: HubRepository,
    commit: string,
    files: readonly HubFile[],
    toDir: string,
    options: SaveOptions,
  ): Promise<void> {
    await saveFiles(files, toDir, (file, signal) => this.open(repository, commit, file, 0, signal), options);
  }

  async readFile(
    repository: HubRepository,
    commit: string,
    path: string,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<string> {
    return new TextDecoder().decode(await this.readBytes(repository, commit, path, maxBytes, signal));
  }

  /** The beginning of a file. */
  async readBytes(
    repository: HubRepository,
    commit: string,
    path: string,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const file: HubFile = { path, size: maxBytes, sha256: null };
    const pieces: Uint8Array[] = [];
    const enough = new AbortController();
    const either = AbortSignal.any([signal, enough.signal]);
    let left = maxBytes;
    for await (const piece of await this.open(repository, commit, file, 0, either, Number.MAX_SAFE_INTEGER)) {
      pieces.push(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0) break;
    }
    enough.abort(); // skip the rest, which may be long
    return Buffer.concat(pieces);
  }

  /** Creates a static Space of the token's account, or of another owner that permits it; none if it exists already. */
  async createSpace(id: string, options: { private: boolean; signal: AbortSignal }): Promise<void> {
    checkNames({ type: 'space', id }, null);
    await createSpace(this.#hub, id, options);
  }

  /**
   * Adds a commit to the branch `main` of a Space, on top of the commit that was its newest.
   * @returns its id
   * @throws HubError of kind `conflict` once there is a newer commit
   */
  async commit(id: string, commit: NewCommit): Promise<string> {
    checkNames({ type: 'space', id }, null);
    return commitToSpace(this.#hub, id, commit);
  }

  /** The account of a token. @throws HubError `auth` when the token is invalid */
  async whoAmI(token: string, signal: AbortSignal): Promise<TokenAccount> {
    const { access, library, hasRequested } = await this.#hub.prepare({ type: 'space', what: 'account' }, signal, {
      token,
    });
    try {
      return TokenAccount.parse(await library.whoAmI({ ...access, accessToken: token }));
    } catch (error) {
      // The library checks the form of a token before it sends a request.
      if (!hasRequested()) throw new HubError('auth', 'This is not a token of the hub.', undefined, error);
      throw toHubError(error, signal);
    }
  }

  /**
   * Begins to read a file. Its address is known, which saves the library a request. The transfer without `xet` is used,
   * since the library's other one keeps up to 256 MB of a file in memory.
   * @param offset the first byte to read, less than the file's size
   * @returns the bytes from the offset, also from a hub that ignores ranges
   */
  async open(
    repository: HubRepository,
    commit: string,
    file: HubFile,
    offset: number,
    signal: AbortSignal,
    maxBytes = file.size,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { path, size } = file;
    const { access, library, failure, answer } = await this.#hub.prepare(
      { type: repository.type, what: `file ${path} in ${repositoryText(repository)}` },
      signal,
      { maxBytes },
    );
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const blob = await library.downloadFile({
      ...access,
      repo: { type: repository.type, name: repository.id },
      path,
      revision: Commit.parse(commit),
      xet: false,
      downloadInfo: {
        size,
        etag: '',
        url: `${repositoryAddress(access.hubUrl, repository)}/resolve/${commit}/${encoded}`,
      },
    });
    if (!blob) throw unexpectedAnswer();
    return streamFrom(offset, withFailure(blob.slice(offset).stream(), failure), answer);
  }
}

const TokenAccount = z
  .object({
    name: z.string().min(1).max(200),
    auth: z.object({ accessToken: z.object({ role: z.string().nullable() }) }).catch({ accessToken: { role: null } }),
  })
  // Whether the token permits no changes. A token with chosen permissions counts as one that does.
  .transform(({ name, auth }) => ({ name, isReadOnly: auth.accessToken.role === 'read' }));
type TokenAccount = Readonly<z.infer<typeof TokenAccount>>;

/** Throws the original failure of a stream, of which the library passes on only the message. */
async function* withFailure(stream: ReadableStream<Uint8Array>, failure: () => unknown): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw failure() ?? error;
  }
}

function tooManyFiles(repository: HubRepository): HubError {
  const text = `${repositoryText(repository)} has more than ${MAX_FILES.toLocaleString('en')} files.`;
  return new HubError('broken', `The ${text}`, 'Tell its author.');
}

/** @throws HubError when they cannot be a name and a revision */
function checkNames(repository: HubRepository, revision: string | null): void {
  const what = repositoryText(repository);
  if (!SpaceId.safeParse(repository.id).success) {
    throw new HubError('not-found', `"${repository.id}" is not the name of a ${what.split(' ')[0]}.`);
  }
  if (revision !== null && !REVISION.test(revision)) {
    throw new HubError('not-found', `The ${what} has no such branch, tag or commit.`);
  }
}
