import { Router } from 'express';
import { frontMatter } from '../front-matter.ts';
import type { HubContents } from '../hub-contents.ts';
import { entryNotFound, notSignedIn } from '../refusal.ts';
import type { BareRepository, TreeEntry } from '../repository/bare-repository.ts';
import { requestedJson } from '../repository-json.ts';
import { searchSpaces } from '../space-search.ts';
import { pageOf } from './page-of.ts';
import { apiPaths, pathOf, queryOf, repositoryIdOf, revisionOf } from './paths.ts';

const MAX_SPACES = 1000;
const MAX_ENTRIES = 1000;
const MAX_EXPANDED_ENTRIES = 50;

/** The routes that describe repositories, their files, and the caller's account. */
export function repositoryRoutes(contents: HubContents, hubUrl: string): Router {
  const router = Router();

  router.get('/api/spaces', async (req, res) => {
    const query = queryOf(req);
    const found = searchSpaces(contents.visibleTo(contents.accountOf(req), 'space'), query);
    const full = query.has('full');
    const siblings = async (paths: Promise<string[]>) => (await paths).map((rfilename) => ({ rfilename }));
    const page = pageOf(found, res, hubUrl, MAX_SPACES);
    res.json(await Promise.all(page.map((space) => requestedJson(space, query, full, () => siblings(space.paths())))));
  });

  router.get([...apiPaths('/:owner/:name'), ...apiPaths('/:owner/:name/revision/:rev')], async (req, res) => {
    const repository = contents.readable(repositoryIdOf(req), req);
    const query = queryOf(req);
    const { sha, entries } = await repository.tree(revisionOf(req));
    const files = entries.filter(({ type }) => type === 'file');
    const siblings = files.map((file) => (query.has('blobs') ? blobOf(file) : { rfilename: file.path }));
    const json = await requestedJson(repository, query, true, async () => siblings);
    res.json('sha' in json ? { ...json, sha } : json);
  });

  router.get(
    [...apiPaths('/:owner/:name/tree/:rev'), ...apiPaths('/:owner/:name/tree/:rev/*path')],
    async (req, res) => {
      const repository = contents.readable(repositoryIdOf(req), req);
      const { sha, entries } = await repository.tree(revisionOf(req));
      const query = queryOf(req);
      const folder = pathOf(req);
      if (folder && !entries.some(({ path, type }) => path === folder && type === 'directory')) {
        throw entryNotFound(`${folder} does not exist on "${revisionOf(req)}"`);
      }
      const inside = entries.filter(({ path }) => folder === '' || path.startsWith(`${folder}/`));
      const depth = folder === '' ? 1 : folder.split('/').length + 1;
      const shown = isTrue(query.get('recursive'))
        ? inside
        : inside.filter(({ path }) => path.split('/').length === depth);
      const expand = isTrue(query.get('expand'));
      const page = pageOf(shown, res, hubUrl, expand ? MAX_EXPANDED_ENTRIES : MAX_ENTRIES);
      res.json(expand ? await withLastCommits(page, sha, await repository.repository()) : page);
    },
  );

  router.post(apiPaths('/:owner/:name/paths-info/:rev'), async (req, res) => {
    const repository = contents.readable(repositoryIdOf(req), req);
    const { sha, entries } = await repository.tree(revisionOf(req));
    const paths = [req.body.paths ?? []].flat().map(String);
    const shown = entries.filter(({ path }) => paths.includes(path));
    res.json(
      isTrue(String(req.body.expand)) ? await withLastCommits(shown, sha, await repository.repository()) : shown,
    );
  });

  router.get('/api/whoami-v2', (req, res) => {
    const account = contents.accountOf(req);
    if (!account) throw notSignedIn();
    const { name, role } = account;
    res.json({
      type: 'user',
      id: Buffer.from(name).toString('hex').padEnd(24, '0').slice(0, 24),
      name,
      fullname: name,
      email: `${name}@hub.invalid`,
      emailVerified: true,
      canPay: false,
      isPro: false,
      periodEnd: null,
      billingMode: 'prepaid',
      avatarUrl: `${hubUrl}/avatars/${name}.svg`,
      orgs: [],
      auth: { type: 'access_token', accessToken: { displayName: 'test', role, createdAt: new Date(0).toISOString() } },
    });
  });

  router.post('/api/validate-yaml', (req, res) => {
    try {
      const empty = frontMatter(String(req.body.content)) === null;
      res.json({ errors: [], warnings: empty ? [{ message: 'empty or missing yaml metadata in repo card' }] : [] });
    } catch (error) {
      res.status(400).json({ errors: [{ message: (error as Error).message }], warnings: [] });
    }
  });

  return router;
}

const isTrue = (value: string | null) => value?.toLowerCase() === 'true' || value === '1';

const blobOf = ({ path, oid, size, lfs }: TreeEntry) => ({
  rfilename: path,
  blobId: oid,
  size,
  ...(lfs ? { lfs: { sha256: lfs.oid, size: lfs.size, pointerSize: lfs.pointerSize } } : {}),
});

function withLastCommits(entries: readonly TreeEntry[], commit: string, repository: BareRepository) {
  return Promise.all(
    entries.map(async (entry) => ({ ...entry, lastCommit: await repository.lastCommit(commit, entry.path) })),
  );
}
