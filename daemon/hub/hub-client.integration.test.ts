/** Requests to a hub that behaves like the real one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  dance,
  danceFiles,
  errorKindOf,
  type HubInUse,
  listed,
  never,
  readme,
  startHubInUse,
  TAG,
  TOKEN,
} from '../testing/hub-in-use.ts';

let at: HubInUse;
beforeEach(async () => {
  at = await startHubInUse();
});
afterEach(() => at[Symbol.asyncDispose]());

describe('the list of apps', () => {
  test('has the description of each app, and no Space without the tag', async () => {
    await at.hub.addSpace({ id: 'bob/page', files: { 'README.md': '# not an app' } });
    expect(await listed(at.client())).toEqual([
      {
        id: 'ada/dance',
        commit: at.commit,
        author: 'ada',
        title: 'Dance',
        description: 'Moves.',
        emoji: '💃',
        likes: 7,
        private: false,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
        tags: expect.arrayContaining([TAG]),
      },
    ]);
  });

  test('has more than one page', async () => {
    for (let number = 0; number < 1_100; number += 1) {
      await at.hub.addSpace({ id: `many/app-${number}`, files: { 'README.md': readme(`App ${number}`) } });
    }
    const ids = (await listed(at.client())).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1_101);
    expect(at.hub.requests.filter(({ path }) => path.startsWith('/api/spaces?')).length).toBeGreaterThan(2);
  });

  test('has private apps with a token that may read them', async () => {
    await at.hub.addSpace({ id: 'ada/secret', files: { 'README.md': readme('Secret') }, private: true });
    at.hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    expect((await listed(at.client())).map(({ id }) => id)).toEqual(['ada/dance']);
    const mine = await listed(at.client({}, TOKEN));
    expect(new Map(mine.map((app) => [app.id, app.private]))).toEqual(
      new Map([
        ['ada/dance', false],
        ['ada/secret', true],
      ]),
    );
  });
});

describe('one Space', () => {
  test('is resolved at its main branch, another branch or a commit', async () => {
    const first = at.commit;
    const { sha } = await at.hub.commit('ada/dance', {
      'pyproject.toml': '[project]\nname = "dance"\nversion = "2"\n',
    });
    const { resolve } = { resolve: (revision: string | null) => at.client().resolve('ada/dance', revision, never) };
    expect(await resolve(null)).toMatchObject({ id: 'ada/dance', commit: sha, private: false, title: 'Dance' });
    expect((await resolve('main')).commit).toBe(sha);
    expect((await resolve(first)).commit).toBe(first);
  });

  test('is not found under another name or at another commit', async () => {
    for (const [id, revision] of [
      ['nobody/nothing', null],
      ['ada/dance', 'no-such-branch'],
      ['ada/dance', '../../../whoami-v2'],
      ['ada/dance', '..'],
      ['../api', null],
      ['ada', null],
      ['ada/../bob', null],
    ] as const) {
      expect(await errorKindOf(at.client().resolve(id, revision, never)), `${id} at ${revision}`).toBe('not-found');
    }
  });

  test('that is private is found only with the token of its owner', async () => {
    const { sha } = await at.hub.addSpace({ id: 'ada/secret', files: danceFiles, private: true });
    at.hub.addToken(TOKEN, { name: 'ada', role: 'read' });
    at.hub.addToken('hf_of_eve', { name: 'eve', role: 'read' });
    expect(await errorKindOf(at.client().resolve('ada/secret', null, never))).toBe('not-found');
    expect(await errorKindOf(at.client({}, 'hf_of_eve').resolve('ada/secret', null, never))).toBe('not-found');
    const mine = at.client({}, TOKEN);
    expect(await mine.resolve('ada/secret', null, never)).toMatchObject({ commit: sha, private: true });
    const files = await mine.files({ type: 'space', id: 'ada/secret' }, sha, never);
    await mine.download({ type: 'space', id: 'ada/secret' }, sha, files, at.folder, {
      signal: never,
      onBytes: () => {},
    });
    expect(await at.savedFiles()).toHaveLength(files.length);
  });

  test('is not found with an unknown token, and the failure says so', async () => {
    expect(await errorKindOf(at.client({}, 'hf_old').resolve('ada/dance', null, never))).toBe('auth');
    expect(at.refused).toEqual(['hf_old']);
  });
});

test('only the beginning of a long text is read', async () => {
  await at.hub.commit('ada/dance', { 'long.md': 'ä'.repeat(2_000_000) });
  const { commit: newest } = await at.client().resolve('ada/dance', null, never);
  const read = (path: string, bytes: number) => at.client().readFile(dance, newest, path, bytes, never);
  expect(await read('long.md', 1_000)).toBe('ä'.repeat(500));
  expect(await read('pyproject.toml', 1_000)).toBe(danceFiles['pyproject.toml']);
  expect(await read('dance/__init__.py', 1_000)).toBe('');
  expect(await errorKindOf(read('nothing.md', 1_000))).toBe('not-found');
});

test('a token gives the name of its account; an invalid token is not sent', async () => {
  at.hub.addToken(TOKEN, { name: 'ada', role: 'read' });
  expect(await at.client().whoAmI(TOKEN, never)).toEqual({ name: 'ada', isReadOnly: true });
  expect(await errorKindOf(at.client().whoAmI('hf_unknown', never))).toBe('auth');
  const before = at.hub.requests.length;
  expect(await errorKindOf(at.client().whoAmI('something else', never))).toBe('auth');
  expect(at.hub.requests).toHaveLength(before);
});

test("the default hub is the library's", async () => {
  expect(await at.client({}, null, null).address()).toMatch(/^https:\/\/[\w.]+$/);
  expect(await at.client({}, null, 'http://hub.lan:8080//').address()).toBe('http://hub.lan:8080');
});
