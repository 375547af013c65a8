/** Publishes real folders with real git to a hub that behaves like the real one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';
import { hubClient } from '../../testing/publishing/hub-client.ts';
import { appFiles, ownAppFolder, TOKEN } from '../../testing/publishing/own-app.ts';

let hub: FakeHub;
const never = new AbortController().signal;
beforeEach(async () => {
  hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
});
afterEach(() => hub[Symbol.asyncDispose]());

/** The files of the Space, and its number of commits. */
async function spaceOf(id: string) {
  const client = hubClient(hub.url, TOKEN);
  const space = await client.resolve(id, null, never);
  const files = await client.files({ type: 'space', id }, space.commit, never);
  return { ...space, paths: files.map(({ path }) => path), commits: await hub.history(id) };
}

describe.each([
  ['with git', true],
  ['without git', false],
])('%s', (_, hasGit) => {
  test('a new app becomes a Space, an edit an update with the next version, and nothing happens twice', {
    tags: ['smoke'],
  }, async () => {
    await using app = await ownAppFolder(hub, { hasGit });
    expect(await app.preview()).toEqual({
      account: 'ada',
      id: 'ada/wave',
      url: `${hub.url}/spaces/ada/wave`,
      exists: false,
      private: null,
      publishedVersion: null,
      nextVersion: '0.1.0',
      changes: Object.entries(appFiles)
        .map(([path, text]) => ({ path, change: 'added', bytes: Buffer.byteLength(text) }))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
      changedElsewhere: false,
    });
    const first = await app.publish();
    expect(first).toEqual({
      id: 'ada/wave',
      url: `${hub.url}/spaces/ada/wave`,
      private: true,
      version: '0.1.0',
      publishedAt: expect.any(String),
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      hasRemote: hasGit,
    });
    const space = await spaceOf('ada/wave');
    expect(space).toMatchObject({
      commit: first.commit,
      private: true,
      paths: ['.gitattributes', ...Object.keys(appFiles)].sort(),
      commits: ['Publish 0.1.0', 'initial commit'],
    });
    expect(await app.publish()).toEqual(first);

    await app.write({ 'wave/main.py': `${appFiles['wave/main.py']}# faster\n`, 'debug.log': 'noise' });
    const last = first;
    expect(await app.preview({}, { last })).toMatchObject({
      publishedVersion: '0.1.0',
      nextVersion: '0.1.1',
      changes: [
        { path: 'pyproject.toml', change: 'changed' },
        { path: 'wave/main.py', change: 'changed' },
      ],
      changedElsewhere: false,
    });
    const second = await app.publish({}, { last });
    expect(second).toMatchObject({ version: '0.1.1', private: true });
    expect((await spaceOf('ada/wave')).commits).toEqual(['Publish 0.1.1', 'Publish 0.1.0', 'initial commit']);
    expect(await readFile(join(app.folder, 'pyproject.toml'), 'utf8')).toBe(
      appFiles['pyproject.toml']?.replace('0.1.0', '0.1.1'),
    );
    expect(await app.publish({}, { last: second })).toEqual(second);
    if (hasGit) expect(await app.git('status', '--porcelain', '--branch')).toBe('## main');
    if (hasGit) expect(await app.git('log', '--format=%s')).toBe('Publish 0.1.1\nPublish 0.1.0\ninitial commit');
  });
});
