import express, { Router } from 'express';
import type { HubContents } from '../hub-contents.ts';
import type { LargeFile } from '../repository/large-files.ts';
import type { LargeFileStore } from './large-file-store.ts';
import { repositoryIdOf } from './paths.ts';

const TYPE = 'application/vnd.git-lfs+json';

/** The routes that tell git's large file clients where to upload and download. */
export function largeFileRoutes(contents: HubContents, store: LargeFileStore, hubUrl: string): Router {
  const router = Router();
  const json = express.json({ type: [TYPE, 'application/json'], limit: '4mb' });
  const { largeFiles } = contents;

  router.post('/spaces/:owner/:name/info/lfs/objects/batch', json, (req, res) => {
    const id = repositoryIdOf(req);
    const upload = req.body.operation === 'upload';
    if (upload) contents.needRoom(contents.writable(id, req).repository, req.body.objects as LargeFile[]);
    else contents.readable(id, req);
    const verify = { href: `${hubUrl}/spaces/${id.name}.git/info/lfs/objects/verify` };
    const action = ({ oid }: LargeFile) => {
      const isHere = largeFiles.get(oid) !== undefined;
      if (upload && isHere) return {};
      if (upload) return { actions: { upload: { href: store.signed('PUT', oid) }, verify } };
      if (isHere) return { actions: { download: { href: store.signed('GET', oid) } } };
      return { error: { code: 404, message: 'Object does not exist' } };
    };
    const objects = (req.body.objects as LargeFile[]).map(({ oid, size }) => ({
      oid,
      size,
      authenticated: true,
      ...action({ oid, size }),
    }));
    res.type(TYPE).send(JSON.stringify({ transfer: 'basic', objects }));
  });

  router.post('/spaces/:owner/:name/info/lfs/objects/verify', json, (req, res) => {
    contents.writable(repositoryIdOf(req), req);
    const stored = largeFiles.get(String(req.body.oid));
    res.status(stored?.length === req.body.size ? 200 : 404).json({});
  });

  return router;
}
