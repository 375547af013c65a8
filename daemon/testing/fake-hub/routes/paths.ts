import type { Request } from 'express';
import type { RepositoryId } from '../hub-contents.ts';

/** The repository that a path names, with or without `.git`. */
export const repositoryIdOf = (req: Request): RepositoryId => ({
  kind: /^\/(?:api\/)?spaces\//.test(req.path) ? 'space' : 'model',
  name: `${String(req.params['owner'])}/${String(req.params['name']).replace(/\.git$/, '')}`,
});
/** The path of a kind's routes, for spaces and models. */
export const apiPaths = (path: string) => [`/api/spaces${path}`, `/api/models${path}`];
export const revisionOf = (req: Request) => String(req.params['rev'] ?? 'main');
/** The path of a file or folder in a repository. */
export const pathOf = (req: Request) => [req.params['path'] ?? []].flat().join('/');
export const queryOf = (req: Request) => new URL(req.originalUrl, 'http://hub.invalid').searchParams;
