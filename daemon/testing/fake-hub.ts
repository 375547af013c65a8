import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type ErrorRequestHandler } from 'express';
import { type Clock, systemClock } from '../shared/clock.ts';
import { type Account, HubContents } from './fake-hub/hub-contents.ts';
import type { RepositoryFacts, RepositoryKind } from './fake-hub/hub-repository.ts';
import { affects, type Misbehaviour, misbehave } from './fake-hub/misbehaviour.ts';
import { Refusal } from './fake-hub/refusal.ts';
import type { LargeFile } from './fake-hub/repository/large-files.ts';
import { commitRoutes } from './fake-hub/routes/commit-routes.ts';
import { fileRoutes } from './fake-hub/routes/file-routes.ts';
import { GitRoutes } from './fake-hub/routes/git-routes.ts';
import { largeFileRoutes } from './fake-hub/routes/large-file-routes.ts';
import { LargeFileStore } from './fake-hub/routes/large-file-store.ts';
import { repositoryRoutes } from './fake-hub/routes/repository-routes.ts';

/** A file's content; `lfs` makes it a large file, which git stores as a pointer. */
export type FileContent = string | Buffer | { readonly lfs: Buffer };

interface HubRequest {
  readonly method: string;
  /** With its query. Paths of the large file store begin with /large-files/. */
  readonly path: string;
  readonly authorization: string | null;
  /** The header `Range`. */
  readonly range: string | null;
}

/** A new repository. Missing facts are read from its README. */
type NewRepository = RepositoryFacts & { readonly files: Readonly<Record<string, FileContent>> };

/** A hub for tests: the interface that stock clients use, with real git repositories. */
export interface FakeHub extends AsyncDisposable {
  /** http://127.0.0.1:port */
  readonly url: string;
  /** Adds a space with its first commit. */
  addSpace(space: NewRepository): Promise<{ sha: string }>;
  /** Adds a model with its first commit. */
  addModel(model: NewRepository): Promise<{ sha: string }>;
  /** Adds a commit to main; null removes a file or a folder. */
  commit(
    id: string,
    files: Readonly<Record<string, FileContent | null>>,
    kind?: RepositoryKind,
  ): Promise<{ sha: string }>;
  /** The titles of a space's commits, the newest first. */
  history(id: string): Promise<string[]>;
  addToken(token: string, user: Account): void;
  /** Sets the misbehaviour from now on; an empty object: none. */
  misbehave(how: Misbehaviour): void;
  readonly requests: readonly HubRequest[];
}

/** Within the project: what cleans the system's temporary folder, or another run there, cannot take a hub away. */
const hubsDir = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'fake-hubs');

/** @param clock tells when a slow answer goes on */
export async function startFakeHub(clock: Clock = systemClock): Promise<FakeHub> {
  await mkdir(hubsDir, { recursive: true });
  const root = await mkdtemp(join(hubsDir, 'hub-'));
  const contents = new HubContents(root);
  const store = new LargeFileStore(contents.largeFiles);
  const git = new GitRoutes(contents, root);
  const hub = express();
  const requests: HubRequest[] = [];
  let misbehaviour: Misbehaviour = {};
  /** How often it has misbehaved in that way. */
  let misbehaved = 0;

  const serve = async (app: RequestListener): Promise<{ server: Server; origin: string }> => {
    const server = createServer((req, res) => {
      requests.push({
        method: req.method ?? '',
        path: req.url ?? '',
        authorization: req.headers.authorization ?? null,
        range: req.headers.range ?? null,
      });
      const isAffected = affects(misbehaviour, req.url ?? '') && misbehaved < (misbehaviour.times ?? Infinity);
      misbehaved += Number(isAffected);
      misbehave(clock, isAffected ? misbehaviour : {}, req, res, () => app(req, res)).catch(() => res.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const forStore = await serve(store.app);
  const forHub = await serve(hub);
  const url = forHub.origin;
  store.origin = forStore.origin;

  hub.use(express.json({ limit: '16mb' }), express.urlencoded({ extended: false }));
  hub.use(git.router, fileRoutes(contents, store), largeFileRoutes(contents, store, url));
  hub.use(commitRoutes(contents, url), repositoryRoutes(contents, url));
  hub.use(() => {
    throw new Refusal(404, "Sorry, we can't find the page you are looking for.");
  });
  hub.use(sendRefusal);

  const newFile = (content: FileContent): Buffer | LargeFile =>
    typeof content === 'object' && 'lfs' in content ? contents.largeFiles.keep(content.lfs) : Buffer.from(content);

  const add = (kind: RepositoryKind, { files, ...facts }: NewRepository) => {
    const entries = Object.entries(files).map(([path, content]) => [path, newFile(content)] as const);
    return { sha: contents.add(kind, facts, new Map(entries)).sha };
  };

  return {
    url,
    requests,
    addSpace: async (space) => add('space', space),
    addModel: async (model) => add('model', model),
    commit: async (id, files, kind = 'space') => {
      const repository = contents.get({ kind, name: id });
      if (!repository) throw new Error(`There is no ${kind} ${id}`);
      const entries = Object.entries(files).map(
        ([path, content]) => [path, content === null ? null : newFile(content)] as const,
      );
      return { sha: await repository.commit(repository.owner, 'Update', new Map(entries)) };
    },
    history: async (id) => {
      const repository = await contents.get({ kind: 'space', name: id })?.repository();
      return repository ? repository.titles('main') : [];
    },
    addToken: (token, user) => void contents.accounts.set(token, user),
    misbehave: (how) => {
      misbehaviour = how;
      misbehaved = 0;
    },
    [Symbol.asyncDispose]: async () => {
      for (const { server } of [forHub, forStore]) {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        await closed;
      }
      await git.stop();
      await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** Turns a refusal into an answer. */
const sendRefusal: ErrorRequestHandler = (error, req, res, _next) => {
  if (res.headersSent) return void res.destroy();
  const refusal = error instanceof Refusal ? error : new Refusal(error.status ?? 500, String(error.message));
  if (refusal.code) res.set('X-Error-Code', refusal.code);
  // A header may contain ASCII only.
  res.set('X-Error-Message', refusal.message.replaceAll(/[^\x20-\x7e]/g, ' '));
  if (refusal.status === 401) {
    const scheme = /\/info\/|\/git-/.test(req.path) ? 'Basic' : 'Bearer';
    res.set('WWW-Authenticate', `${scheme} realm="Authentication required", charset="UTF-8"`);
  }
  res.status(refusal.status).json({ error: refusal.message, ...refusal.more });
};
