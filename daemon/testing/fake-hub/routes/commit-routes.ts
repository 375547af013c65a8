import express, { Router } from 'express';
import type { HubContents } from '../hub-contents.ts';
import { entryNotFound, notSignedIn, Refusal } from '../refusal.ts';
import type { TreeEntry } from '../repository/bare-repository.ts';
import { isTracked, type LargeFile, MAX_REGULAR_BYTES } from '../repository/large-files.ts';
import { queryOf, repositoryIdOf, revisionOf } from './paths.ts';

const MAX_COMMIT = '256mb';

/** The routes that create, fill and delete spaces. */
export function commitRoutes(contents: HubContents, hubUrl: string): Router {
  const router = Router();

  router.post('/api/repos/create', (req, res) => {
    const { account, id } = named(contents, req.body, contents.accountOf(req));
    const { sdk, visibility, private: isPrivate } = req.body;
    if (typeof sdk !== 'string') throw new Refusal(400, '"sdk" is required');
    contents.needWrite(account, account.name);
    const url = `${hubUrl}/spaces/${id}`;
    if (contents.get({ kind: 'space', name: id }))
      throw new Refusal(409, 'You already created this space repo', null, { url });
    const title = String(req.body.name);
    const readme = `---\ntitle: ${JSON.stringify(title)}\nsdk: ${sdk}\npinned: false\n---\n`;
    const attributes = '*.onnx filter=lfs diff=lfs merge=lfs -text\n*.bin filter=lfs diff=lfs merge=lfs -text\n';
    const files = new Map([
      ['.gitattributes', Buffer.from(attributes)],
      ['README.md', Buffer.from(readme)],
    ]);
    const space = contents.add('space', { id, private: visibility === 'private' || isPrivate === true }, files);
    res.json({ url, name: id, id: space.key });
  });

  router.delete('/api/repos/delete', (req, res) => {
    const { account, id } = named(contents, req.body, contents.accountOf(req));
    contents.readable({ kind: 'space', name: id }, req);
    contents.needWrite(account, account.name);
    contents.remove({ kind: 'space', name: id });
    res.send('OK');
  });

  router.post('/api/spaces/:owner/:name/preupload/:rev', async (req, res) => {
    const { repository: space } = contents.writable(repositoryIdOf(req), req);
    const { sha, entries } = await space.tree(revisionOf(req));
    const stored = await (await space.repository()).file(sha, '.gitattributes');
    const attributes: string = req.body.gitAttributes ?? stored?.toString() ?? '';
    const files = (req.body.files as { path: string; size: number; sample?: string }[]).map(
      ({ path, size, sample }) => {
        const isBinary = Buffer.from(sample ?? '', 'base64').includes(0);
        const isLarge = size > MAX_REGULAR_BYTES || isBinary || isTracked(attributes, path);
        const existing = entries.find((entry) => entry.path === path && entry.type === 'file');
        const oid = existing?.lfs?.oid ?? existing?.oid;
        return { path, uploadMode: isLarge ? 'lfs' : 'regular', shouldIgnore: false, ...(oid ? { oid } : {}) };
      },
    );
    res.json({ files, commitOid: sha });
  });

  const lines = express.text({ type: 'application/x-ndjson', limit: MAX_COMMIT });
  router.post('/api/spaces/:owner/:name/commit/:rev', lines, async (req, res) => {
    const id = repositoryIdOf(req);
    const { repository: space, account } = contents.writable(id, req);
    if (queryOf(req).has('create_pr')) throw new Refusal(400, 'Pull requests are not supported');
    const branch = revisionOf(req);
    const { sha, entries } = await space.tree(branch);
    const { header, files } = readCommit(String(req.body), entries);
    if (header.parentCommit && header.parentCommit !== sha) {
      throw new Refusal(412, 'A commit has happened since. Please refresh and try again.');
    }
    for (const [path, file] of files) {
      if (!file || Buffer.isBuffer(file) || contents.largeFiles.get(file.oid)) continue;
      throw new Refusal(400, `The large file ${path} points to was not uploaded`);
    }
    contents.needRoom(space, files.values());
    const message = [header.summary, header.description].filter(Boolean).join('\n\n');
    const oid = await space.commit(account.name, message, files, branch);
    res.json({ success: true, commitOid: oid, commitUrl: `${hubUrl}/spaces/${id.name}/commit/${oid}`, hookOutput: '' });
  });

  return router;
}

/** The account and the space that a request names. @throws Refusal for another kind of repository or another owner */
function named<Account extends { name: string }>(
  contents: HubContents,
  body: { type?: string; name?: string; organization?: string | null },
  account: Account | null,
): { account: Account; id: string } {
  if (!account) throw notSignedIn();
  if (body.type !== 'space') throw new Refusal(400, 'This hub has spaces only');
  const owner = body.organization ?? account.name;
  if (owner !== account.name) contents.needWrite({ name: account.name, role: 'read' }, owner);
  return { account, id: `${owner}/${body.name}` };
}

interface CommitHeader {
  readonly summary: string;
  readonly description?: string;
  readonly parentCommit?: string;
}

/** @param entries the existing files, which may be deleted */
function readCommit(text: string, entries: readonly TreeEntry[]) {
  let header: CommitHeader = { summary: '' };
  const files = new Map<string, Buffer | LargeFile | null>();
  for (const line of text.split('\n').filter(Boolean)) {
    const { key, value } = JSON.parse(line);
    const path = String(value.path).replace(/\/$/, '');
    if (key === 'header') header = value;
    else if (key === 'file') files.set(path, Buffer.from(value.content, value.encoding ?? 'utf8'));
    else if (key === 'lfsFile') files.set(path, { oid: value.oid, size: value.size });
    else if (key === 'deletedFile' || key === 'deletedFolder') {
      if (!entries.some((entry) => entry.path === path)) throw entryNotFound("A file with this name doesn't exist");
      files.set(path, null);
    } else throw new Refusal(400, `Unknown operation: ${key}`);
  }
  return { header, files };
}
