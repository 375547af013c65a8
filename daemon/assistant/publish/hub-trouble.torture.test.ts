/** Publications to a hub that refuses, loses answers, or is changed meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HubError } from '../../hub/errors.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';
import { hubClient } from '../../testing/publishing/hub-client.ts';
import { appFiles, ownAppFolder, TOKEN } from '../../testing/publishing/own-app.ts';

let hub: FakeHub;
const never = new AbortController().signal;
const PICTURE = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
const EDITED = `${appFiles['wave/main.py']}# edited\n`;
beforeEach(async () => {
  hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
});
afterEach(() => hub[Symbol.asyncDispose]());

async function filesOf(id: string) {
  const client = hubClient(hub.url, TOKEN);
  const { commit } = await client.resolve(id, null, never);
  return client.files({ type: 'space', id }, commit, never);
}
const sentence = (work: Promise<unknown>) =>
  work.then(
    () => 'published',
    (error: unknown) => (error instanceof HubError ? `${error.kind}: ${error.message}` : String(error)),
  );

describe.each([
  ['with git', true],
  ['without git', false],
])('%s', (_, hasGit) => {
  test('a picture and a large file are stored as large files; later updates leave them alone', async () => {
    await using app = await ownAppFolder(hub, { hasGit });
    await app.write({ 'wave/icon.png': PICTURE });
    await app.publish();
    await app.write({ 'wave/model.dat': new Uint8Array(10 * 1024 ** 2 + 1).fill(65) });
    await app.publish();
    const large = (await filesOf('ada/wave')).filter(({ sha256 }) => sha256 !== null);
    expect(large.map(({ path }) => path)).toEqual(['wave/icon.png', 'wave/model.dat']);
    const uploads = () => hub.requests.filter(({ method }) => method === 'PUT').length;
    const before = uploads();
    expect((await app.preview()).changes).toEqual([]);
    await app.write({ 'wave/main.py': EDITED });
    expect((await app.preview()).changes.map(({ path }) => path)).toEqual(['pyproject.toml', 'wave/main.py']);
    await app.publish();
    expect(uploads()).toBe(before);
    expect(await hub.history('ada/wave')).toEqual([
      'Publish 0.1.2',
      'Publish 0.1.1',
      'Publish 0.1.0',
      'initial commit',
    ]);
    expect((await filesOf('ada/wave')).filter(({ sha256 }) => sha256 !== null)).toEqual(large);
  });

  test('lost answers: nothing is made twice', async () => {
    await using app = await ownAppFolder(hub, { hasGit });
    hub.misbehave({ only: /\/repos\/create|\/commit\/main|\/git-receive-pack$/, loseAnswer: true });
    await app.publish().catch(() => {});
    await app.write({ 'wave/new.py': '' });
    await app.publish().catch(() => {});
    hub.misbehave({});
    await app.publish();
    const titles = await hub.history('ada/wave');
    expect(titles).toEqual([...new Set(titles)]);
    expect((await app.preview()).changes).toEqual([]);
  });

  test('a hub that is busy for a while gets the files once', async () => {
    await using app = await ownAppFolder(hub, { hasGit });
    hub.misbehave({ status: 503, retryAfterS: 0, times: 2, only: /\/api\/|\/git-/ });
    await app.publish();
    expect(await hub.history('ada/wave')).toEqual(['Publish 0.1.0', 'initial commit']);
  });

  test('a full account is reported in the words of the hub', async () => {
    hub.addToken(TOKEN, { name: 'ada', role: 'write', quotaBytes: 100 });
    await using app = await ownAppFolder(hub, { hasGit });
    expect(await sentence(app.publish())).toBe(
      'auth: The hub does not let this account write to Space ada/wave: Private repository storage limit reached, please upgrade your plan.',
    );
    hub.addToken(TOKEN, { name: 'ada', role: 'write' });
    expect(await sentence(app.publish())).toBe('published');
    expect(await hub.history('ada/wave')).toEqual(['Publish 0.1.0', 'initial commit']);
  });

  test('a commit of someone else while it is uploaded is not overwritten', async () => {
    await using app = await ownAppFolder(hub, { hasGit });
    const last = await app.publish();
    await app.write({ 'wave/main.py': EDITED });
    let isChanged = false;
    const client = hubClient(hub.url, TOKEN);
    const racing = new Proxy(client, {
      get(target, name) {
        if (name !== 'files') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
        return async (...args: Parameters<typeof client.files>) => {
          const files = await target.files(...args);
          if (!isChanged) await hub.commit('ada/wave', { 'wave/main.py': '# theirs\n' });
          isChanged = true;
          return files;
        };
      },
    });
    expect(await sentence(app.publish({}, { hub: racing, last }))).toMatch(/^SpaceChangedElsewhere/);
    expect(await sentence(app.publish({}, { last }))).toMatch(/^SpaceChangedElsewhere/);
    expect(await hub.history('ada/wave')).toEqual(['Update', 'Publish 0.1.0', 'initial commit']);
    await app.publish({ overwrite: true }, { last });
    expect(await hub.history('ada/wave')).toEqual(['Publish 0.1.1', 'Update', 'Publish 0.1.0', 'initial commit']);
  });
});

test('an account that may not write there gets the reason, and the folder stays', async () => {
  hub.addToken('hf_bob', { name: 'bob', role: 'write' });
  await hub.addSpace({ id: 'bob/wave', files: { 'README.md': '# Bob’s', 'main.py': '' } });
  await using app = await ownAppFolder(hub);
  await app.git('init', '-q');
  await app.git('remote', 'add', 'space', `${hub.url}/spaces/bob/wave`);
  expect(await sentence(app.publish({ overwrite: true }))).toMatch(
    /^auth: The hub does not let this account write to Space bob\/wave/,
  );
  expect(await hub.history('bob/wave')).toEqual(['initial commit']);
});

test('a cancel ends it with its reason, and the next one goes on', async () => {
  await using app = await ownAppFolder(hub, { hasGit: false });
  hub.misbehave({ hang: true, only: /\/commit\/main/ });
  const ending = new AbortController();
  const publication = app.publish({}, {}, ending.signal);
  await expect.poll(() => hub.requests.some(({ path }) => path.includes('/commit/main'))).toBe(true);
  ending.abort(new Error('enough'));
  await expect(publication).rejects.toThrow('enough');
  hub.misbehave({});
  await app.publish();
  expect(await hub.history('ada/wave')).toEqual(['Publish 0.1.0', 'initial commit']);
});

test('a git that hangs at the hub is cancelled too', async () => {
  await using app = await ownAppFolder(hub);
  hub.misbehave({ hang: true, only: /git-receive-pack/ });
  const ending = new AbortController();
  const publication = app.publish({}, {}, ending.signal);
  await expect.poll(() => hub.requests.some(({ path }) => path.includes('git-receive-pack'))).toBe(true);
  ending.abort(new Error('enough'));
  await expect(publication).rejects.toThrow('enough');
  hub.misbehave({});
  await app.publish();
  expect(await hub.history('ada/wave')).toEqual(['Publish 0.1.0', 'initial commit']);
});
