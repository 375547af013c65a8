import type { Request } from 'express';

/** The space that a path names, with or without `.git`. */
export const spaceIdOf = (req: Request) =>
  `${String(req.params['owner'])}/${String(req.params['name']).replace(/\.git$/, '')}`;
export const revisionOf = (req: Request) => String(req.params['rev'] ?? 'main');
/** The path of a file or folder in a space. */
export const pathOf = (req: Request) => [req.params['path'] ?? []].flat().join('/');
export const queryOf = (req: Request) => new URL(req.originalUrl, 'http://hub.invalid').searchParams;
