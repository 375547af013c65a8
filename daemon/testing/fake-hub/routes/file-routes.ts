import { extname } from 'node:path';
import { Router } from 'express';
import type { HubContents } from '../hub-contents.ts';
import { entryNotFound } from '../refusal.ts';
import type { LargeFileStore } from './large-file-store.ts';
import { pathOf, repositoryIdOf, revisionOf } from './paths.ts';
import { sendBytes } from './send-bytes.ts';

/** The routes of files: `resolve` returns their content, `raw` the content in git, which is a pointer for large files. */
export function fileRoutes(contents: HubContents, store: LargeFileStore): Router {
  const router = Router();
  // GET answers HEAD too.
  router.get(['/spaces/:owner/:name/:how/:rev/*path', '/:owner/:name/:how/:rev/*path'], async (req, res, next) => {
    const { how } = req.params;
    if (how !== 'resolve' && how !== 'raw') return next();
    const repository = contents.withReadableFiles(repositoryIdOf(req), req);
    const { sha, entries } = await repository.tree(revisionOf(req));
    res.set('X-Repo-Commit', sha);
    const path = pathOf(req);
    const file = entries.find((entry) => entry.path === path && entry.type === 'file');
    if (!file) throw entryNotFound();
    if (file.lfs && how === 'resolve') {
      res.set({ 'X-Linked-Size': String(file.size), 'X-Linked-ETag': `"${file.lfs.oid}"`, ETag: `"${file.oid}"` });
      res.redirect(302, store.signed('GET', file.lfs.oid));
      return;
    }
    const bytes = await (await repository.repository()).blob(file.oid);
    res.type(contentType(path, bytes));
    sendBytes(req, res, bytes, file.oid);
  });
  return router;
}

/** Never a type that a browser would run. */
function contentType(path: string, bytes: Buffer): string {
  if (/^\.(png|jpe?g|gif|webp)$/.test(extname(path))) return extname(path);
  return bytes.includes(0) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}
